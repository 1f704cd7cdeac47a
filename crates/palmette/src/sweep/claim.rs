//! The theorems that runs of a study are compared with.

use super::*;

named! {
    /// A statement of *Low-Depth Spatial Tree Algorithms*.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Claim("claim") {
        /// Where degrees are bounded, one message from every vertex to each of its children takes
        /// O(n) energy in light-first order.
        Theorem1 = "Theorem 1",
        /// Local messaging takes O(n) energy and O(log n) depth: here the virtual tree is made,
        /// every vertex tells its children, and hears from them.
        Theorem3 = "Theorem 3",
        /// Light-first order takes O(n^1.5) energy to compute; the depth here is
        /// O(log n + log² D) with at most D children per vertex.
        Theorem4 = "Theorem 4",
        /// Ranking a list takes O(n^1.5) energy and O(log n) depth.
        Theorem5 = "Theorem 5",
        /// Lowest common ancestors take O(n log n) energy and O(log² n) depth.
        Theorem6 = "Theorem 6",
        /// An Euler tour takes O(n^1.5) energy and O(log n) depth.
        Corollary2 = "Corollary 2",
        /// On trees of bounded degree, treefix takes O(n log n) energy and O(log n) depth.
        Lemma11 = "Lemma 11",
        /// On all trees, treefix takes O(n log n) energy and O(log² n) depth.
        Lemma12 = "Lemma 12",
        /// A broadcast on a range of n addresses takes O(n) energy and O(log n) depth: here on
        /// the last two thirds of a tree.
        Lemma13 = "Lemma 13",
    }
}

/// Whether trees of a shape have at most a fixed number of children per vertex, at any size.
pub fn is_bounded(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Path
            | Shape::Caterpillar
            | Shape::Perfect
            | Shape::Binary
            | Shape::FullBinary
            | Shape::Bst
            | Shape::Phylogeny
    )
}
