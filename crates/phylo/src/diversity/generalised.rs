//! Generalised UniFrac.
//!
//! **Problem.** For all pairs of samples ΣL s^(α−1) |p − q| / ΣL s^α, with s = p + q and α from 0 up
//! to, but without, 1.
//!
//! **Method.** Where one sample is alone, both terms are L p^α. With A = ΣL p^α of a sample over all
//! of its branches and C = ΣL(p^α + q^α) over those of both, all branches of one alone add A + A' − C
//! to either sum, and only pairs that are present together cost anything. A and C of equal samples are
//! added alike, so that nothing is left. The power of s comes from those of p and q, which are known: with r
//! the smaller share over s, s^α = max(p, q)^α (1 − r)^−α, a polynomial on [0, 1/2] (`power.rs`);
//! for α = 1/2 from a square root. Terms of a stretch of samples are computed side by side, then
//! added to their pairs.
//!
//! **Cost.** Σk²/2 polynomials of degree 22. 24 bytes per pair for sums.
//!
//! **Determinism.** A thread has all sums of a sample, and adds by branch.

use super::Condensed;
use super::branches::{Block, Branches};
use super::condensed::Triangle;
use super::power::Power;
use rayon::prelude::*;

/// Pairs whose terms are computed together.
const STRETCH: usize = 64;

/// Of a pair: ΣL s^(α−1)|p − q|, ΣL s^α and C.
type Sums = [f64; 3];

pub(super) fn distances(branches: Branches<'_>, alpha: f64) -> Condensed {
    let n = branches.samples();
    let mut sums = Triangle::<Sums>::new(n);
    let power = Power::new(alpha);
    branches.each_block(|block| add(&mut sums, block, n, alpha, &power));
    // With itself C is twice A.
    let alone = |i: usize| sums.get(i, i)[2] / 2.0;
    Condensed::by(n, |i, j| {
        let [apart, both, common] = sums.get(i, j);
        let rest = (alone(i) + alone(j) - common).max(0.0);
        if both + rest == 0.0 { 0.0 } else { ((apart + rest) / (both + rest)).min(1.0) }
    })
}

fn add(sums: &mut Triangle<Sums>, block: &Block, n: usize, alpha: f64, power: &Power) {
    let weights = weights(block, alpha);
    let places = block.by_sample(n);
    sums.rows().into_par_iter().enumerate().for_each(|(i, sums)| {
        for place in places.of(i) {
            let of = place.entry as usize..place.end as usize;
            let row = Row {
                length: block.lengths[place.branch as usize],
                samples: &block.samples[of.clone()],
                shares: &block.shares[of.clone()],
                weights: &weights[of],
            };
            match alpha == 0.5 {
                true => row.add(sums, i as u32, |of, other| of.by_root(other)),
                false => row.add(sums, i as u32, |of, other| of.by_power(other, power)),
            }
        }
    });
}

/// L p^α by entry.
fn weights(block: &Block, alpha: f64) -> Vec<f64> {
    let mut weights = Vec::with_capacity(block.shares.len());
    for (ends, &length) in block.starts.windows(2).zip(&block.lengths) {
        let shares = block.shares[ends[0]..ends[1]].iter();
        weights.extend(shares.map(|&share| length * share.powf(alpha)));
    }
    weights
}

/// The samples of a branch from one on.
struct Row<'a> {
    length: f64,
    samples: &'a [u32],
    shares: &'a [f64],
    weights: &'a [f64],
}

/// A sample on a branch: the branch's length, its share and L p^α.
#[derive(Clone, Copy)]
struct One {
    length: f64,
    share: f64,
    weight: f64,
}

impl One {
    /// L s^(α−1)|p − q| and L s^α for α = 1/2.
    #[inline(always)]
    fn by_root(self, other: One) -> (f64, f64) {
        let root = (self.share + other.share).sqrt();
        (self.length * (self.share - other.share).abs() / root, self.length * root)
    }

    /// The same for any α.
    #[inline(always)]
    fn by_power(self, other: One, power: &Power) -> (f64, f64) {
        let inverse = 1.0 / (self.share + other.share);
        let first = self.share < other.share;
        let less = if first { self.share } else { other.share };
        let weight = if self.weight < other.weight { other.weight } else { self.weight };
        let both = weight * power.at(less * inverse);
        (both * inverse * (self.share - other.share).abs(), both)
    }
}

impl Row<'_> {
    /// Adds the terms of the first sample with itself and all others.
    #[inline(always)]
    fn add(&self, sums: &mut [Sums], i: u32, terms: impl Fn(One, One) -> (f64, f64)) {
        let length = self.length;
        let own = One { length, share: self.shares[0], weight: self.weights[0] };
        let (mut apart, mut both) = ([0.0; STRETCH], [0.0; STRETCH]);
        let stretches = self.samples.chunks(STRETCH);
        let numbers = self.shares.chunks(STRETCH).zip(self.weights.chunks(STRETCH));
        for (samples, (shares, weights)) in stretches.zip(numbers) {
            let found = apart.iter_mut().zip(&mut both);
            for ((apart, both), (&share, &weight)) in found.zip(shares.iter().zip(weights)) {
                (*apart, *both) = terms(own, One { length, share, weight });
            }
            for (k, (&j, &weight)) in samples.iter().zip(weights).enumerate() {
                let sums = &mut sums[(j - i) as usize];
                sums[0] += apart[k];
                sums[1] += both[k];
                sums[2] += own.weight + weight;
            }
        }
    }
}
