//! What can be wrong with the description of a machine.

use palmette_core::UnknownName;
use thiserror::Error;

/// Why a text describes no machine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MachineError {
    /// Not of any known form.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// A side, a number of branches or a capacity that is not a positive number.
    #[error("machine `{text}`: expected a positive whole number, found `{found}`")]
    Number { text: String, found: String },
    /// Too many dimensions or none.
    #[error("machine `{text}`: expected {expected}, found {actual}")]
    Count { text: String, expected: String, actual: usize },
    /// More processors than are supported.
    #[error("machine `{text}` has more than {} processors", super::MOST_PROCESSORS)]
    TooMany { text: String },
}
