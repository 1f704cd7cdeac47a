//! What a skeleton replaces worst: vectors that show it, and the edges that mend it.
//!
//! **Problem.** A graph `G` and a skeleton `H` of it; out come vectors near the eigenvectors of `H⁻¹ G`
//! with the largest eigenvalues. An edge of weight `w` between `a` and `b` that `H` has not is worth
//! `Σ w (x(a) − x(b))²` over these vectors: what it would add to the form of `H` there. Of many such
//! edges a few are picked that are worth much and lie apart.
//!
//! **Method.** Steps `x ← H⁻¹ G x` on random vectors, all of them side by side, so that the graph and
//! the factor are read once per step. After the steps each vector is scaled to 1 in the form of `G`.
//! Edges are picked by falling worth; each marks vertices of `H` around its ends.
//!
//! **Cost.** A step reads the graph and the factor, and 32 bytes per vertex three times. Only the
//! edges that are likely to be picked are sorted.
//!
//! **Determinism.** The seed fixes the vectors; rows are added up in the order of neighbours, and
//! ties go to the edge that comes first.

use super::rank::{Ranked, sort_descending, split_top};
use crate::Laplacian;
use crate::solve::Reduced;
use palmette_core::Lists;
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;

/// Vectors side by side.
const LANES: usize = 4;

/// Vertices that an end of a picked edge marks, itself among them.
const NEAR: usize = 20;

/// Edges looked at for one that is picked.
const LOOKED_AT: usize = 16;

/// The vectors.
#[derive(Debug)]
pub(crate) struct Probe {
    /// By vertex.
    x: Vec<[f64; LANES]>,
    y: Vec<[f64; LANES]>,
}

impl Probe {
    /// Random vectors.
    pub(crate) fn new(n: usize, seed: u64) -> Probe {
        let mut random = Random::new(seed, Purpose::Vectors);
        let x = (0..n).map(|_| std::array::from_fn(|_| random.unit() - 0.5)).collect();
        Probe { x, y: vec![[0.0; LANES]; n] }
    }

    /// Steps towards the largest eigenvalues.
    pub(crate) fn steps(&mut self, laplacian: &Laplacian<'_>, factor: &Reduced, steps: usize) {
        self.steps_by(|x, y| laplacian.apply_lanes(x, y), factor, steps);
    }

    /// The same with the graph as a function that writes `G x`.
    pub(crate) fn steps_by(
        &mut self,
        graph: impl Fn(&[[f64; LANES]], &mut [[f64; LANES]]),
        factor: &Reduced,
        steps: usize,
    ) {
        for _ in 0..steps {
            graph(&self.x, &mut self.y);
            std::mem::swap(&mut self.x, &mut self.y);
            factor.solve(&mut self.x);
        }
        // Each vector counts the same: by its square in the form of the graph.
        graph(&self.x, &mut self.y);
        let mut squares = [0.0; LANES];
        for (x, y) in self.x.iter().zip(&self.y) {
            for lane in 0..LANES {
                squares[lane] += x[lane] * y[lane];
            }
        }
        let scales =
            squares.map(|square: f64| if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 });
        for x in &mut self.x {
            x.iter_mut().zip(scales).for_each(|(x, scale)| *x *= scale);
        }
    }

    /// What an edge of weight 1 adds to the form on the vectors.
    #[inline]
    fn square(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (self.x[a as usize], self.x[b as usize]);
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }
}

/// Picks at most `quota` of the edges that `free` numbers, in the order in which they are picked.
/// `kept` are the edges of the skeleton.
pub(crate) fn pick(
    kept: &[(u32, u32, f64)],
    free: &[u32],
    edge: impl Fn(u32) -> (u32, u32, f64) + Sync,
    probe: &Probe,
    quota: usize,
) -> Vec<u32> {
    let rank = |&number: &u32| {
        let (a, b, weight) = edge(number);
        Ranked { key: (weight * probe.square(a, b)).to_bits(), number }
    };
    let mut ranked: Vec<Ranked> = free.par_iter().with_min_len(1 << 10).map(rank).collect();
    let mut top = split_top(&mut ranked, LOOKED_AT * quota);
    sort_descending(&mut top);
    let n = probe.x.len();
    let links = Lists::by_key(n, kept.iter().flat_map(|&(a, b, _)| [(a, b), (b, a)]));
    let mut marks = vec![0u32; n];
    let mut near = Vec::with_capacity(NEAR);
    let mut picked = Vec::with_capacity(quota);
    let mut limit = 0;
    while picked.len() < quota && !top.is_empty() {
        limit += 1;
        top.retain(|item| {
            let (a, b, _) = edge(item.number);
            let is_marked = marks[a as usize] >= limit || marks[b as usize] >= limit;
            if is_marked || picked.len() >= quota {
                return true;
            }
            picked.push(item.number);
            for v in [a, b] {
                nearest(&links, v, &mut near);
                near.iter().for_each(|&u| marks[u as usize] += 1);
            }
            false
        });
    }
    picked
}

/// The [`NEAR`] vertices that a breadth-first search finds first.
fn nearest(links: &Lists, v: u32, found: &mut Vec<u32>) {
    found.clear();
    found.push(v);
    let mut next = 0;
    while next < found.len() {
        for u in links.of(found[next]) {
            if found.len() >= NEAR {
                return;
            }
            if !found.contains(u) {
                found.push(*u);
            }
        }
        next += 1;
    }
}
