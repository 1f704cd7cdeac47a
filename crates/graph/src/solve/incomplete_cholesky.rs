//! Incomplete Cholesky factorization without fill, in terms of conductances.
//!
//! **Problem.** `L + D ≈ (1 + U)ᵀ Δ (1 + U)` where `U` has entries at edges only.
//!
//! **Method.** Vertices are eliminated in their order, those with many neighbours last by
//! degree. Elimination of `k` with pivot `d(k)` joins each two later neighbours `i`, `j` by
//! a conductance `w(k,i) w(k,j) / d(k)`. Where `i j` is an edge it is added to it. Where it
//! is not, a part ω (`relaxation`) of it is dropped, which keeps sums of rows as they are
//! (modified factorization), and the rest becomes a conductance to ground at both ends
//! (which is what dropping an entry of the matrix means). A pivot is what is left at a vertex:
//! conductances to later neighbours and to ground. All these are sums of positive numbers,
//! so no pivot fails, and weights of any range keep their digits; no shift is needed. A
//! pivot of 0 is the last vertex of a floating component; its potential is held at 0.
//!
//! **Cost.** Factorization: for each edge, the later neighbours of its ends are walked, at
//! most `m · max(64, √2m)` steps, one thread. Application: two passes over edges, 12 bytes
//! each, one thread: each entry waits for the ones before it. 24 bytes per edge.
//!
//! **Determinism.** One thread, one order.
//!
//! **Reference.** Meijerink and van der Vorst, 1977; Gustafsson, *A class of first order
//! factorization methods*, 1978 (modified); Axelsson and Lindskog, 1986 (relaxed).
//!
//! **When not to use.** With many threads: applications are sequential.

use super::scratch::Scratch;
use crate::Laplacian;
use palmette_core::{Cancel, LinOp, lists};

/// Vertices with more neighbours are eliminated last.
const MANY: usize = 64;

/// Options of [`IncompleteCholesky`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IncompleteCholeskyParams {
    /// The part of dropped fill, from 0 to 1, that does not go to ground. With 1 the last
    /// pivots of floating components are rounding errors.
    pub relaxation: f64,
}

impl Default for IncompleteCholeskyParams {
    fn default() -> Self {
        IncompleteCholeskyParams { relaxation: 0.97 }
    }
}

/// Rows of a triangle: places, then `w(k, i) / d(k)` with `k` the earlier of both.
#[derive(Debug)]
struct Rows {
    offsets: Vec<usize>,
    places: Vec<u32>,
    values: Vec<f64>,
}

/// The factor.
#[derive(Debug)]
pub struct IncompleteCholesky {
    /// By place in the order of elimination, the vertex; empty when they are the same.
    order: Vec<u32>,
    earlier: Rows,
    later: Rows,
    /// By place, `1 / d`; 0 where the pivot is.
    reciprocals: Vec<f64>,
    scratch: Scratch,
}

impl IncompleteCholesky {
    /// Factors a Laplacian. Ends soon after `cancel` is raised, and then is of no use.
    pub fn new(
        laplacian: &Laplacian<'_>,
        params: &IncompleteCholeskyParams,
        cancel: Option<&Cancel>,
    ) -> Self {
        let graph = laplacian.graph();
        let n = graph.len();
        let (order, place_of) = elimination_order(laplacian);
        let vertex = |place: usize| order.get(place).map_or(place as u32, |&v| v);
        let place = |v: u32| place_of.get(v as usize).map_or(v, |&p| p);
        let mut later = Rows::with_capacity(n, graph.edge_count());
        let mut row: Vec<(u32, f64)> = Vec::new();
        for k in 0..n {
            let v = vertex(k);
            let ends = graph.neighbours(v).iter().zip(graph.weights(v));
            row.clear();
            row.extend(ends.map(|(&u, &w)| (place(u), w)).filter(|&(i, _)| i as usize > k));
            if !order.is_empty() {
                row.sort_unstable_by_key(|entry| entry.0);
            }
            later.push(&row);
        }
        let mut ground: Vec<f64> = match laplacian.ground() {
            Some(ground) => (0..n).map(|k| ground[vertex(k) as usize]).collect(),
            None => vec![0.0; n],
        };
        let reciprocals = eliminate(&mut later, &mut ground, 1.0 - params.relaxation, cancel);
        let earlier = later.transposed();
        let scratch = Scratch::new(if order.is_empty() { 0 } else { n });
        IncompleteCholesky { order, earlier, later, reciprocals, scratch }
    }

    /// The number of entries of the factor, with its diagonal.
    pub fn entries(&self) -> u64 {
        (self.later.places.len() + self.reciprocals.len()) as u64
    }

