//! Generalised UniFrac.
//!
//! **Problem.** For all pairs of samples ΣL s^(α−1) |p − q| / ΣL s^α, with s = p + q and α from 0 up
//! to, but without, 1.
//!
//! **Method.** Where one sample is alone, both terms are L p^α. With A = ΣL p^α of a sample over all
//! of its branches, both sums are A + A' and what pairs that are present together add to it: their terms
//! less L(p^α + q^α). Only those cost anything. A of a sample is half of what it takes off with itself, added in the
//! same order, so that nothing is left of equal samples. The power of s comes from those of p and q, which are known: with r
//! the smaller share over s, s^α = max(p, q)^α (1 − r)^−α, a polynomial on [0, 1/2] (`power.rs`);
//! for α = 1/2 from a square root. Terms of a stretch of samples are computed side by side, then
//! added to their pairs.
//!
//! **Cost.** Σk²/2 square roots and divisions, or polynomials of degree 22. 16 bytes per pair for sums.
//!
//! **Determinism.** A thread has all sums of a sample, and adds by branch.

use super::Condensed;
use super::branches::{Block, Branches, Place};
use super::condensed::Triangle;
use super::power::Power;
use palmette_core::vector::{Wide, widest};
use rayon::prelude::*;

/// Pairs whose terms are computed together.
const STRETCH: usize = 64;

/// Of a pair: ΣL s^(α−1)|p − q| and ΣL s^α, each less ΣL(p^α + q^α).
type Sums = [f64; 2];

pub(super) fn distances(branches: Branches<'_>, alpha: f64) -> Condensed {
    let n = branches.samples();
    let mut sums = Triangle::<Sums>::new(n);
    let power = Power::new(alpha);
    branches.each_block(|block| add(&mut sums, block, n, alpha, &power));
    // With itself a sample is not apart, and takes off twice A.
    let alone = |i: usize| -sums.get(i, i)[0] / 2.0;
    Condensed::by(n, |i, j| {
        let all = alone(i) + alone(j);
        let [apart, both] = sums.get(i, j).map(|sum| (all + sum).max(0.0));
        if both == 0.0 { 0.0 } else { (apart / both).min(1.0) }
    })
}

fn add(sums: &mut Triangle<Sums>, block: &Block, n: usize, alpha: f64, power: &Power) {
    let weights = weights(block, alpha);
    let places = block.by_sample(n);
    // Of one half, roots take the place of powers.
    let power = Some(power).filter(|_| alpha != 0.5);
    sums.rows().into_par_iter().enumerate().for_each(|(i, sums)| {
        let places = places.of(i);
        widest(Adding { block, weights: &weights, places, sums, first: i as u32, power });
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

/// The branches of a sample, which are added to its sums.
struct Adding<'a> {
    block: &'a Block,
    weights: &'a [f64],
    places: &'a [Place],
    sums: &'a mut [Sums],
    first: u32,
    power: Option<&'a Power>,
}

impl Wide for Adding<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Adding { block, weights, places, sums, first, power } = self;
        for place in places {
            let of = place.entry as usize..place.end as usize;
            let row = Row {
                length: block.lengths[place.branch as usize],
                samples: &block.samples[of.clone()],
                shares: &block.shares[of.clone()],
                weights: &weights[of],
            };
            match power {
                None => row.add(sums, first, One::by_root),
                Some(power) => row.add(sums, first, |of, other| of.by_power(other, power)),
            }
        }
    }
}

impl Row<'_> {
    /// Adds the terms of the first sample with itself and all others.
    #[inline(always)]
    fn add(&self, sums: &mut [Sums], i: u32, terms: impl Fn(One, One) -> (f64, f64)) {
        let length = self.length;
        let own = One { length, share: self.shares[0], weight: self.weights[0] };
        let mut found = [Sums::default(); STRETCH];
        let stretches = self.samples.chunks(STRETCH);
        let numbers = self.shares.chunks(STRETCH).zip(self.weights.chunks(STRETCH));
        for (samples, (shares, weights)) in stretches.zip(numbers) {
            for (found, (&share, &weight)) in found.iter_mut().zip(shares.iter().zip(weights)) {
                let (apart, both) = terms(own, One { length, share, weight });
                let alone = own.weight + weight;
                *found = [apart - alone, both - alone];
            }
            for (&j, found) in samples.iter().zip(&found) {
                let sums = &mut sums[(j - i) as usize];
                *sums = [sums[0] + found[0], sums[1] + found[1]];
            }
        }
    }
}
