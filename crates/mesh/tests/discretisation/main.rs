//! Finite elements against exact answers.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_input;
mod boundary;
mod convergence;
mod matrices;
mod parts;
mod patch;
mod support;
