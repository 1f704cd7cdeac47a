//! Distances between all pairs, each once.

use super::Samples;

/// The distances between all pairs of `len` samples, row after row of the upper triangle: 8 bytes per
/// pair. The order is that of scipy's condensed matrices.
#[derive(Debug, Clone, PartialEq)]
pub struct Condensed {
    len: usize,
    values: Vec<f64>,
}

impl Condensed {
    /// From the distance of each pair, the first sample with all others, then the second.
    ///
    /// # Panics
    /// When there is not one number for each pair.
    pub fn new(len: usize, values: Vec<f64>) -> Condensed {
        assert_eq!(values.len(), pairs(len), "a distance for each pair");
        Condensed { len, values }
    }

    /// By a function of both samples, the first before the second.
    pub(super) fn by(len: usize, distance: impl Fn(usize, usize) -> f64) -> Condensed {
        let mut values = Vec::with_capacity(pairs(len));
        for i in 0..len {
            values.extend((i + 1..len).map(|j| distance(i, j)));
        }
        Condensed { len, values }
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The distance of two samples.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (low, high) = (i.min(j), i.max(j));
        if low == high { 0.0 } else { self.values[self.start(low) + high - low - 1] }
    }

    /// Changes the distance of two samples.
    pub(super) fn set(&mut self, i: usize, j: usize, distance: f64) {
        let (low, high) = (i.min(j), i.max(j));
        let at = self.start(low) + high - low - 1;
        self.values[at] = distance;
    }

    /// All distances, as [`Condensed::new`] takes them.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same, taken out.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// Where the row of a sample begins.
    fn start(&self, i: usize) -> usize {
        i * (2 * self.len - i - 1) / 2
    }

    /// With 1 between samples of which one is empty, and 0 between two empty ones.
    pub(super) fn with_empty(mut self, samples: &Samples) -> Condensed {
        let empty = samples.empty();
        for i in (0..self.len).filter(|&i| empty[i]) {
            for j in (0..self.len).filter(|&j| j != i) {
                let at = self.start(i.min(j)) + i.max(j) - i.min(j) - 1;
                self.values[at] = if empty[j] { 0.0 } else { 1.0 };
            }
        }
        self
    }
}

fn pairs(len: usize) -> usize {
    len * len.saturating_sub(1) / 2
}

/// Sums for all pairs of samples `i ≤ j`, a row for each `i`.
pub(super) struct Triangle<T> {
    len: usize,
    sums: Vec<T>,
}

impl<T: Copy + Default> Triangle<T> {
    pub(super) fn new(len: usize) -> Triangle<T> {
        Triangle { len, sums: vec![T::default(); len * (len + 1) / 2] }
    }

    fn start(&self, i: usize) -> usize {
        i * (2 * self.len - i + 1) / 2
    }

    /// The sums of a pair with `i ≤ j`.
    pub(super) fn get(&self, i: usize, j: usize) -> T {
        self.sums[self.start(i) + j - i]
    }

    /// The sums of each sample with itself and those behind it.
    pub(super) fn rows(&mut self) -> Vec<&mut [T]> {
        let mut rest = self.sums.as_mut_slice();
        let mut rows = Vec::with_capacity(self.len);
        for i in 0..self.len {
            let (row, after) = rest.split_at_mut(self.len - i);
            rows.push(row);
            rest = after;
        }
        rows
    }
}