    /// Both triangles in place, by place of elimination.
    fn sweep(&self, z: &mut [f64]) {
        for i in 0..z.len() {
            z[i] += self.earlier.product(i, z);
        }
        for k in (0..z.len()).rev() {
            z[k] = z[k] * self.reciprocals[k] + self.later.product(k, z);
        }
    }
}

impl LinOp for IncompleteCholesky {
    fn size(&self) -> usize {
        self.reciprocals.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        if self.order.is_empty() {
            y.copy_from_slice(x);
            return self.sweep(y);
        }
        let mut z = self.scratch.take();
        z.iter_mut().zip(&self.order).for_each(|(z, &v)| *z = x[v as usize]);
        self.sweep(&mut z);
        z.iter().zip(&self.order).for_each(|(&z, &v)| y[v as usize] = z);
        self.scratch.give(z);
    }
}

impl Rows {
    fn with_capacity(rows: usize, entries: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        Rows { offsets, places: Vec::with_capacity(entries), values: Vec::with_capacity(entries) }
    }

    fn push(&mut self, row: &[(u32, f64)]) {
        self.places.extend(row.iter().map(|entry| entry.0));
        self.values.extend(row.iter().map(|entry| entry.1));
        self.offsets.push(self.places.len());
    }

    #[inline(always)]
    fn product(&self, row: usize, z: &[f64]) -> f64 {
        let range = self.offsets[row]..self.offsets[row + 1];
        let entries = self.places[range.clone()].iter().zip(&self.values[range]);
        entries.fold(0.0, |sum, (&i, &l)| sum + l * z[i as usize])
    }

    fn transposed(&self) -> Rows {
        let n = self.offsets.len() - 1;
        let mut offsets = lists::offsets(n, self.places.iter().copied());
        let (mut places, mut values) = (vec![0; self.places.len()], vec![0.0; self.values.len()]);
        let entries = (0..n).flat_map(|k| {
            let row = self.offsets[k]..self.offsets[k + 1];
            row.map(move |at| (self.places[at], (k as u32, self.values[at])))
        });
        lists::place(&mut offsets, entries, |at, entry| (places[at], values[at]) = entry);
        Rows { offsets, places, values }
    }
}

/// Vertices by place and places by vertex; empty when no vertex has many neighbours.
fn elimination_order(laplacian: &Laplacian<'_>) -> (Vec<u32>, Vec<u32>) {
    let graph = laplacian.graph();
    let n = graph.len() as u32;
    let many = |v: u32| graph.degree(v) > MANY;
    if !(0..n).any(many) {
        return (Vec::new(), Vec::new());
    }
    let mut order: Vec<u32> = (0..n).collect();
    order.sort_by_key(|&v| if many(v) { graph.degree(v) } else { 0 });
    let mut place_of = vec![0u32; n as usize];
    for (place, &v) in order.iter().enumerate() {
        place_of[v as usize] = place as u32;
    }
    (order, place_of)
}

/// Turns conductances into entries of the factor; returns reciprocals of pivots.
fn eliminate(
    later: &mut Rows,
    ground: &mut [f64],
    to_ground: f64,
    cancel: Option<&Cancel>,
) -> Vec<f64> {
    let Rows { offsets, places, values } = later;
    let mut reciprocals = vec![0.0; ground.len()];
    for k in 0..ground.len() {
        if cancel.is_some_and(Cancel::is_raised) {
            break;
        }
        let (first, end) = (offsets[k], offsets[k + 1]);
        // Rows from here on are of later vertices: `k`'s own is only read below.
        let (row, rest) = values.split_at_mut(end);
        let (row, neighbours) = (&mut row[first..], &places[first..end]);
        let pivot = ground[k] + row.iter().sum::<f64>();
        if pivot == 0.0 {
            continue;
        }
        reciprocals[k] = 1.0 / pivot;
        for (at, &i) in neighbours.iter().enumerate() {
            let part = row[at] / pivot;
            ground[i as usize] += part * ground[k];
            let mut other = offsets[i as usize];
            let stop = offsets[i as usize + 1];
            for (&j, &w) in neighbours[at + 1..].iter().zip(&row[at + 1..]) {
                while other < stop && places[other] < j {
                    other += 1;
                }
                let fill = part * w;
                if other < stop && places[other] == j {
                    rest[other - end] += fill;
                } else {
                    ground[i as usize] += to_ground * fill;
                    ground[j as usize] += to_ground * fill;
                }
            }
        }
        row.iter_mut().for_each(|w| *w /= pivot);
    }
    reciprocals
}
