//! How pieces in other processes are reached.
//!
//! A world on one process is [`Alone`]. [`channels`] connects worlds on threads of one
//! process; they behave like ranks of an MPI job and are there for tests. MPI itself is
//! in the crate `palmette-mpi`.

mod channel;

pub use channel::{ChannelTransport, channels};

use std::ops::Range;
use thiserror::Error;

/// Why an exchange failed. What was computed is lost: the run must end.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TransportError {
    /// A message of another length.
    #[error("rank {rank} expected {expected} words from rank {from}, found {found}")]
    Length { rank: usize, from: usize, expected: usize, found: usize },
    /// Another rank does something else: programs are not the same.
    #[error("rank {rank} expected {expected} from rank {from}, found {found}")]
    Kind { rank: usize, from: usize, expected: &'static str, found: &'static str },
    /// A rank has ended.
    #[error("rank {from} has ended while rank {rank} waits for it")]
    Gone { rank: usize, from: usize },
    /// A rank has asked all to end.
    #[error("rank {from} ended the run: {message}")]
    Aborted { from: usize, message: String },
    /// The library that carries messages failed.
    #[error("rank {rank}: {message}")]
    Library { rank: usize, message: String },
}

/// Messages between the ranks of a run.
///
/// An exchange sends every rank a fixed number of words and receives a fixed number from
/// each. The words for rank 0 come first in [`outgoing`](Transport::outgoing), then those
/// for rank 1, and so on; likewise for those received. Every rank must call the same
/// functions in the same order.
pub trait Transport: Send {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn ranks(&self) -> usize;

    /// Says how many words later exchanges send to and receive from each rank.
    ///
    /// # Errors
    /// When the library that carries messages fails.
    fn connect(&mut self, sends: &[usize], receives: &[usize]) -> Result<(), TransportError>;

    /// Where the words to send are put, before [`begin`](Transport::begin).
    fn outgoing(&mut self) -> &mut [f64];

    /// Starts an exchange; it may go on while the caller computes.
    ///
    /// # Errors
    /// When a rank has ended, or the library fails.
    fn begin(&mut self) -> Result<(), TransportError>;

    /// Waits for the end of the exchange; what was received.
    ///
    /// # Errors
    /// When a message has another length than was said, a rank has ended, or the library
    /// fails.
    fn finish(&mut self) -> Result<&[f64], TransportError>;

    /// Gives every rank the numbers of all, in the order of ranks; rank `r` has `counts[r]`.
    ///
    /// # Errors
    /// As [`finish`](Transport::finish).
    fn gather(
        &mut self,
        own: &[f64],
        counts: &[usize],
        all: &mut [f64],
    ) -> Result<(), TransportError>;

    /// Ends the run on every rank with a message. On MPI this does not return.
    fn abort(&self, message: &str);
}

/// Which of `parts` a rank has: consecutive ones, as many as others have or one fewer.
pub fn parts_of_rank(rank: usize, ranks: usize, parts: usize) -> Range<usize> {
    rank * parts / ranks..(rank + 1) * parts / ranks
}

/// One process that has all pieces.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn connect(&mut self, _: &[usize], _: &[usize]) -> Result<(), TransportError> {
        Ok(())
    }

    fn outgoing(&mut self) -> &mut [f64] {
        &mut []
    }

    fn begin(&mut self) -> Result<(), TransportError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<&[f64], TransportError> {
        Ok(&[])
    }

    fn gather(&mut self, own: &[f64], _: &[usize], all: &mut [f64]) -> Result<(), TransportError> {
        all.copy_from_slice(own);
        Ok(())
    }

    fn abort(&self, _: &str) {}
}
