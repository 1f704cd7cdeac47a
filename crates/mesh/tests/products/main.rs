//! Products over pieces against loops over elements, on threads and on connected ranks.
#![allow(clippy::unwrap_used)]

mod by_elements;
mod by_nodes;
mod inputs;
mod programs;
mod refused;
