//! List ranking: how far every element of a linked list is from the list's head.
//!
//! **Problem.** Every processor has `S` elements; element `e` is number `e % S` of
//! processor `e / S`. An [`Element`] knows its successor, how much further than its
//! predecessor it is, and whether it is a head. Any number of disjoint lists may be ranked at
//! once. Every element is to learn the sum of the gaps from the head of its list.
//!
//! **Method.** Everyone tells its successor who it is. Then contraction by random priorities. An
//! element that precedes both its neighbours in priority gives way: it tells its predecessor
//! and its successor of each other, and how much lies between them. No coins are tossed, nobody
//! asks and nobody counts rounds. When its head is alone a list is contracted, and ranks go
//! back out; `contract.rs` says how, and why neighbours never give way together.
//!
//! *Any delays.* No order of messages is relied on, nor that one does not come: ranks, rounds,
//! messages and energy are the same whatever the delays. Where processors come from another
//! program, processor 0 waits for all before it spreads the seed, so that nothing piles up
//! before those that come late.
//!
//! **Cost.** To contract and to come back at most three messages per element and one per list;
//! before that one per element for predecessors and one per processor for the seed. An element
//! waits for those that gave way behind it: chains are as long as the height of a random search
//! tree, O(log n) with high probability. Measured on one random list of n elements on the
//! Hilbert curve, one element per processor; in parentheses with the seed and predecessors
//! [given](crate::machine::Given):
//!
//! | n | energy | depth | rounds |
//! |---|---|---|---|
//! | 2^8 | 2.73 n^1.5 (1.94) | 35 (30) | 15 |
//! | 2^12 | 2.72 n^1.5 (2.02) | 61 (54) | 27 |
//! | 2^16 | 2.68 n^1.5 (2.00) | 87 (78) | 39 |
//! | 2^18 | 2.67 n^1.5 (2.00) | 94 (84) | 42 |
//!
//! Four random permutations cost as much. The seed takes log2 n / 2 + 1 steps at most, before
//! which nobody gives way. Rounds are as many messages of a chain, and the rest of the
//! depth is twice that; over thirty seeds per size there were up to 2.83 log2 n, and 2.0 to 2.5
//! in the median. The distance is
//! 26 √n at 2^8, 69 √n at 2^18. After another program the seed takes twice as much: 1.84 n
//! more energy, log2 n / 2 + 1 steps more.
//!
//! A processor has [`ELEMENT_WORDS`] words per element and [`SEED_WORDS`] more; a message has
//! [`RANKING_MESSAGE_WORDS`]. What arrives is handled at once and not kept. At most 3 S + 1
//! messages came at a time in all tests, one from either side and a link or a rank for each
//! element, and the seed; delays that an enemy chooses could make O(log n) coincide. One that
//! comes late finds no more than links waiting, except where the seed is given: there up to
//! O(log n) news. Handlers take O(S) time.
//!
//! **Determinism.** Ranks depend on the lists alone; costs and rounds on the machine's
//! seed too, never on threads. On delays only the depth depends, and that only for several
//! elements per processor or a seed that is paid for: they share the processor's clock.
//!
//! **Reference.** Theorem 5 of *Low-Depth Spatial Tree Algorithms*, there by random mate.
//! Priorities: Shun, Gu, Blelloch, Fineman and Gibbons, *Sequential random permutation,
//! list contraction and tree contraction are highly parallel*, SODA 2015.
//!
//! **When not to use.** Where elements already lie in the order of the list: a
//! [scan](crate::collective::scan()) costs O(n).

mod contract;
pub mod random_mate;
#[cfg(test)]
mod tests;

pub use contract::{ELEMENT_WORDS, RANKING_MESSAGE_WORDS, SEED_WORDS};

/// The words of a processor for a [`rank`] of `S` elements per processor: for its state and the
/// messages that it holds, one from either side and a link or a rank for each element, and the
/// seed.
pub const fn ranking_words<const S: usize>() -> usize {
    program_words::<Ranking<S>>(3 * S + 1)
}

use super::ProgramError;
use super::priority::{assemble, priorities};
use crate::machine::{Gift, Machine, MachineError, Memory, program_words};
use crate::plain;
pub(super) use contract::Node;
use contract::{Nodes, Ranking, Rules};
use palmette_core::NONE;

plain! {
    /// What an element knows of its list before anything has run. [`NONE`] where there is
    /// nobody.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Element {
        /// The element before it.
        pub predecessor: u32,
        /// The element after it.
        pub successor: u32,
        /// How much further than its predecessor it is. Of no effect at a head.
        pub gap: u32,
    }
}

