//! What can be wrong with the description of a machine.

use palmette_core::UnknownName;
use thiserror::Error;

/// Why a text describes no machine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MachineError {
    /// Not of any known form.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A side, a number of branches or a capacity that is not a positive number.
    #[error("machine `{text}`: expected a positive whole number, found `{found}`")]
    Number {
        /// The whole description.
        text: String,
        /// The part that is wrong.
        found: String,
    },
    /// Too many dimensions or none.
    #[error("machine `{text}`: expected {expected}, found {actual}")]
    Count {
        /// The whole description.
        text: String,
        /// What is wanted.
        expected: String,
        /// How many there are.
        actual: usize,
    },
    /// More processors than are supported.
    #[error("machine `{text}` has more than {} processors", super::MOST_PROCESSORS)]
    TooMany {
        /// The whole description.
        text: String,
    },
}
