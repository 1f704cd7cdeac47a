//! Paths in a tree: decomposed into heavy ones, aggregated over, measured, balanced.
//!
//! | question | answer | preparation | a query |
//! |---|---|---|---|
//! | k-th ancestor, LCA, distance | [`HeavyPaths`] | O(n), 12 bytes per vertex and 16 per leaf | O(log n) |
//! | ordered product from `u` to `v`, any monoid | [`PathAggregate`] | O(n), 3.25 elements per vertex | O(log n) |
//! | LCA of a whole set | [`lca_of_set`], [`HeavyPaths::lca_of_set`] | none | O(set) and a climb |
//! | the vertex in the middle of the weight | [`centroids`], [`centroid_decomposition`] | | O(n), O(n log n) in all |
//! | the longest path | [`diameter`], [`diameter_weighted`] | | O(n) in all |
//!
//! Everything speaks in **positions** of the tree's preorder, accepts forests
//! (a query across two components answers `None`) and loops instead of recursing,
//! so that a path of 10^7 vertices is an ordinary input. Answers do not depend on
//! the number of threads. A position that is not in the tree panics, as an index
//! past the end of a slice does.
//!
//! ```
//! use palmette_core::{NONE, Tree};
//! use palmette_tree::paths::{HeavyPaths, centroids, diameter};
//! //   0
//! //  / \
//! // 1   4
//! // |   |
//! // 2   5
//! // |
//! // 3
//! let tree = Tree::from_parents(&[NONE, 0, 1, 2, 0, 4]).unwrap();
//! let paths = HeavyPaths::new(&tree);
//! assert_eq!(paths.lca(3, 5), Some(0));
//! assert_eq!(paths.kth_ancestor(3, 2), Some(1));
//! assert_eq!(paths.distance(3, 5), Some(5));
//! assert_eq!(diameter(&tree).unwrap().ends, (3, 5));
//! assert_eq!(centroids(&tree)[0].second, Some(1));
//! ```

mod ancestor;
mod centroid;
mod diameter;
mod error;
mod heavy;
mod path;
mod range;
mod set;
#[cfg(test)]
mod tests;

pub use centroid::{Centroids, centroid_decomposition, centroids};
pub use diameter::{LongestPath, diameter, diameter_weighted, diameters, diameters_weighted};
pub use error::PathError;
pub use heavy::HeavyPaths;
pub use path::PathAggregate;
pub use set::lca_of_set;
