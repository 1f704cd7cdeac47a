//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_input;
mod columns;
mod formats;
mod graph_memory;
mod graphs;
mod meshes;
mod pairs_of_formats;
mod peer;
mod phylogenies;
mod round_trip;
mod text_ids;
mod zoo;
