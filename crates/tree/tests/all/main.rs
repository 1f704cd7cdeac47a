//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod by_vertex;
mod distributed;
mod engines;
mod large;
mod sums;
