//! Nested dissection.
//!
//! **Problem.** A symmetric pattern; out comes an order of its rows in which elimination fills in few
//! entries.
//!
//! **Method.** Rows that elimination cannot tell apart are made one (`compress.rs`). A separator (`separate.rs`)
//! comes last; what it separates is ordered in the same way before, and pieces that are small by minimum
//! degree, in which neighbours outside count (a halo). Components are ordered each by itself.
//!
//! **Cost.** Nearly linear per level of separators, of which there are of order `log n`.
//!
//! **Determinism.** Each piece has a stream of random numbers of its own: the same order on any
//! number of threads.
//!
//! **Reference.** George, *Nested dissection of a regular finite element mesh*, 1973; Pellegrini, Roman,
//! Amestoy, *Hybridizing nested dissection and halo approximate minimum degree for efficient sparse matrix
//! ordering*, 2000.
//!
//! **When not to use.** On trees and nearly flat networks minimum degree is as good and faster.

mod coarsen;
mod compress;
mod flow;
mod moves;
mod net;
mod separate;
mod sides;
#[cfg(test)]
mod tests;

use super::elimination::Pattern;
use super::minimum_degree::{self, Rows};
use net::Net;
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use separate::{Effort, separate};

/// Pieces of at most so many rows are ordered by minimum degree.
const LEAF: u64 = 100;

/// Nets of so many vertices are separated more often.
const LARGE: usize = 5000;

/// A separator found, with how many came before it on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Separator {
    pub(crate) level: u32,
    pub(crate) rows: u32,
}

/// The order, and the separators that made it.
#[derive(Debug)]
pub(crate) struct Dissected {
    /// By place, the row.
    pub(crate) order: Vec<u32>,
    pub(crate) separators: Vec<Separator>,
}

/// Bytes that [`dissect`] takes: nets by size on the way down, each half of the one before.
pub(crate) fn bytes(rows: usize, entries: usize) -> u64 {
    4 * (8 * entries as u64 + 24 * rows as u64)
}

/// Orders a pattern; `None` when `stop` said so.
pub(crate) fn dissect(
    pattern: &impl Pattern,
    seed: u64,
    stop: &(impl Fn() -> bool + Sync),
) -> Option<Dissected> {
    let whole = Net::new(pattern);
    let (net, members) = match compress::compress(&whole) {
        Some((net, members)) => (net, Some(members)),
        None => (whole, None),
    };
    let mut order = vec![0; net.len()];
    let work = Work { seed, number: 1, level: 0, stop };
    let all: Vec<u32> = (0..net.len() as u32).collect();
    let pieces = work.run(net.clone(), all, &mut order)?;
    order_leaves(&net, &pieces, &mut order, stop)?;
    let separators = pieces.iter().filter_map(|piece| piece.separator).collect();
    let order = match members {
        Some(members) => order.iter().flat_map(|&v| members[v as usize].iter().copied()).collect(),
        None => order,
    };
    Some(Dissected { order, separators })
}

/// Consecutive places of the order.
struct Piece {
    length: usize,
    /// None for a leaf.
    separator: Option<Separator>,
}

struct Work<'a, S> {
    seed: u64,
    /// Of the piece: the pieces of piece `k` have the numbers `2 k` and `2 k + 1`.
    number: u64,
    level: u32,
    stop: &'a S,
}

