//! Errors of worlds, products and solvers.

use super::TransportError;
use palmette_core::CgError;
use thiserror::Error;

/// Why something on pieces failed. Parts, elements and nodes count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WorldError {
    /// Another number of parts than of elements or nodes.
    #[error("{found} parts for {expected} {what}; each needs one")]
    Count {
        /// `elements` or `nodes`.
        what: &'static str,
        /// How many of them there are.
        expected: usize,
        /// How many were given parts.
        found: usize,
    },
    /// A part that is not below their number.
    #[error("{what} {place} is in part {part}, but there are only {parts} parts")]
    Part {
        /// `element` or `node`.
        what: &'static str,
        /// Which one.
        place: usize,
        /// Its part.
        part: u32,
        /// The number of parts.
        parts: usize,
    },
    /// Nodes have 1, 2 or 3 components, or a few more.
    #[error("{0} components per node; 1 to 16 are supported")]
    Components(usize),
    /// A rank would have no part.
    #[error("{ranks} ranks for {parts} parts; at most one rank per part")]
    Ranks {
        /// The ranks.
        ranks: usize,
        /// The parts.
        parts: usize,
    },
    /// Not the pieces that this rank should have.
    #[error("rank {rank} must have the parts {first} to {last}, in order: {found}")]
    Pieces {
        /// The rank.
        rank: usize,
        /// Its first part.
        first: usize,
        /// Its last part.
        last: usize,
        /// What was wrong.
        found: String,
    },
    /// Two parts do not agree which nodes they share.
    #[error("parts {part} and {other} do not agree on the nodes they share")]
    Shared {
        /// A part.
        part: u32,
        /// The other.
        other: u32,
    },
    /// Another number of matrices than of pieces.
    #[error("{found} matrices for {expected} pieces; each needs one")]
    Matrices {
        /// The pieces.
        expected: usize,
        /// The matrices.
        found: usize,
    },
    /// The number of rows of a matrix differs from the number of unknowns.
    #[error("the matrix of part {part} has {found} rows instead of {expected}")]
    Matrix {
        /// The part.
        part: u32,
        /// Its unknowns.
        expected: usize,
        /// The rows.
        found: usize,
    },
    /// Values for another number of unknowns.
    #[error("{found} values for {expected} unknowns")]
    Values {
        /// The unknowns.
        expected: usize,
        /// The values.
        found: usize,
    },
    /// Conjugate gradients found no solution.
    #[error(transparent)]
    Iteration(#[from] CgError),
    /// Steps in time are too long.
    #[error("the motion overflows at step {step}; use a time step below {step_size:e}")]
    Unstable {
        /// When it was noticed.
        step: usize,
        /// The step in time.
        step_size: f64,
    },
    /// A rank could not be reached.
    #[error(transparent)]
    Transport(#[from] TransportError),
}
