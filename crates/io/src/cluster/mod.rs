//! Machines from files: the switches of a cluster (Slurm), the inside of a node (hwloc).

mod hwloc;
mod slurm;
#[cfg(test)]
mod tests;

pub use hwloc::{NodeFile, read_hwloc_bytes};
pub use slurm::{ClusterFile, read_slurm_bytes};
