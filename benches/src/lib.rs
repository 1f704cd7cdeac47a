//! What the studies share: fair timing, plain loops, machine limits, tables, goals.
#![deny(missing_docs)]

pub mod accuracy;
pub mod goals;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod graph;
pub mod machine;
pub mod memory;
pub mod mesh;
pub mod mesh_run;
pub mod plain;
pub mod scaling;
pub mod solve;
pub mod spatial;
pub mod table;
pub mod timing;
pub mod tree;
