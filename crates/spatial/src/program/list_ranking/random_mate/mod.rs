//! List ranking as it was published: random mate in rounds, and a sequential base case.
//!
//! **Problem.** That of [list ranking](super).
//!
//! **Method.** Section IV as printed. In every round every element tosses a coin. One that shows
//! heads, behind one that shows tails, is in the set S: no two neighbours are. The element before
//! one of S jumps over it: it takes over its pointer, and adds its temporary rank to its own. When
//! Θ(log n) elements are left, the list is walked from its head. Then every step is reverted: who
//! knows its rank tells those that it jumped over, last first.
//!
//! *Made precise* where the text leaves it open:
//! - That Θ(log n) are left needs a count of all. An all-reduce in every round would have O(log n)
//!   depth, and Theorem 5 allows as much for all rounds together. So the number of rounds is
//!   fixed, [`rounds`], at which log n elements are left on average; if more are, the walk is
//!   longer and as right.
//! - The element that is jumped over keeps the temporary rank of the one before it from *before*
//!   the jump, and whom that one jumped over last: the text reads it later, when it has changed.
//! - A temporary rank here is the sum of the gaps of all elements jumped over, so that gaps need
//!   not be told to the element before.
//!
//! **Waiting.** Nobody uses time, or that a message does not come: every coin is answered, if only
//! by `Stay`, and a round ends for an element when it has been asked and answered. One of S first
//! waits for its successor's answer, which comes at once: behind heads nobody is in S. So the
//! successor has done with this round's coin before it hears from a new predecessor. *Order of
//! messages*: none is relied on. The coin of the next round may come while an element still waits
//! for its successor; it is kept, and there is no second one before it is answered. Only a list's
//! head needs to know that nobody comes before it.
//!
//! **Cost.** Two messages per live element and round, 8 n to contract, for in every round a quarter
//! of the elements goes; one each to come back. A round has depth 3 at most, the way back one per round.
//! Medians over eleven seeds of one random list on the Hilbert curve: 6.0 n^1.5 energy and 9.0 n
//! messages; 13 rounds and depth 46 at n = 2^8, 25 and 94 at 2^14. A processor
//! has [`MATE_ELEMENT_WORDS`] words per element and three more; a message has
//! [`MATE_MESSAGE_WORDS`]. Handlers take O(1) time, at the start O(S) with S elements.
//!
//! **Determinism.** Ranks depend on the lists alone; costs on the machine's seed too, never on
//! threads or delays.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section IV, Theorem 5; Anderson and Miller,
//! *A simple randomized parallel algorithm for list-ranking*, 1990.
//!
//! **When not to use.** For anything but comparisons: [ours](super::rank) takes half of the
//! energy.

mod node;
#[cfg(test)]
mod tests;

pub use node::{MATE_ELEMENT_WORDS, MATE_MESSAGE_WORDS};

/// The words of a processor for a [`rank`] of `S` elements per processor: for its state and the
/// messages that it holds, two for each element.
pub const fn ranking_words<const S: usize>() -> usize {
    program_words::<RandomMate<S>>(2 * S)
}

use super::{Element, Ranks};
use crate::machine::{Machine, MachineError, Memory, program_words};
use crate::program::coin::purses;
use node::{Node, RandomMate};

/// The rounds after which log2 n of n elements in a list are left on average: three quarters of
/// them stay in a round.
pub fn rounds(elements: usize) -> u32 {
    let log = (elements.max(2) as f64).log2();
    ((log - log.max(1.0).log2()) / (4.0f64 / 3.0).log2()).ceil() as u32
}

/// Ranks lists of `S` elements per processor, as [`super::rank`] does. The ledger has three phases,
/// `{name}: contract`, `{name}: walk` and `{name}: uncontract`. Stamps are the rounds in which
/// elements were jumped over; those that were not have the number of rounds.
///
/// # Errors
/// As [`super::rank`].
pub fn rank<const S: usize>(
    machine: &mut Machine,
    name: &str,
    lists: Memory<[Element; S]>,
) -> Result<Ranks<S>, MachineError> {
    let (expected, actual) = (machine.processors(), lists.states().len());
    if expected != actual {
        return Err(MachineError::Processors { expected, actual });
    }
    let rounds = rounds(machine.processors() * S);
    let nodes = purses(machine).beside(lists.map(|_, elements| elements.map(Node::new)));
    let nodes = machine.run::<RandomMate<S>>(name, rounds, nodes)?;
    Ok(Ranks {
        ranks: nodes.clone().map(|_, (_, nodes)| nodes.map(|node| node.rank)),
        stamps: nodes.map(|_, (_, nodes)| nodes.map(|node| node.round)),
        rounds,
    })
}
