//! The distance of Kantorovich and Rubinstein.
//!
//! **Problem.** For all pairs of samples (ΣL|p − q|^k)^(1/k), with k > 1.
//!
//! **Method.** Nothing is subtracted from sums: a root would blow up what is left of rounding. A
//! sample adds L p^k for every sample that is not on its branch, stretch by stretch between those
//! that are, and L|p − q|^k for those behind it that are.
//!
//! **Cost.** An addition per sample, branch of its own and other sample; Σk²/2 powers. 16 bytes per
//! ordered pair for sums.
//!
//! **Determinism.** A thread has all sums of a sample, and adds by branch.

use super::Condensed;
use super::branches::{Block, Branches};
use rayon::prelude::*;

pub(super) fn distances(branches: Branches<'_>, order: f64) -> Condensed {
    let n = branches.samples();
    // Row i: what i has on branches without j; behind the diagonal also what both have.
    let mut sums = vec![0.0; n * n];
    branches.each_block(|block| add(&mut sums, block, n, order));
    Condensed::by(n, |i, j| root(sums[i * n + j] + sums[j * n + i], order))
}

fn add(sums: &mut [f64], block: &Block, n: usize, order: f64) {
    let places = block.by_sample(n);
    sums.par_chunks_mut(n).enumerate().for_each(|(i, sums)| {
        for place in places.of(i) {
            let branch = place.branch as usize;
            let (length, own) = (block.lengths[branch], block.shares[place.entry as usize]);
            let alone = length * raised(own, order);
            let row = block.starts[branch]..block.starts[branch + 1];
            let mut free = 0;
            for (&j, &other) in block.samples[row.clone()].iter().zip(&block.shares[row]) {
                let j = j as usize;
                sums[free..j].iter_mut().for_each(|sum| *sum += alone);
                if j > i {
                    sums[j] += length * raised((own - other).abs(), order);
                }
                free = j + 1;
            }
            sums[free..].iter_mut().for_each(|sum| *sum += alone);
        }
    });
}

#[inline]
fn raised(x: f64, order: f64) -> f64 {
    if order == 2.0 { x * x } else { x.powf(order) }
}

fn root(x: f64, order: f64) -> f64 {
    if order == 2.0 { x.sqrt() } else { x.powf(order.recip()) }
}
