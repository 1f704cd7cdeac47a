//! Branches that are short, or that few replicates support, made polytomies.
//!
//! **Problem.** Input: a tree and which branches go. Output: the tree where the lower end of such a
//! branch is merged into its parent. Branches of tips stay, and roots.
//!
//! **Method.** One sweep in preorder; children of a vertex that goes hang where it hung, in its place
//! among its siblings. The length of its branch is added to theirs, which keeps all distances to the
//! root (scikit-bio, treeswift and newick-utils do so), or dropped, as by ape's `di2multi`.
//!
//! **Cost.** O(n), one sweep, 12 bytes per vertex beside the result.
//!
//! **Conventions.** "Below" is strict: a branch of exactly the limit stays. A branch without support
//! stays.

use super::builder::{Source, check_count, check_finite};
use super::prune::{Fate, without};
use super::{EditError, Edited};
use palmette_core::{Tree, named};

named! {
    /// What becomes of the length of a branch that is collapsed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum CollapsedLength("treatment of lengths") {
        /// It is added to the branches below: distances to the root stay.
        #[default]
        Add = "add",
        /// It is dropped: the tips below come nearer to the root.
        Drop = "drop",
    }
}

/// The tree where the branches above vertices with `gone` set are collapsed; what `gone` says of tips
/// and roots does not matter. `lengths` and `gone` go by vertex.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{CollapsedLength, collapse, shorter_than};
/// // ((a:1,b:2):0.1,c:4);
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let lengths = [0.0, 0.1, 1.0, 2.0, 4.0];
/// let gone = shorter_than(&tree, &lengths, 0.5).unwrap();
/// let edited = collapse(&tree, Some(&lengths), &gone, CollapsedLength::Add).unwrap();
/// assert_eq!(edited.parents[1..], [0, 0, 0]);
/// assert_eq!(edited.lengths.unwrap(), [0.0, 1.1, 2.1, 4.0]);
/// ```
///
/// # Errors
/// When arrays have not one entry per vertex.
pub fn collapse(
    tree: &Tree,
    lengths: Option<&[f64]>,
    gone: &[bool],
    rule: CollapsedLength,
) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    check_count("gone", tree.len(), gone.len())?;
    without(&source, rule == CollapsedLength::Add, |i| {
        let goes = gone[tree.vertices()[i as usize] as usize];
        match goes && !tree.is_leaf(i) && tree.parent(i).is_some() {
            true => Fate::Dissolved,
            false => Fate::Stays,
        }
    })
}

/// Which vertices have a branch above them that is shorter than a limit; by vertex.
///
/// # Errors
/// When there is not one length per vertex, one is no number, or the limit is none.
pub fn shorter_than(tree: &Tree, lengths: &[f64], limit: f64) -> Result<Vec<bool>, EditError> {
    check_count("lengths", tree.len(), lengths.len())?;
    check_finite(tree, lengths)?;
    below(lengths, limit)
}

/// Which vertices have a branch above them with support below a limit, where NaN is none; by vertex.
///
/// # Errors
/// When there is not one support per vertex, or the limit is no number.
pub fn support_below(tree: &Tree, support: &[f64], limit: f64) -> Result<Vec<bool>, EditError> {
    check_count("support", tree.len(), support.len())?;
    below(support, limit)
}

fn below(values: &[f64], limit: f64) -> Result<Vec<bool>, EditError> {
    if limit.is_nan() {
        return Err(EditError::Limit { limit });
    }
    Ok(values.iter().map(|&x| x < limit).collect())
}
