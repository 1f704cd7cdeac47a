//! Weighted UniFrac, normalised or not.
//!
//! **Problem.** For all pairs of samples ΣL|p − q|, perhaps over ΣL(p + q).
//!
//! **Method.** |p − q| = p + q − 2 min(p, q), and a minimum is 0 unless both are present: with
//! W = ΣLp the distance is W + W' − 2ΣL min(p, q), and only pairs of samples that are present
//! together cost anything. Each sample walks over its branches of a block and adds minima for the
//! samples behind it; with itself that is W, added in the same order, so that equal samples are 0
//! apart. A branch that most samples have is a dense row, whose minima need no list of samples.
//!
//! **Cost.** Σk²/2 additions, k being the number of samples below a branch; at most twice that for
//! dense rows. 8 bytes per pair for sums.
//!
//! **Determinism.** A thread has all sums of a sample, and adds by branch.

use super::Condensed;
use super::branches::{Block, Branches};
use super::condensed::Triangle;
use rayon::prelude::*;

/// Rows with one of so many samples or more are dense.
const DENSE: usize = 3;

pub(super) fn distances(branches: Branches<'_>, normalised: bool) -> Condensed {
    let n = branches.samples();
    let mut sums = Triangle::<f64>::new(n);
    branches.each_block(|block| add(&mut sums, block, n));
    Condensed::by(n, |i, j| {
        let (both, common) = (sums.get(i, i) + sums.get(j, j), sums.get(i, j));
        let apart = (both - 2.0 * common).max(0.0);
        match normalised {
            false => apart,
            true if both == 0.0 => 0.0,
            true => apart / both,
        }
    })
}

/// Adds ΣL min(p, q) over the branches of a block.
fn add(sums: &mut Triangle<f64>, block: &Block, n: usize) {
    let weights = weights(block);
    let (rows, dense) = dense_rows(block, &weights, n);
    let places = block.by_sample(n);
    sums.rows().into_par_iter().enumerate().for_each(|(i, sums)| {
        for place in places.of(i) {
            let own = weights[place.entry as usize];
            match rows[place.branch as usize] {
                Some(row) => add_dense(sums, own, &dense[row * n + i..(row + 1) * n]),
                None => {
                    let of = place.entry as usize..place.end as usize;
                    add_sparse(sums, i as u32, own, &block.samples[of.clone()], &weights[of]);
                }
            }
        }
    });
}

#[inline(never)]
fn add_dense(sums: &mut [f64], own: f64, others: &[f64]) {
    for (sum, &other) in sums.iter_mut().zip(others) {
        *sum += if own < other { own } else { other };
    }
}

#[inline(never)]
fn add_sparse(sums: &mut [f64], i: u32, own: f64, samples: &[u32], others: &[f64]) {
    for (&j, &other) in samples.iter().zip(others) {
        sums[(j - i) as usize] += if own < other { own } else { other };
    }
}

/// L·p by entry.
fn weights(block: &Block) -> Vec<f64> {
    let mut weights = Vec::with_capacity(block.shares.len());
    for (ends, &length) in block.starts.windows(2).zip(&block.lengths) {
        weights.extend(block.shares[ends[0]..ends[1]].iter().map(|&share| length * share));
    }
    weights
}

/// By branch its dense row, if it has one; and those rows.
fn dense_rows(block: &Block, weights: &[f64], n: usize) -> (Vec<Option<usize>>, Vec<f64>) {
    let (mut rows, mut dense) = (Vec::with_capacity(block.len()), Vec::new());
    for ends in block.starts.windows(2) {
        if DENSE * (ends[1] - ends[0]) < n {
            rows.push(None);
            continue;
        }
        rows.push(Some(dense.len() / n));
        let start = dense.len();
        dense.resize(start + n, 0.0);
        for entry in ends[0]..ends[1] {
            dense[start + block.samples[entry] as usize] = weights[entry];
        }
    }
    (rows, dense)
}
