//! Routing: over which links every message goes, and in which phase.
//!
//! **Problem.** Given messages between processors of a network, find a path for each so that
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
//! | `minimal` | shortest paths, the least loaded | `minimal.rs` |
//! | `adaptive` | the same, with detours where they are full | `minimal.rs` |
//! | `shortest` | congestion-weighted shortest paths, ripped up and rerouted | `shortest.rs` |
//!
//! The first three are for grids. On a fat tree the hardware routes; asking for routes there is
//! an error. [`congestion_bound`] says how little the fullest link could have with any routes,
//! even if values were split.
//!
//! Nodes of several processors have one router: messages within a node take no link and no channel.
//!
//! **Determinism.** Same seed, same routes, on any number of threads.
//!
//! **Reference.** The separator paper, section 5.3; McMurchie and Ebeling, *PathFinder: a
//! negotiation-based performance-driven router for FPGAs*, 1995.

mod bends;
mod bound;
mod desk;
mod error;
mod minimal;
mod phases;
mod route;
mod routes;
mod shortest;
#[cfg(test)]
mod tests;

pub use bound::congestion_bound;
pub use error::RoutingError;
pub use phases::{Phases, route_in_phases};
pub use route::{Method, RouteParams, route};
pub use routes::{Message, Routes, messages};
