//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod discretisation;
mod mapping;
mod partition;
mod products;
mod shared_meshes;
