//! Power networks on the engines of `palmette-tree` and `palmette-graph`.
//!
//! | problem | answer | folder |
//! |---|---|---|
//! | [`mod@drop`] | the operating point of a chip's grid: voltages, drops, currents, scenarios, what-ifs | `drop/` |
//! | [`transient`] | waveforms of a grid with capacitors and inductors | `transient/` |
//! | [`flow`] | AC power flow of feeders | `flow/` |
//! | [`generate`] | networks made from a seed | `generate/` |
//!
//! Nodes, buses and elements are numbers here; names and files are the façade's.
#![deny(unsafe_code)]
#![deny(missing_docs)]

pub mod drop;
mod error;
pub mod flow;
pub mod generate;
pub mod transient;

pub use error::PowerError;
