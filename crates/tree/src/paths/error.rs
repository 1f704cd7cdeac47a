//! What can be wrong with values handed to the path routines.

use thiserror::Error;

/// Why values do not fit a tree. Positions are those of the tree's preorder.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// There is not one entry per vertex.
    #[error("{what}: {actual} entries for {expected} vertices")]
    Count {
        /// What the array holds.
        what: &'static str,
        /// The number of vertices.
        expected: usize,
        /// The number of entries.
        actual: usize,
    },
    /// The length of an edge is negative, infinite or not a number.
    #[error(
        "the edge above position {position} has length {length}; lengths must be finite and at \
        least 0"
    )]
    EdgeLength {
        /// The lower end of the edge.
        position: u32,
        /// Its length.
        length: f64,
    },
}

impl PathError {
    pub(super) fn check_count(
        what: &'static str,
        expected: usize,
        actual: usize,
    ) -> Result<(), PathError> {
        if expected == actual { Ok(()) } else { Err(PathError::Count { what, expected, actual }) }
    }
}
