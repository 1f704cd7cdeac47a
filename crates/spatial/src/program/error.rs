//! Why a program on trees fails.

use crate::collective::CollectiveError;
use crate::machine::{Gift, MachineError};
use palmette_core::TreeError;
use thiserror::Error;

/// Why a program on trees fails.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ProgramError {
    /// The machine stopped.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A collective failed.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// Several roots, or none, where one is needed.
    #[error("the tree has {roots} roots; this needs one root")]
    Forest { roots: usize },
    /// A query about a vertex that is not there.
    #[error("query {query} names position {position}, but the tree has only {vertices} vertices")]
    Query { query: usize, position: u32, vertices: usize },
    /// Input that was prepared for a machine that gives more, or less.
    #[error("the machine and its input do not agree on whether `{gift}` is given for free")]
    Gift { gift: Gift },
    /// Splitting the vertices with many queries gave no tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl ProgramError {
    pub(super) fn check_roots(roots: usize) -> Result<(), ProgramError> {
        if roots == 1 { Ok(()) } else { Err(ProgramError::Forest { roots }) }
    }
}
