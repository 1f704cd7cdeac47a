//! What can be wrong with values handed to the path routines.

use thiserror::Error;

/// Why values do not fit a tree. Positions are those of the tree's preorder.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PathError {
    /// There is not one entry per vertex.
    #[error("{what}: {actual} entries for {expected} vertices")]
    Count { what: &'static str, expected: usize, actual: usize },
    /// The length of an edge is negative, infinite or not a number.
    #[error(
        "the edge above position {position} has length {length}; lengths must be finite and at \
        least 0"
    )]
    EdgeLength { position: u32, length: f64 },
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
