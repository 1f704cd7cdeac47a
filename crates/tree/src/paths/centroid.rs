//! Centroids and the centroid decomposition.
//!
//! **Problem.** Input: a tree or forest. Output: for every component of s
//! vertices the vertex whose removal leaves pieces of at most s/2 (one vertex, or
//! two neighbours); and the tree that arises when centroids are removed again and
//! again, as a parent for every position.
//!
//! **Method.** The vertices whose subtree is larger than s/2 form a chain down
//! from the root, since two disjoint subtrees cannot both be; its last one in
//! preorder is the upper centroid. A subtree of exactly s/2 is that of the other.
//! The decomposition keeps every piece rooted at its highest vertex, with the
//! sizes of the subtrees *within the piece*: walk down to the upper centroid,
//! subtract its subtree from the sizes on the way back, set its size to 0; the
//! pieces are its children with nonzero size and what is left at the top.
//!
//! **Cost.** Centroids: O(n), one scan, nothing allocated. Decomposition:
//! O(n log n) work, because a vertex is in at most log₂ n + 1 pieces and pays for
//! its children once in each; 4 bytes per vertex kept, 4 while it runs and 8 bytes per waiting
//! piece. Sequential, no recursion.
//!
//! **Determinism.** A function of the tree: of two centroids the upper one.
//!
//! **Reference.** C. Jordan, *Sur les assemblages de lignes*, J. reine angew.
//! Math. 70 (1869). D. Della Giustina, N. Prezza, R. Venturini, *A new
//! linear-time algorithm for centroid decomposition*, SPIRE 2019, save the logarithm.
//!
//! **When not to use.** For ancestor or path queries heavy paths are smaller and
//! faster; the decomposition is for questions about all paths at once.

use palmette_core::{NONE, Tree};

/// The centroids of one component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Centroids {
    /// The centroid nearest to the root.
    pub first: u32,
    /// Its child that is a centroid too, if removing the edge between them halves
    /// the component.
    pub second: Option<u32>,
}

/// The centroids of every component, in the order of the roots.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::{Centroids, centroids};
/// let path = Tree::from_parents(&[NONE, 0, 1, 2]).unwrap();
/// assert_eq!(centroids(&path), [Centroids { first: 1, second: Some(2) }]);
/// let star = Tree::from_parents(&[NONE, 0, 0, 0]).unwrap();
/// assert_eq!(centroids(&star), [Centroids { first: 0, second: None }]);
/// ```
pub fn centroids(tree: &Tree) -> Vec<Centroids> {
    let sizes = tree.sizes();
    let component = |root: u32| {
        let s = sizes[root as usize];
        // The root itself is larger than s/2, so that the scan stops there at the latest.
        let first =
            (root..tree.end(root)).rev().find(|&i| sizes[i as usize] > s / 2).unwrap_or(root);
        let half = |&i: &u32| sizes[i as usize] == s / 2;
        let second = if s.is_multiple_of(2) { tree.children(first).find(half) } else { None };
        Centroids { first, second }
    };
    tree.root_positions().map(component).collect()
}

/// The centroid decomposition: for every position the centroid of the next larger
/// piece it is in, [`NONE`] for the centroid of a whole component. The depth of
/// this tree is at most log₂ n.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::centroid_decomposition;
/// let path = Tree::from_parents(&[NONE, 0, 1, 2, 3, 4, 5]).unwrap();
/// assert_eq!(centroid_decomposition(&path), [1, 3, 1, NONE, 5, 3, 5]);
/// ```
pub fn centroid_decomposition(tree: &Tree) -> Vec<u32> {
    let mut size = tree.sizes().to_vec();
    let mut decomposition = vec![NONE; tree.len()];
    for root in tree.root_positions() {
        let mut pieces = vec![(root, NONE)];
        while let Some((top, outer)) = pieces.pop() {
            let half = size[top as usize] / 2;
            let mut centroid = top;
            while let Some(child) = tree.children(centroid).find(|&c| size[c as usize] > half) {
                centroid = child;
            }
            decomposition[centroid as usize] = outer;
            let below = size[centroid as usize];
            let mut i = centroid;
            while i != top {
                i = tree.parents()[i as usize];
                size[i as usize] -= below;
            }
            size[centroid as usize] = 0;
            if centroid != top {
                pieces.push((top, centroid));
            }
            pieces.extend(
                tree.children(centroid).filter(|&c| size[c as usize] > 0).map(|c| (c, centroid)),
            );
        }
    }
    decomposition
}
