//! How heavy parts may be.
//!
//! Without demands all parts may be as heavy as `1 + imbalance` times the mean, or the mean
//! rounded up. With target sizes the same holds of every part and its share, and with several
//! weights of each of them.

use super::PartitionParams;
use super::geometry::power;
use super::net::Net;
use super::refine::Parts;
use std::ops::Range;

#[derive(Debug, Clone)]
pub(super) struct Goals {
    /// By part: how heavy it may be.
    pub(super) limits: Vec<i64>,
    /// By part and kind of further weights: the same.
    pub(super) further: Vec<i64>,
    /// By part: its share of all weight; empty where all have the same.
    pub(super) shares: Vec<f64>,
    /// How many vertices each part has at least.
    pub(super) least: u32,
    /// Whether nothing was demanded but a number of parts.
    pub(super) plain: bool,
}

/// How heavy parts may be whose vertices weigh so much in all: with the imbalance above their share,
/// or as much as that rounded up.
pub fn limits(total: i64, params: &PartitionParams, sizes: &[f64]) -> Vec<i64> {
    let shares = shares(sizes);
    let limit = |p: usize| match shares.get(p) {
        None => limit(total, params),
        Some(&share) => limit_of_share(total, share, params.imbalance),
    };
    (0..params.parts as usize).map(limit).collect()
}

/// By part its share of the weight; empty where all have the same.
fn shares(sizes: &[f64]) -> Vec<f64> {
    let total: f64 = sizes.iter().sum();
    let even = sizes.windows(2).all(|pair| pair[0] == pair[1]);
    if even { Vec::new() } else { sizes.iter().map(|size| size / total).collect() }
}

/// How heavy each of so many equal parts may be.
pub(super) fn limit(total: i64, params: &PartitionParams) -> i64 {
    let parts = i64::from(params.parts);
    let mean = total as f64 / f64::from(params.parts);
    ((mean * (1.0 + params.imbalance)) as i64).max((total + parts - 1) / parts)
}

/// How heavy a part with a share of the weight may be.
fn limit_of_share(total: i64, share: f64, imbalance: f64) -> i64 {
    let exact = total as f64 * share;
    // A share of 1/3 in binary is not quite that: 1/3 of 300 rounds up to 100, not to 101.
    let up = (exact - exact.abs() * 1e-12).ceil();
    ((exact * (1.0 + imbalance)) as i64).max(up as i64)
}

impl Goals {
    /// Of a net, with shares of its parts if they differ.
    pub(super) fn new(net: &Net, params: &PartitionParams, sizes: &[f64]) -> Goals {
        let shares = shares(sizes);
        let of_kinds: Vec<Vec<i64>> =
            net.further_totals().iter().map(|&total| limits(total, params, sizes)).collect();
        let of_part = |p: usize| of_kinds.iter().map(move |limits| limits[p]);
        let plain = shares.is_empty() && net.more.is_empty() && net.fixed.is_empty();
        Goals {
            limits: limits(net.weight(), params, sizes),
            further: (0..params.parts as usize).flat_map(of_part).collect(),
            shares,
            least: 1,
            plain,
        }
    }

    /// Equal parts of a net whose vertices have one weight.
    pub(super) fn even(net: &Net, params: &PartitionParams) -> Goals {
        Goals::new(net, params, &[])
    }

    /// The parts that vertices have.
    pub(super) fn parts(&self, net: &Net, part: Vec<u32>) -> Parts {
        self.within(net, part, self.limits.clone(), &self.further)
    }

    fn within(&self, net: &Net, part: Vec<u32>, limits: Vec<i64>, further: &[i64]) -> Parts {
        let mut parts = Parts::new(&net.weights, part, limits).with_further(net, further);
        parts.least.fill(self.least);
        parts
    }

    /// The same on a smaller net, whose vertices do not fit together as those of the whole will.
    pub(super) fn coarse_parts(&self, net: &Net, part: Vec<u32>) -> Parts {
        let spread = spread(net.weights.iter().copied());
        let limits = self.limits.iter().map(|&limit| limit + (spread / 2).min(limit / 12));
        let mut further = self.further.clone();
        let kinds = net.kinds();
        for kind in 0..kinds {
            let spread = spread_of_kind(net, kind);
            let limits = further.iter_mut().skip(kind).step_by(kinds);
            limits.for_each(|limit| *limit += (spread / 2).min(*limit / 12));
        }
        self.within(net, part, limits.collect(), &further)
    }

    /// How heavy a vertex of smaller nets may be: less than usual where a part is light.
    pub(super) fn heaviest(&self, usual: i64) -> i64 {
        match self.shares.is_empty() {
            true => usual,
            false => {
                let lightest = self.limits.iter().min().map_or(usual, |limit| limit / 8);
                usual.min(lightest.max(usual / 16).max(1))
            }
        }
    }

    /// What parts are too heavy by, and nothing where nothing was demanded.
    pub(super) fn excess(&self, net: &Net, part: &[u32]) -> i64 {
        if self.plain { 0 } else { self.excess_of(net, part) }
    }

    /// What parts are too heavy by.
    pub(super) fn excess_of(&self, net: &Net, part: &[u32]) -> i64 {
        let parts = self.parts(net, part.to_vec());
        (0..self.limits.len() as u32).map(|p| parts.excess(p)).sum()
    }

    /// The share of some parts in the weight of them and others.
    pub(super) fn share(&self, of: Range<u32>, among: Range<u32>) -> f64 {
        match self.shares.is_empty() {
            true => f64::from(of.end - of.start) / f64::from(among.end - among.start),
            false => self.sum(of) / self.sum(among),
        }
    }

    fn sum(&self, parts: Range<u32>) -> f64 {
        self.shares[parts.start as usize..parts.end as usize].iter().sum()
    }

    /// How heavy the two halves of a range of parts may be, so that every further cut can add to
    /// the imbalance: by the first weight, or by a kind of further ones. Not for equal parts of one
    /// weight.
    pub(super) fn halves(
        &self,
        net: &Net,
        [first, middle, last]: [u32; 3],
        kind: Option<usize>,
    ) -> [i64; 2] {
        let kinds = net.kinds();
        let limit = |p: u32| match kind {
            None => self.limits[p as usize],
            Some(kind) => self.further[p as usize * kinds + kind],
        };
        let (total, spread) = match kind {
            None => (net.weight(), spread(net.weights.iter().copied())),
            Some(kind) => (net.further_totals()[kind], spread_of_kind(net, kind)),
        };
        let room = (first..last).map(limit).sum::<i64>() as f64 / (total as f64).max(1.0);
        let levels = 32 - (last - first - 1).leading_zeros();
        let share = power(room.max(1.0), 1.0 / f64::from(levels));
        let slack = spread.min((total as f64 / f64::from(last - first) / 8.0) as i64);
        [first..middle, middle..last].map(|half| {
            let most: i64 = half.clone().map(limit).sum();
            let exact = total as f64 * self.share(half, first..last);
            ((exact * share) as i64).max(exact.ceil() as i64).min(most) + slack
        })
    }
}

/// How much heavier the heaviest vertex is than the lightest.
fn spread(weights: impl Iterator<Item = i64> + Clone) -> i64 {
    weights.clone().max().unwrap_or(0) - weights.min().unwrap_or(0)
}

fn spread_of_kind(net: &Net, kind: usize) -> i64 {
    spread(net.more.iter().skip(kind).step_by(net.kinds().max(1)).copied())
}
