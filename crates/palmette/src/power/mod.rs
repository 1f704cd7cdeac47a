//! Power networks: what `palmette-power` computes, on networks from files, in the files' words.
//!
//! The crate's modules (`drop`, `transient`, `flow`, `generate`) are here by their own names; modules of
//! this folder have others.

pub mod feeder;
pub mod tables;

pub use palmette_power::*;
