//! Cuts meshes into parts, places the parts on the processors of a machine, and routes their
//! messages over its links.
//!
//! | stage | answer | folder |
//! |---|---|---|
//! | [`shapes`] | meshes of many shapes, among them two with cracks | `shapes/` |
//! | [`element`] | the graph of nodes, the graph of elements; finite-element matrices | `element/` |
//! | [`partition`](mod@partition) | a part for each vertex | `partition/` |
//! | [`quotient`] | what parts exchange | `quotient.rs` |
//! | [`machine`] | processors, links, distances | `machine/` |
//! | [`placement`] | a processor for each part | `placement/` |
//! | [`routing`] | a path and a phase for each message | `routing/` |
//!
#![deny(missing_docs)]

pub mod cut_tree;
pub mod element;
pub mod machine;
pub mod partition;
pub mod placement;
pub mod quotient;
pub mod routing;
pub mod shapes;
pub mod spmv;

pub use cut_tree::CutTree;
pub use machine::Machine;
pub use partition::{Method, Partition, PartitionError, PartitionParams, Preset, partition};
pub use placement::Placement;
pub use quotient::Quotient;
