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
    /// Distances for another number of levels.
    #[error("machine `{text}` has {expected} distances, the innermost first; found {found}")]
    Distances { text: String, expected: usize, found: usize },
    /// Distances for a machine whose distances are hops.
    #[error("machine `{text}`: its distances are hops; only hierarchies and nodes have others")]
    NoLevels { text: String },
    /// A dead processor that there is not.
    #[error("machine `{text}` has no processor {dead}; they go from 0 to {}", .processors - 1)]
    NoSuchProcessor { text: String, dead: u32, processors: usize },
    /// All processors are dead.
    #[error("machine `{text}` has no processor")]
    NoProcessor { text: String },
    /// Two processors without a way between them.
    #[error("machine `{text}` is not connected: no way from processor {} to {}", ends[0], ends[1])]
    Disconnected { text: String, ends: [String; 2] },
    /// A tree of groups has no single nodes that could be missing.
    #[error("machine `{text}` has no network; only machines with one can do without processors")]
    NoNetwork { text: String },
    /// Too many points for a table of hops.
    #[error(
        "a network of {points} points is too large; at most {} are supported",
        super::MOST_POINTS
    )]
    TooManyPoints { points: usize },
    /// A table that does not fit.
    #[error(transparent)]
    NoRoom(#[from] palmette_core::memory::NoRoom),
    /// Distances in the text and beside it.
    #[error("machine `{text}` says its distances after @ already")]
    Twice { text: String },
}
