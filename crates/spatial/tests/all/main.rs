//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod collectives;
mod creation;
mod cycles;
mod delays;
mod diagonals;
mod layouts;
mod lca;
mod lists;
mod local;
mod methods;
mod published;
mod reductions;
mod seeds;
mod sparse;
mod treefix;
mod words;
mod work;
