//! Faith's phylogenetic diversity.
//!
//! **Problem.** For each sample, the length of all branches that have one of its tips below them.
//!
//! **Method.** Samples go in strips of 64, one bit each. Positions are visited backwards, children before
//! parents: a vertex has the bits of all tips below it, adds its length for each, and hands them to its
//! parent.
//!
//! **Cost.** Per strip a step per vertex, and an addition per sample and branch that it has. 8 bytes per vertex
//! for lengths, and 8 per vertex and thread.
//!
//! **Determinism.** One thread per strip; a sample's lengths are added in the order of positions.

use super::{DiversityError, DiversityParams, Samples, lengths_by_position};
use palmette_core::Tree;
use rayon::prelude::*;

/// Samples of a strip: the bits of a word.
const STRIP: usize = 64;

/// The length of all branches above the tips of each sample; 0 for an empty one. Lengths are by
/// vertex.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::diversity::{DiversityParams, Samples, faith_pd};
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0])?;
/// let samples = Samples::new(vec![0, 2, 3], vec![2, 3, 4], vec![1.0, 8.0, 1.0])?;
/// let lengths = [0.5, 1.0, 2.0, 4.0, 8.0];
/// assert_eq!(faith_pd(&tree, &lengths, &samples, DiversityParams::default())?, [7.0, 8.0]);
/// assert_eq!(faith_pd(&tree, &lengths, &samples, DiversityParams { root_length: true })?, [7.5, 8.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`distances`](super::distances()).
pub fn faith_pd(
    tree: &Tree,
    lengths: &[f64],
    samples: &Samples,
    params: DiversityParams,
) -> Result<Vec<f64>, DiversityError> {
    let lengths = lengths_by_position(tree, lengths, params)?;
    let strips = (0..samples.len()).step_by(STRIP).collect::<Vec<_>>();
    let sums = strips.into_par_iter().map(|first| {
        let strip = first..(first + STRIP).min(samples.len());
        let mut bits = vec![0u64; tree.len()];
        for sample in strip.clone() {
            for found in samples.present(tree, sample) {
                bits[found?.0 as usize] |= 1 << (sample - first);
            }
        }
        let mut sums = covered(tree.parents(), &lengths, bits);
        sums.truncate(strip.len());
        Ok(sums)
    });
    let sums: Vec<Vec<f64>> = sums.collect::<Result<_, _>>()?;
    Ok(sums.concat())
}

/// The length of the branches below which a bit is set, by bit; bits are those of tips.
fn covered(parents: &[u32], lengths: &[f64], mut bits: Vec<u64>) -> Vec<f64> {
    let mut sums = vec![0.0; STRIP];
    for position in (0..bits.len()).rev() {
        let mut below = bits[position];
        if below == 0 {
            continue;
        }
        if let Some(above) = bits.get_mut(parents[position] as usize) {
            *above |= below;
        }
        while below != 0 {
            sums[below.trailing_zeros() as usize] += lengths[position];
            below &= below - 1;
        }
    }
    sums
}
