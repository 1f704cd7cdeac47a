//! Tree algorithms as message programs.
//!
//! Everything here runs on the [simulator](crate::machine): the host only fills the
//! memory of the processors, starts one program after another, and reads the answers.

mod error;
mod kin;
pub mod lca;
mod priority;
pub mod treefix;

pub use error::ProgramError;
pub use kin::{Kin, kin};
