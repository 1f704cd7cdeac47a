//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod collectives;
mod creation;
mod cycles;
mod layouts;
mod lca;
mod lists;
mod local;
mod seeds;
mod treefix;
