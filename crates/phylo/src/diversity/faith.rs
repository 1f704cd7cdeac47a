//! Faith's phylogenetic diversity.
//!
//! **Problem.** For each sample, the length of all branches that have one of its tips below them.
//!
//! **Method.** Samples go in strips of 64, or of 128 where there are enough of them for all threads, one bit each.
//! Positions are visited backwards, children before parents: a vertex has the bits of all tips below it, adds its
//! length for each, and hands them to its parent.
//!
//! **Cost.** Per strip a step per vertex, and an addition per sample and branch that it has. 8 bytes per vertex
//! for lengths, and 8 or 16 per vertex and thread.
//!
//! **Determinism.** One thread per strip; a sample's lengths are added in the order of positions.

use super::samples::Leaves;
use super::{DiversityError, DiversityParams, Samples, lengths_by_position};
use palmette_core::Tree;
use palmette_core::memory::{huge_vec, prefetch};
use rayon::prelude::*;

/// Samples per word of a strip.
const BITS: usize = u64::BITS as usize;

/// Tips whose bits are asked for ahead of use.
const AHEAD: usize = 32;

/// The bits of a vertex.
type Bits<const W: usize> = [u64; W];

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
    match samples.len() > BITS * rayon::current_num_threads() {
        true => strips::<2>(tree, &lengths, samples),
        false => strips::<1>(tree, &lengths, samples),
    }
}

fn strips<const W: usize>(
    tree: &Tree,
    lengths: &[f64],
    samples: &Samples,
) -> Result<Vec<f64>, DiversityError> {
    let leaves = Leaves::of(tree);
    let firsts: Vec<usize> = (0..samples.len()).step_by(W * BITS).collect();
    let sums = firsts.into_par_iter().map(|first| {
        let strip = first..(first + W * BITS).min(samples.len());
        let mut bits: Vec<Bits<W>> = huge_vec(tree.len(), [0; W]);
        let mut tips: Vec<u32> = Vec::new();
        for sample in strip.clone() {
            let (word, bit) = ((sample - first) / BITS, 1 << ((sample - first) % BITS));
            tips.clear();
            for found in samples.present(&leaves, sample) {
                tips.push(found?.0);
            }
            for (k, &tip) in tips.iter().enumerate() {
                if let Some(&later) = tips.get(k + AHEAD) {
                    prefetch(&bits, later as usize);
                }
                bits[tip as usize][word] |= bit;
            }
        }
        let mut sums = covered(tree.parents(), lengths, bits);
        sums.truncate(strip.len());
        Ok(sums)
    });
    let sums: Vec<Vec<f64>> = sums.collect::<Result<_, _>>()?;
    Ok(sums.concat())
}

/// The length of the branches below which a bit is set, by bit; bits are those of tips.
fn covered<const W: usize>(parents: &[u32], lengths: &[f64], mut bits: Vec<Bits<W>>) -> Vec<f64> {
    let mut sums = vec![0.0; W * BITS];
    for position in (0..bits.len()).rev() {
        let below = bits[position];
        if below == [0; W] {
            continue;
        }
        if let Some(above) = bits.get_mut(parents[position] as usize) {
            above.iter_mut().zip(below).for_each(|(above, below)| *above |= below);
        }
        let length = lengths[position];
        for (mut word, sums) in below.into_iter().zip(sums.chunks_exact_mut(BITS)) {
            while word != 0 {
                sums[word.trailing_zeros() as usize] += length;
                word &= word - 1;
            }
        }
    }
    sums
}
