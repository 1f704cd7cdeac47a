//! What can be wrong with a network.

use crate::flow::FlowError;
use palmette_core::named::UnknownName;
use palmette_graph::solve::SolveError;
use thiserror::Error;

/// Why a network has no answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PowerError {
    /// A text that names no shape.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A shape without a node.
    #[error("a network needs at least one node")]
    Empty,
    /// A shape with more nodes than there are numbers.
    #[error("{count} nodes are too many; at most {most} are possible")]
    TooLarge {
        /// The nodes asked for.
        count: u128,
        /// The most.
        most: usize,
    },
    /// A feeder has no power flow.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// The system of potentials could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
}
