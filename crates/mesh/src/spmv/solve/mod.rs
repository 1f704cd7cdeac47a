//! Programs over a world: they read the same on threads and on MPI.

mod central_differences;
mod conjugate_gradients;

pub use central_differences::{Load, Motion, Moved, WaveParams, central_differences};
pub use conjugate_gradients::{CgResult, conjugate_gradients};
