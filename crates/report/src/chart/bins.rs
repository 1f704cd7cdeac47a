//! Counts in a row, joined in bins of equal width where they are many.
//!
//! The width is 1, 2 or 5 times a power of ten, so that it can be named. A bin has its mean,
//! in the unit of what was counted, and its largest count, so that no peak is lost.

use crate::scale::step;

/// The bins of a row of counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bins {
    /// Counts a bin; the last may have fewer.
    pub(crate) width: usize,
    pub(crate) mean: Vec<f64>,
    pub(crate) largest: Vec<f64>,
}

impl Bins {
    /// At most so many bins.
    pub(crate) fn new(counts: &[u64], most: usize) -> Self {
        let width = (step(counts.len() as f64 / most as f64).ceil() as usize).max(1);
        let bins = || counts.chunks(width);
        let mean = |bin: &[u64]| bin.iter().map(|&c| c as f64).sum::<f64>() / bin.len() as f64;
        Bins {
            width,
            mean: bins().map(mean).collect(),
            largest: bins().map(|b| b.iter().copied().max().unwrap_or(0) as f64).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_cover_all_counts() {
        for count in [0usize, 1, 500, 501, 12_345, 1_000_000] {
            for most in [60, 500] {
                let bins = Bins::new(&vec![3; count], most);
                assert!(bins.mean.len() <= most, "{count}");
                assert_eq!(bins.mean.len(), count.div_ceil(bins.width));
                assert!(bins.mean.iter().chain(&bins.largest).all(|&m| m == 3.0));
            }
        }
        let bins = Bins::new(&[1, 3, u64::MAX, u64::MAX, 9], 3);
        assert_eq!((bins.width, bins.mean[0], bins.largest[0]), (2, 2.0, 3.0));
        assert_eq!((bins.mean[1], bins.mean[2]), (u64::MAX as f64, 9.0));
    }
}
