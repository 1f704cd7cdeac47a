//! The studies: each writes its tables.

pub(crate) mod accuracy;
pub(crate) mod fold;
#[cfg(feature = "gpu")]
pub(crate) mod gpu;
pub(crate) mod graph;
pub(crate) mod io;
pub(crate) mod mesh;
pub(crate) mod mesh_run;
pub(crate) mod mpi;
pub(crate) mod solve;
pub(crate) mod spatial;
pub(crate) mod tree;

/// Why a study ends early.
pub(crate) type Failure = Box<dyn std::error::Error>;
