//! The root on the branch between some tips and all others.
//!
//! **Problem.** Input: a tree and a set of tips, the outgroup. Output: the tree rooted on the branch
//! of the unrooted tree that has them on one side and all other tips on the other.
//!
//! **Method.** Either the outgroup or the others are all tips below one vertex: the lowest common
//! ancestor of the one or of the other set, by the number of tips below it.
//!
//! **Cost.** O(n).
//!
//! **When it fails.** Where no branch does that, the error names a tip that is in the way: one of those
//! below the ancestor of the outgroup that are not in it, or of the outgroup among the others, whichever
//! are fewer.

use super::builder::{Source, check_count};
use super::reroot::{RootPlace, reroot};
use super::{EditError, Edited};
use palmette_core::Tree;
use palmette_tree::paths::lca_of_set;

/// A tree rooted by an outgroup.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgroup {
    /// The tree.
    pub edited: Edited,
    /// The vertex of the old tree whose branch the root is on.
    pub branch: u32,
}

/// Roots a tree between the tips with `out` set and all others, with this share of the branch on the
/// outgroup's side. `lengths` and `out` go by vertex; what `out` says of vertices with children does
/// not matter.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{EditError, outgroup};
/// // ((a,b),c);
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let rooted = outgroup(&tree, None, &[false, false, true, false, false], 0.5).unwrap();
/// assert_eq!(rooted.edited.origin, [NONE, 2, 1, 3, 4]);
/// ```
///
/// # Errors
/// When no branch separates the outgroup, it has no tips or all; or as [`reroot`].
pub fn outgroup(
    tree: &Tree,
    lengths: Option<&[f64]>,
    out: &[bool],
    share: f64,
) -> Result<Outgroup, EditError> {
    let source = Source::new(tree, lengths)?;
    source.one_root()?;
    check_count("out", tree.len(), out.len())?;
    let is_out = |i: u32| out[tree.vertices()[i as usize] as usize];
    let tips_where = |wanted: bool| {
        (0..tree.len() as u32).filter(move |&i| tree.is_leaf(i) && is_out(i) == wanted)
    };
    let inside = lca_of_set(tree, tips_where(true)).ok_or(EditError::NoTips)?;
    let others = lca_of_set(tree, tips_where(false)).ok_or(EditError::AllTips)?;
    // Tips below the ancestor of one set that are of the other.
    let strays = |top: u32, of: bool| {
        (top..tree.end(top)).filter(move |&i| tree.is_leaf(i) && is_out(i) != of)
    };
    let (among, beyond) = (strays(inside, true).count(), strays(others, false).count());
    let vertex = |position: u32| tree.vertices()[position as usize];
    let (top, share) = match (among, beyond) {
        (0, _) => (inside, share),
        (_, 0) => (others, 1.0 - share),
        _ => {
            let in_outgroup = among <= beyond;
            let mut tips: Box<dyn Iterator<Item = u32>> = match in_outgroup {
                true => Box::new(strays(inside, true)),
                false => Box::new(strays(others, false)),
            };
            let intruder = vertex(tips.next().unwrap_or(inside));
            return Err(EditError::NoClade { intruder, in_outgroup, count: among.min(beyond) });
        }
    };
    let place = RootPlace::Share { vertex: vertex(top), share };
    Ok(Outgroup { edited: reroot(tree, lengths, place)?, branch: vertex(top) })
}
