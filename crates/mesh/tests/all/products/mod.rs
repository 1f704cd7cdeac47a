//! Products over pieces against loops over elements, on threads and on connected ranks.

mod by_elements;
mod by_nodes;
mod inputs;
mod programs;
mod refused;
