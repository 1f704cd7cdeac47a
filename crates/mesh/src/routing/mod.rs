//! Routing: over which links every message goes, and in which phase.
//!
//! **Problem.** Given messages between processors of a grid, find a path for each so that
//! the largest load of a directed link (in values) is small, then the largest number of
//! paths at a processor, ends included, then the sum of values times hops: in that order.
//! A processor may support only so many paths at a time; then messages are split into as few
//! static [`phases`](route_in_phases) as that needs.
//!
//! | method | paths | file |
//! |---|---|---|
//! | `dimension-ordered` | the machine's default routes | |
//! | `one-bend` | the dimensions in any order | `bends.rs` |
//! | `two-bend` | also one dimension in two pieces, around the others | `bends.rs` |
//! | `shortest` | congestion-weighted shortest paths, ripped up and rerouted | `shortest.rs` |
//!
//! On a fat tree the hardware routes; asking for routes there is an error.
//!
//! **Determinism.** Same seed, same routes, on any number of threads.
//!
//! **Reference.** The separator paper, section 5.3; McMurchie and Ebeling, *PathFinder: a
//! negotiation-based performance-driven router for FPGAs*, 1995.

mod bends;
mod desk;
mod error;
mod phases;
mod route;
mod routes;
mod shortest;
#[cfg(test)]
mod tests;

pub use error::RoutingError;
pub use phases::{Phases, route_in_phases};
pub use route::{Method, RouteParams, route};
pub use routes::{Message, Routes, messages};
