//! Faith's phylogenetic diversity.
//!
//! **Problem.** For each sample, the length of all branches that have one of its tips below them.
//!
//! **Method.** The tips of a sample in preorder. From each one climbs towards the root up to the first
//! vertex that is not behind the tip before it: that is an ancestor of both, and its branch was counted.
//!
//! **Cost.** A step per branch that a sample has, in the order of memory; sorting the sample's
//! tips. 8 bytes per vertex, and 4 per tip of a sample.
//!
//! **Determinism.** One thread per sample.

use super::{DiversityError, DiversityParams, Samples, lengths_by_position};
use palmette_core::{NONE, Tree};
use rayon::prelude::*;

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
    (0..samples.len())
        .into_par_iter()
        .map(|sample| {
            let tips = samples.present(tree, sample).map(|found| found.map(|(tip, _)| tip));
            let mut tips = tips.collect::<Result<Vec<u32>, _>>()?;
            tips.sort_unstable();
            Ok(covered(tree.parents(), &lengths, &tips))
        })
        .collect()
}

/// The length of the branches above tips in preorder.
fn covered(parents: &[u32], lengths: &[f64], tips: &[u32]) -> f64 {
    let mut sum = 0.0;
    let mut before = None;
    for &tip in tips {
        let mut at = tip;
        while at != NONE && before.is_none_or(|before| at > before) {
            sum += lengths[at as usize];
            at = parents[at as usize];
        }
        before = Some(tip);
    }
    sum
}
