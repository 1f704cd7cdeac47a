//! Lowest common ancestors and tree distances, many at a time.
//!
//! **Problem.** Input: a tree, then batches of pairs. Output: for each pair the
//! deepest vertex that is an ancestor of both (a vertex is its own ancestor), or
//! [`NONE`](palmette_core::NONE) when they are in different trees of a forest;
//! the number of edges between them, or the sum of edge lengths.
//!
//! **Method.** Inlabels: every query reads one record of 16 bytes at either vertex
//! and at most one word for either side. Batches run in groups: all records of a
//! group are asked for before the first is used, so that memory latency overlaps.
//!
//! **Cost.** O(n) to prepare, 20 bytes per vertex (24 when asked by vertex); O(1) per query.
//!
//! **Determinism.** Answers depend on the input only.
//!
//! **Reference.** Schieber and Vishkin, 1988.
//!
//! **When not to use.** For one set of vertices: [`lca_of_set`](crate::paths::lca_of_set)
//! needs no preparation.

mod distance;
mod inlabel;
#[cfg(test)]
mod tests;

pub use distance::{Distances, NoSuchVertex};
pub use inlabel::Lca;
