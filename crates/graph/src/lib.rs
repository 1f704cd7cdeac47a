//! Weighted graphs as electrical networks: the spectral skeleton of a graph, and fast
//! solves with its Laplacian.
//!
//! | problem | answer | folder |
//! |---|---|---|
//! | [`sparsify`] | a spanning forest and a few more edges that behave like the graph | `sparsify/` |
//! | [`dynamic`] | a skeleton that follows its graph as it changes | `dynamic/` |
//! | [`solve`] | potentials for given currents: preconditioned conjugate gradients | `solve/` |
//! | [`focal`] | resistances and currents between focal points of a landscape | `focal/` |
//! | [`mincut`] | where a graph falls apart most easily: minimum cuts | `mincut/` |
//! | [`order`](mod@order) | an order of elimination with little fill: nested dissection, minimum degree | `order/` |
//! | [`quality`](mod@quality) | how well a sparsifier approximates its graph | `quality.rs` |
//!
//! A weight is a conductance. [`Laplacian`] is the matrix of a graph, with an optional
//! conductance from each vertex to ground.
#![deny(missing_docs)]

pub mod dynamic;
pub mod focal;
pub mod laplacian;
pub mod mincut;
pub mod order;
pub mod quality;
pub mod solve;
pub mod sparsify;

pub use laplacian::{Laplacian, Unbalanced};
pub use quality::{Quality, QualityParams, quality};
