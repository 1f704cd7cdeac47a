//! The lowest common ancestor of a set.
//!
//! **Problem.** Input: a tree and any number of positions. Output: the lowest
//! vertex that is an ancestor of all; `None` for no positions, or when they are
//! in different components.
//!
//! **Method.** A subtree is an interval of positions, so it contains the set if
//! and only if it contains its smallest and its largest member: the LCA of the
//! set is the LCA of these two. Without preparation, it is the first vertex on
//! the way up from the smallest whose interval reaches beyond the largest.
//!
//! **Cost.** One pass over the set, then O(depth) steps on the bare tree or
//! O(log n) with heavy paths. No memory.
//!
//! **Determinism.** The answer does not depend on the order of the set.
//!
//! **Reference.** Folklore of preorder numbering; B. Schieber, U. Vishkin, SIAM
//! J. Comput. 17 (1988), use the same property.
//!
//! **When not to use.** For the LCAs of all *pairs* of a set.

use super::HeavyPaths;
use palmette_core::Tree;

/// The lowest common ancestor of a set of positions, by walking up the tree.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::lca_of_set;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 1, 0]).unwrap();
/// assert_eq!(lca_of_set(&tree, [4, 2, 3]), Some(1));
/// assert_eq!(lca_of_set(&tree, []), None);
/// ```
pub fn lca_of_set(tree: &Tree, positions: impl IntoIterator<Item = u32>) -> Option<u32> {
    let (smallest, largest) = extremes(positions)?;
    // Ancestors of the smallest come before the largest; only their ends matter.
    let mut ancestor = smallest;
    while tree.end(ancestor) <= largest {
        ancestor = tree.parent(ancestor)?;
    }
    Some(ancestor)
}

impl HeavyPaths {
    /// The lowest common ancestor of a set of positions; see [`lca_of_set`].
    pub fn lca_of_set(&self, positions: impl IntoIterator<Item = u32>) -> Option<u32> {
        let (smallest, largest) = extremes(positions)?;
        self.lca(smallest, largest)
    }
}

fn extremes(positions: impl IntoIterator<Item = u32>) -> Option<(u32, u32)> {
    let mut positions = positions.into_iter();
    let first = positions.next()?;
    Some(positions.fold((first, first), |(low, high), i| (low.min(i), high.max(i))))
}
