//! Why there is no product.

use crate::collective::CollectiveError;
use crate::curve::CurveError;
use crate::machine::MachineError;
use palmette_core::conjugate_gradients::CgError;
use thiserror::Error;

/// Why a matrix is refused, or a program on it fails. Rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SparseError {
    /// An entry outside the matrix.
    #[error("the entry at ({row}, {column}) lies outside a matrix of {rows} rows")]
    Outside { row: u32, column: u32, rows: usize },
    /// An entry, or the sum of entries in one place, that is no number.
    #[error("the entry {value} at ({row}, {column}) is not finite")]
    NotFinite { row: u32, column: u32, value: f64 },
    /// More rows and entries than a machine has processors.
    #[error("{rows} rows with {entries} entries are more than a machine has processors")]
    TooLarge { rows: usize, entries: usize },
    /// A vector of another length.
    #[error("a vector of {found} numbers for a matrix of {rows} rows")]
    Vector { found: usize, rows: usize },
    /// An order that is none.
    #[error("the order of rows names row {row} {times} times; it must name each row once")]
    Order { row: u32, times: usize },
    /// Conjugate gradients need a symmetric matrix.
    #[error(
        "the matrix is not symmetric: {} at ({row}, {column}), {} at ({column}, {row})",
        shown(*.value), shown(*.other)
    )]
    NotSymmetric { row: u32, column: u32, value: Option<f64>, other: Option<f64> },
    /// No curve has so many cells.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// A collective failed.
    #[error(transparent)]
    Collective(#[from] CollectiveError),
    /// Conjugate gradients found no solution.
    #[error(transparent)]
    Cg(#[from] CgError),
}

impl From<MachineError> for SparseError {
    fn from(error: MachineError) -> SparseError {
        CollectiveError::from(error).into()
    }
}

fn shown(value: Option<f64>) -> String {
    value.map_or("nothing".to_string(), |value| value.to_string())
}