impl<S: Fn() -> bool + Sync> Work<'_, S> {
    /// Orders a piece whose vertices have these names, but for its leaves.
    fn run(&self, net: Net, names: Vec<u32>, order: &mut [u32]) -> Option<Vec<Piece>> {
        if (self.stop)() {
            return None;
        }
        let leaf = |names: &[u32], order: &mut [u32]| {
            order.copy_from_slice(names);
            Some(vec![Piece { length: names.len(), separator: None }])
        };
        let total = net.weight();
        if total <= LEAF {
            return leaf(&names, order);
        }
        let (searched, ends) = net.components();
        if ends.len() > 1 {
            return self.components(&net, &names, &searched, &ends, order);
        }
        let mut random = Random::numbered(self.seed, Purpose::Elimination, self.number);
        let Some(sides) = separate(&net, &effort(net.len()), &mut random) else {
            return leaf(&names, order);
        };
        let [a, b, between] = sides.weights;
        // A side that is nearly all, or a separator that is: nothing is gained.
        if a.max(b) * 20 > total * 19 || between * 2 > total {
            return leaf(&names, order);
        }
        let mut vertices = [Vec::new(), Vec::new(), Vec::new()];
        for (v, &side) in sides.of.iter().enumerate() {
            vertices[side as usize].push(v as u32);
        }
        let mut place = vec![0; net.len()];
        let [first, second] = [0, 1].map(|side: usize| net.induced(&vertices[side], &mut place));
        drop((net, place));
        let name = |v: &u32| names[*v as usize];
        let [of_first, of_second, last] = vertices.map(|list| list.iter().map(name).collect());
        drop(names);
        let (ahead, at_end) = order.split_at_mut(order.len() - Vec::len(&last));
        at_end.copy_from_slice(&last);
        let (ahead, behind) = ahead.split_at_mut(first.len());
        let below = |bit: u64| Work {
            number: (2 * self.number + bit) ^ (self.number >> 63),
            level: self.level + 1,
            ..*self
        };
        let (first, second) = rayon::join(
            || below(0).run(first, of_first, ahead),
            || below(1).run(second, of_second, behind),
        );
        let mut pieces = first?;
        pieces.extend(second?);
        let separator = Separator { level: self.level, rows: between as u32 };
        pieces.push(Piece { length: last.len(), separator: Some(separator) });
        Some(pieces)
    }

    /// Orders components one after another; small ones together.
    fn components(
        &self,
        net: &Net,
        names: &[u32],
        searched: &[u32],
        ends: &[u32],
        order: &mut [u32],
    ) -> Option<Vec<Piece>> {
        let mut place = vec![0; net.len()];
        let (mut pieces, mut rest) = (Vec::new(), order);
        let mut begin = 0;
        let mut i = 0;
        while i < ends.len() {
            // Small components as long as they fit into a leaf.
            let mut end = ends[i];
            i += 1;
            while i < ends.len() && u64::from(ends[i] - begin) <= LEAF {
                end = ends[i];
                i += 1;
            }
            let vertices = &searched[begin as usize..end as usize];
            let names: Vec<u32> = vertices.iter().map(|&v| names[v as usize]).collect();
            let (here, after) = rest.split_at_mut(vertices.len());
            rest = after;
            if vertices.len() as u64 <= LEAF {
                here.copy_from_slice(&names);
                pieces.push(Piece { length: names.len(), separator: None });
            } else {
                let number = self.number.wrapping_mul(0x9e37_79b9) ^ u64::from(begin) << 32;
                let work = Work { number, ..*self };
                pieces.extend(work.run(net.induced(vertices, &mut place), names, here)?);
            }
            begin = end;
        }
        Some(pieces)
    }
}

/// What is tried on a net of so many vertices.
fn effort(vertices: usize) -> Effort {
    // Large nets have few vertices left where they start to be tried.
    let ways = if vertices < LARGE { 2 } else { 6 };
    Effort { growths: 6, ways, from: (vertices / 16).max(1000) }
}

/// Orders the leaves, each with its halo.
fn order_leaves(
    net: &Net,
    pieces: &[Piece],
    order: &mut [u32],
    stop: &(impl Fn() -> bool + Sync),
) -> Option<()> {
    let mut place = vec![0; net.len()];
    order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i as u32);
    let mut leaves = Vec::new();
    let (mut rest, mut begin) = (order, 0);
    for piece in pieces {
        let (here, after) = rest.split_at_mut(piece.length);
        rest = after;
        if piece.separator.is_none() {
            leaves.push((begin, here));
        }
        begin += piece.length as u32;
    }
    let done: Vec<Option<()>> = leaves
        .into_par_iter()
        .map(|(begin, here)| order_leaf(net, &place, begin, here, stop))
        .collect();
    done.into_iter().collect()
}

fn order_leaf(
    net: &Net,
    place: &[u32],
    begin: u32,
    here: &mut [u32],
    stop: &impl Fn() -> bool,
) -> Option<()> {
    let inner = here.len();
    // Rows of the halo by name, and what they are next to.
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut halo: Vec<Vec<i32>> = Vec::new();
    let mut rows: Vec<Vec<i32>> = Vec::with_capacity(inner);
    let mut weights: Vec<u32> = here.iter().map(|&v| net.weights[v as usize]).collect();
    let mut entries = 0;
    for (i, &v) in here.iter().enumerate() {
        let mut row = Vec::with_capacity(net.row(v).len());
        for &w in net.row(v) {
            let local = place[w as usize].wrapping_sub(begin);
            entries += 1;
            if (local as usize) < inner {
                row.push(local as i32);
                continue;
            }
            let number = *numbers.entry(w).or_insert_with(|| {
                halo.push(Vec::new());
                weights.push(net.weights[w as usize]);
                halo.len() as u32 - 1
            });
            row.push((inner as u32 + number) as i32);
            halo[number as usize].push(i as i32);
            entries += 1;
        }
        rows.push(row);
    }
    let all = Rows { inner, halo: halo.len(), entries, weights: &weights };
    let fill = |row: usize, list: &mut Vec<i32>| match rows.get(row) {
        Some(row) => list.extend_from_slice(row),
        None => list.extend_from_slice(&halo[row - inner]),
    };
    let ordered = minimum_degree::order(all, fill, stop)?;
    let names: Vec<u32> = ordered.iter().map(|&i| here[i as usize]).collect();
    here.copy_from_slice(&names);
    Some(())
}
