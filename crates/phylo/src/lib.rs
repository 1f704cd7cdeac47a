//! Phylogenetics on the engines of `palmette-tree`.
//!
//! | problem | answer | folder |
//! |---|---|---|
//! | [`edit`] | a new tree: pruned, rerooted, collapsed, sorted; with what became of each vertex | `edit/` |
//! | [`compare`] | distances between trees, consensus | `compare/` |
//! | [`measures`] | shape, balance, lineages through time, clock rate | `measures/` |
//! | [`diversity`] | Faith PD and UniFrac of samples | `diversity/` |
//! | [`parsimony`] | Fitch and Sankoff scores and ancestral states | `parsimony/` |
//!
//! Trees come as [`Tree`](palmette_core::Tree), everything else as arrays by position or by vertex (each function
//! says which). Tips that several trees share are numbers here; names are the façade's.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod compare;
pub mod diversity;
pub mod edit;
pub mod measures;
pub mod parsimony;
