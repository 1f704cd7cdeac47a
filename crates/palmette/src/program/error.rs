//! Why a program did not run.

use palmette_spatial::layout::{LayoutError, Order};
use palmette_spatial::machine::MachineError;
use palmette_spatial::program::ProgramError;
use thiserror::Error;

/// Why a program on the spatial computer did not run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SpatialError {
    /// A layout in another order.
    #[error("the layout must be in light-first order, not {order}")]
    Order { order: Order },
    /// The tree does not fit the grid.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// What the program says.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl From<MachineError> for SpatialError {
    fn from(error: MachineError) -> SpatialError {
        ProgramError::from(error).into()
    }
}
