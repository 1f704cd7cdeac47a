//! Finite elements against exact answers.

mod bad_input;
mod boundary;
mod convergence;
mod matrices;
mod parts;
mod patch;
mod support;
