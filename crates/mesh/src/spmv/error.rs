//! Errors of worlds, products and solvers.

use super::TransportError;
use palmette_core::CgError;
use thiserror::Error;

/// Why something on pieces failed. Parts, elements and nodes count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorldError {
    /// Another number of parts than of elements or nodes.
    #[error("{found} parts for {expected} {what}; each needs one")]
    Count { what: &'static str, expected: usize, found: usize },
    /// A part that is not below their number.
    #[error("{what} {place} is in part {part}, but there are only {parts} parts")]
    Part { what: &'static str, place: usize, part: u32, parts: usize },
    /// Nodes have 1, 2 or 3 components, or a few more.
    #[error("{0} components per node; 1 to 16 are supported")]
    Components(usize),
    /// A rank would have no part.
    #[error("{ranks} ranks for {parts} parts; at most one rank per part")]
    Ranks { ranks: usize, parts: usize },
    /// Not the pieces that this rank should have.
    #[error("rank {rank} must have the parts {first} to {last}, in order: {found}")]
    Pieces { rank: usize, first: usize, last: usize, found: String },
    /// Two parts do not agree which nodes they share.
    #[error("parts {part} and {other} do not agree on the nodes they share")]
    Shared { part: u32, other: u32 },
    /// Another number of matrices than of pieces.
    #[error("{found} matrices for {expected} pieces; each needs one")]
    Matrices { expected: usize, found: usize },
    /// The number of rows of a matrix differs from the number of unknowns.
    #[error("the matrix of part {part} has {found} rows instead of {expected}")]
    Matrix { part: u32, expected: usize, found: usize },
    /// Values for another number of unknowns.
    #[error("{found} values for {expected} unknowns")]
    Values { expected: usize, found: usize },
    /// Conjugate gradients found no solution.
    #[error(transparent)]
    Iteration(#[from] CgError),
    /// Steps in time are too long.
    #[error("the motion overflows at step {step}; use a time step below {step_size:e}")]
    Unstable { step: usize, step_size: f64 },
    /// A rank could not be reached.
    #[error(transparent)]
    Transport(#[from] TransportError),
}
