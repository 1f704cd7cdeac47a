//! Why a program on trees fails.

use crate::collective::CollectiveError;
use crate::machine::MachineError;
use thiserror::Error;

/// Why a program on trees fails.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// The machine stopped.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A collective failed.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// Several roots, or none, where one is needed.
    #[error("a tree with one root is needed; this one has {roots} roots")]
    Forest {
        /// How many it has.
        roots: usize,
    },
}
