//! Samples: how often each has which tips.

use super::DiversityError;
use palmette_core::Tree;
use palmette_core::memory::prefetch;
use palmette_core::tree::VertexOrder;

/// Tips that are looked up ahead of use.
const AHEAD: usize = 32;

/// Counts of tips by sample, sparse: 12 bytes per count and 8 per sample. A count of 0 is none; a
/// tip that a sample has twice has the sum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Samples {
    /// Where the tips of a sample begin; one more than there are samples.
    starts: Vec<usize>,
    tips: Vec<u32>,
    counts: Vec<f64>,
}

impl Samples {
    /// Sample `i` has the tips (by vertex) and counts from `starts[i]` up to `starts[i + 1]`.
    ///
    /// # Errors
    /// Counts that are negative or not finite, or add up to what is not finite; starts that do not
    /// ascend from 0 to the number of counts.
    pub fn new(
        starts: Vec<usize>,
        tips: Vec<u32>,
        counts: Vec<f64>,
    ) -> Result<Samples, DiversityError> {
        let ascend = starts.first() == Some(&0) && starts.is_sorted();
        let end = starts.last().copied().unwrap_or(0);
        if !ascend || end != tips.len() || tips.len() != counts.len() {
            return Err(DiversityError::Shape { tips: tips.len(), counts: counts.len(), end });
        }
        let samples = Samples { starts, tips, counts };
        for sample in 0..samples.len() {
            let (tips, counts) = samples.sample(sample);
            let mut total = 0.0;
            for (&vertex, &count) in tips.iter().zip(counts) {
                if !(count.is_finite() && count >= 0.0) {
                    return Err(DiversityError::Count { sample, vertex, count });
                }
                total += count;
            }
            if total == f64::INFINITY {
                return Err(DiversityError::Total { sample });
            }
        }
        Ok(samples)
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tips of a sample, by vertex, and their counts.
    pub fn sample(&self, sample: usize) -> (&[u32], &[f64]) {
        let range = self.starts[sample]..self.starts[sample + 1];
        (&self.tips[range.clone()], &self.counts[range])
    }

    /// What the counts of a sample add up to.
    pub fn total(&self, sample: usize) -> f64 {
        self.sample(sample).1.iter().sum()
    }

    /// By sample, whether it has no counts.
    pub fn empty(&self) -> Vec<bool> {
        (0..self.len()).map(|i| self.sample(i).1.iter().all(|&count| count == 0.0)).collect()
    }

    /// The positions of the tips that a sample has, in order of the samples, with their counts.
    pub(super) fn present<'a>(
        &'a self,
        leaves: &'a Leaves<'_>,
        sample: usize,
    ) -> impl Iterator<Item = Result<(u32, f64), DiversityError>> + 'a {
        let (tips, counts) = self.sample(sample);
        let found = tips.iter().zip(counts).enumerate().filter(|(_, (_, count))| **count > 0.0);
        found.map(move |(k, (&vertex, &count))| {
            // Tips come in any order: what a later one needs is asked for now.
            if let (Some(positions), Some(&later)) = (leaves.positions, tips.get(k + AHEAD)) {
                prefetch(positions, later as usize);
            }
            match leaves.position(vertex) {
                Some(position) => Ok((position, count)),
                None => Err(DiversityError::NoTip { sample, vertex }),
            }
        })
    }
}

/// Which positions are leaves, a bit each, and where vertices are.
pub(super) struct Leaves<'a> {
    bits: Vec<u64>,
    len: usize,
    /// Nothing where vertices are positions.
    positions: Option<&'a [u32]>,
}

impl<'a> Leaves<'a> {
    pub(super) fn of(tree: &'a Tree) -> Leaves<'a> {
        let word = |sizes: &[u32]| {
            let leaves = sizes.iter().enumerate();
            leaves.fold(0, |word, (k, &size)| word | u64::from(size == 1) << k)
        };
        let in_order = matches!(tree.vertex_order(), VertexOrder::Preorder);
        Leaves {
            bits: tree.sizes().chunks(64).map(word).collect(),
            len: tree.len(),
            positions: (!in_order).then(|| tree.positions()),
        }
    }

    /// The position of a vertex that is a leaf.
    #[inline(always)]
    fn position(&self, vertex: u32) -> Option<u32> {
        let position = match self.positions {
            None => vertex,
            Some(positions) => *positions.get(vertex as usize)?,
        };
        let word = self.bits.get(position as usize / 64)?;
        ((position as usize) < self.len && word >> (position % 64) & 1 == 1).then_some(position)
    }
}
