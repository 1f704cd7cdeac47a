//! Power networks: what `palmette-power` computes, on networks from files, in the files' words.
//!
//! The crate's modules (`drop`, `transient`, `flow`, `generate`) are here by their own names; modules of
//! this folder have others.

pub mod feeder;
pub mod tables;

mod grid;
mod plane;
mod transient_run;

pub use grid::{DropParams, GridDrop, NamedChange, PowerGrid, ScenarioValues};
pub use palmette_power::*;
pub use plane::PlaneMap;
pub use transient_run::{GridTransient, Probes};
