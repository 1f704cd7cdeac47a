//! Why a collective fails.

use super::Range;
use crate::machine::MachineError;
use thiserror::Error;

/// Why a collective fails.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CollectiveError {
    /// The machine stopped.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// A processor's range does not contain it, reaches beyond the machine, or is not
    /// what the other processors of the range hold.
    #[error("processor {processor}: the processors of {range} do not agree on the range")]
    Range { processor: u32, range: Range },
    /// Several processors sent to one address; the lowest such address.
    #[error("address {address} received {messages} messages of a permutation")]
    Conflict { address: u32, messages: u32 },
    /// A range has no key of this rank.
    #[error("rank {rank} of the {} keys of {range}; ranks count from 0", range.len())]
    Rank { rank: u32, range: Range },
    /// Several processors read one cell; the lowest such cell.
    #[error("cell {cell} has {readers} readers in one exclusive read")]
    Readers { cell: u32, readers: u32 },
}
