//! Random elimination of the vertices of a part, those of low degree first.
//!
//! **Problem.** A graph whose vertices `0..n` are to go, while others are fixed. Out come
//! the order, a column for each vertex that went, and the edges between fixed vertices
//! that this left.
//!
//! **Method.** The vertex of least degree goes; its edges are a column of the factor, and
//! edges drawn from the clique among its neighbours take their place (`sample.rs`).
//!
//! **Cost.** A vertex with `d` neighbours costs `O(d log d)` and leaves at most `d − 1`
//! edges. A hub costs no more than its edges: it waits until it is light, and a vertex
//! that is fixed has no row.

use super::columns::Columns;
use super::queue::Queue;
use super::rows::Rows;
use super::sample::{Neighbour, clique, sort};
use palmette_core::Cancel;
use palmette_core::random::Random;

/// Two ends and a scaled weight.
pub(super) type Edge = (u32, u32, f32);

/// What an elimination leaves.
pub(super) struct Eliminated {
    /// The vertices in the order in which they went.
    pub(super) order: Vec<u32>,
    /// Their columns, in positions of the order; fixed vertices keep their numbers.
    pub(super) columns: Columns,
    /// Edges between fixed vertices.
    pub(super) left: Vec<Edge>,
}

/// Eliminates all vertices that can go. `scale` is what weights were multiplied by.
/// Neighbours from `silent` on get no entries: their potential is 0. Once `cancel` is raised,
/// vertices go without their edges, and what comes out is of no use.
pub(super) fn eliminate(
    mut rows: Rows,
    mut random: Random,
    scale: f64,
    silent: usize,
    cancel: Option<&Cancel>,
) -> Eliminated {
    let n = rows.len();
    let mut queue = Queue::new((0..n as u32).map(|v| rows.degree(v).unwrap_or(0)));
    let mut order = Vec::with_capacity(n);
    let mut columns = Columns::with_capacity(n);
    let mut left = Vec::new();
    let mut neighbours: Vec<Neighbour> = Vec::new();
    let mut sums = Vec::new();
    while let Some(v) = queue.pop(|v| rows.degree(v)) {
        rows.expect(queue.peek(8), queue.peek(4));
        rows.take(v, &mut neighbours);
        if cancel.is_some_and(Cancel::is_raised) {
            neighbours.clear();
        }
        sort(&mut neighbours);
        clique(&neighbours, &mut sums, &mut random, |i, j, weight| {
            let (a, b) = (neighbours[i].id, neighbours[j].id);
            let weight = (weight as f32).max(f32::MIN_POSITIVE);
            let (inner_a, inner_b) = ((a as usize) < n, (b as usize) < n);
            if inner_a {
                rows.append(a, b, weight);
            }
            if inner_b {
                rows.append(b, a, weight);
            }
            if !inner_a && !inner_b {
                left.push((a, b, weight));
            }
        });
        for neighbour in &neighbours {
            if (neighbour.id as usize) < n {
                queue.update(neighbour.id, rows.degree(neighbour.id).unwrap_or(0));
            }
        }
        order.push(v);
        columns.push(&neighbours, &sums, scale, silent);
    }
    columns.renumber(&order);
    Eliminated { order, columns, left }
}
