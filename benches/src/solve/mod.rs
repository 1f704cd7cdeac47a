//! The study of solvers: preconditioners, peers.

pub mod input;
pub mod ours;
pub mod peers;
pub mod preconditioners;
