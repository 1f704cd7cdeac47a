//! Some tips of a tree, and what joins them.
//!
//! **Problem.** Input: a tree and which of its tips stay. Output: the tree without the other tips and
//! without what then has no tip below. Vertices with one child that is left are suppressed, their
//! branches merged into one, or kept.
//!
//! **Method.** A sweep from the last position counts the children that have tips left. A sweep from the
//! first ([`without`]) numbers the vertices that stay; one that is suppressed hands its parent and its
//! length on to its child. A merged branch has the sum of the lengths and the support of its lowest part.
//!
//! **Cost.** O(n), two sweeps, 16 bytes per vertex beside the result.
//!
//! **Conventions.** Suppressing makes the lowest common ancestor of the tips the root, and removes
//! vertices that had one child before. Keeping leaves the way up to the old root.

use super::builder::{Builder, Source, check_count};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree, named};

named! {
    /// What becomes of vertices that have one child.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Unifurcations("treatment of unifurcations") {
        /// They go; lengths are added.
        #[default]
        Suppress = "suppress",
        /// They stay.
        Keep = "keep",
    }
}

/// The tree of the tips with `keep` set; both `lengths` and `keep` go by vertex, and what `keep` says
/// of vertices with children does not matter.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{Unifurcations, prune};
/// // ((a:1,b:2):3,c:4); without b is (a:4,c:4);
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let lengths = [0.0, 3.0, 1.0, 2.0, 4.0];
/// let keep = [false, false, true, false, true];
/// let edited = prune(&tree, Some(&lengths), &keep, Unifurcations::Suppress).unwrap();
/// assert_eq!((edited.origin, edited.lengths.unwrap()), (vec![0, 2, 4], vec![0.0, 4.0, 4.0]));
/// ```
///
/// # Errors
/// When no tip stays, or arrays have not one entry per vertex.
pub fn prune(
    tree: &Tree,
    lengths: Option<&[f64]>,
    keep: &[bool],
    unifurcations: Unifurcations,
) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    check_count("keep", tree.len(), keep.len())?;
    // By position, the number of children with tips left; 1 for a tip that is left.
    let mut left = vec![0u32; tree.len()];
    for i in (0..tree.len()).rev() {
        if tree.sizes()[i] == 1 {
            left[i] = keep[tree.vertices()[i] as usize].into();
        }
        let p = tree.parents()[i];
        if p != NONE && left[i] > 0 {
            left[p as usize] += 1;
        }
    }
    if tree.root_positions().all(|root| left[root as usize] == 0) {
        return Err(EditError::NoTips);
    }
    let suppress = unifurcations == Unifurcations::Suppress;
    without(&source, true, |i| match left[i as usize] {
        0 => Fate::Gone,
        1 if suppress && !tree.is_leaf(i) => Fate::Dissolved,
        _ => Fate::Stays,
    })
}

/// What becomes of a vertex.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    /// It goes; its children hang where it hung.
    Dissolved,
    /// It goes, with all below.
    Gone,
}

/// The tree without some vertices. Where a vertex is dissolved its length is added to its children's,
/// or dropped. All below a vertex that is gone must be gone.
pub(super) fn without(
    source: &Source<'_>,
    add: bool,
    fate: impl Fn(u32) -> Fate,
) -> Result<Edited, EditError> {
    let tree = source.tree;
    let mut builder = Builder::new(tree.len(), source.lengths.is_some())?;
    // By position: the new vertex, or that above a vertex that is dissolved; and the length of what is
    // dissolved between.
    let mut new = vec![NONE; tree.len()];
    let mut pending = if source.lengths.is_some() { vec![0.0; tree.len()] } else { Vec::new() };
    for i in 0..tree.len() as u32 {
        let fate = fate(i);
        if fate == Fate::Gone {
            continue;
        }
        let p = tree.parents()[i as usize];
        let mut length = source.length(i);
        let above = if p == NONE { NONE } else { new[p as usize] };
        if p != NONE && add && source.lengths.is_some() {
            length += pending[p as usize];
        }
        if p != NONE && above == NONE {
            // All above is gone: a new root.
            length = 0.0;
        }
        if fate == Fate::Dissolved {
            new[i as usize] = above;
            if source.lengths.is_some() {
                pending[i as usize] = length;
            }
            continue;
        }
        let vertex = tree.vertices()[i as usize];
        new[i as usize] = builder.push(above, length, vertex, vertex);
    }
    Ok(builder.done())
}
