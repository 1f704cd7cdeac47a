//! All integration tests of this crate in one binary: every binary links everything.
#![allow(clippy::unwrap_used, missing_docs)]

mod circuitscape;
mod contest;
mod solve;
