//! What can be wrong with a curve that is asked for.

use super::CurveKind;
use crate::cell::Grid;
use thiserror::Error;

/// Why there is no such curve.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CurveError {
    /// The curve cannot fill a grid of this shape.
    #[error("{kind} fills {}, not {grid}", .kind.fills())]
    Shape { kind: CurveKind, grid: Grid },
    /// No grid of the curve has so many cells.
    #[error("{kind} has at most {} cells, not {cells}", .kind.most_cells())]
    TooMany { kind: CurveKind, cells: u64 },
}