impl Element {
    /// A list of one: what a processor has in places that it does not use.
    pub const ALONE: Element = Element { predecessor: NONE, successor: NONE, gap: 1 };
}

/// Lists that have been ranked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranks<const S: usize> {
    /// How far every element is from its list's head. [`NONE`] for elements that go round
    /// in a circle.
    pub ranks: Memory<[u32; S]>,
    /// In which round every element gave way: one more than the latest of those that it
    /// waited for. At a head, the rounds of its list.
    pub stamps: Memory<[u32; S]>,
    /// The longest chain of elements of which each waited for the one before.
    pub rounds: u32,
}

/// Ranks lists of `S` elements per processor. The ledger's phases are `{name}: link`,
/// `{name}: seed`, `{name}: contract` and `{name}: uncontract`.
///
/// Elements learn their predecessors by messages, unless the machine
/// [gives](Gift::Predecessors) them: of `predecessor` only a head uses that it has none.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_spatial::curve::CurveKind;
/// use palmette_spatial::machine::{Machine, MachineParams, Memory};
/// use palmette_spatial::program::list_ranking::{Element, rank};
///
/// // Two lists: 0 before 2 before 1, and 3.
/// let element = |predecessor, successor| [Element { predecessor, successor, gap: 1 }];
/// let lists = [element(NONE, 2), element(2, NONE), element(0, 1), [Element::ALONE]];
/// let curve = CurveKind::Hilbert.fitting(4)?;
/// let mut machine = Machine::on_curve(&curve, 4, MachineParams::default())?;
/// let found = rank(&mut machine, "lists", Memory::from(lists.to_vec()))?;
/// assert_eq!(found.ranks.states(), [[0], [2], [1], [0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Lists for another number of processors, neighbours that no processor has, and what
/// stops the machine. Elements that disagree on who is next to whom are a mistake of the
/// host's: the program ends, and their ranks mean nothing.
pub fn rank<const S: usize>(
    machine: &mut Machine,
    name: &str,
    lists: Memory<[Element; S]>,
) -> Result<Ranks<S>, ProgramError> {
    if machine.takes(Gift::Predecessors) {
        return rank_linked(machine, name, lists);
    }
    let nodes = lists.map(|_, elements| {
        elements.map(|e| Node::new(e.predecessor == NONE, e.successor, e.gap, 0))
    });
    Ok(run(machine, name, nodes, false)?.ranks)
}

/// As [`rank`], for elements that know their predecessors because an earlier program has told
/// them: there is no phase `{name}: link`.
///
/// # Errors
/// As [`rank`].
pub fn rank_linked<const S: usize>(
    machine: &mut Machine,
    name: &str,
    lists: Memory<[Element; S]>,
) -> Result<Ranks<S>, ProgramError> {
    let nodes = lists.map(|_, elements| elements.map(Node::linked));
    Ok(run(machine, name, nodes, true)?.ranks)
}

/// Lists that have been ranked, and what was learned before.
pub(super) struct Ranked<const S: usize> {
    pub(super) ranks: Ranks<S>,
    pub(super) predecessors: Memory<[u32; S]>,
}

pub(super) fn run<const S: usize>(
    machine: &mut Machine,
    name: &str,
    nodes: Memory<[Node; S]>,
    linked: bool,
) -> Result<Ranked<S>, ProgramError> {
    let (expected, actual) = (machine.processors(), nodes.states().len());
    if expected != actual {
        return Err(MachineError::Processors { expected, actual }.into());
    }
    assemble(&mut machine.keep(&nodes), &format!("{name}: seed"))?;
    let rules = Rules { linked, seeded: machine.takes(Gift::Seed) };
    let nodes = nodes.beside(priorities(machine));
    let nodes = nodes.map(|_, (nodes, priorities)| Nodes { nodes, priorities });
    let nodes = machine.run::<Ranking<S>>(name, rules, nodes)?.map(|_, state| state.nodes);
    let rounds = nodes.states().iter().flatten().map(Node::stamp).max().unwrap_or(0);
    let ranks = Ranks {
        ranks: nodes.clone().map(|_, nodes| nodes.map(|node| node.rank())),
        stamps: nodes.clone().map(|_, nodes| nodes.map(|node| node.stamp())),
        rounds,
    };
    Ok(Ranked { ranks, predecessors: nodes.map(|_, nodes| nodes.map(|node| node.first())) })
}
