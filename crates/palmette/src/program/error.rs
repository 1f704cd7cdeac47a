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

/// A program ran, and its answer is not the host's: a fault of ours, which no input should cause.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{program}: the answer differs from the host's")]
pub struct WrongAnswer {
    /// The program, and what it ran on.
    pub program: String,
}

impl WrongAnswer {
    /// An error unless the answer is right.
    ///
    /// # Errors
    /// When it is not.
    pub fn unless(correct: bool, program: &str) -> Result<(), WrongAnswer> {
        if correct { Ok(()) } else { Err(WrongAnswer { program: program.to_string() }) }
    }
}

impl From<MachineError> for SpatialError {
    fn from(error: MachineError) -> SpatialError {
        ProgramError::from(error).into()
    }
}
