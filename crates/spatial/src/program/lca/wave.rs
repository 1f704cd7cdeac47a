//! Queries that are on the machine at one time, and where they lie.
//!
//! **Problem.** Every pair is to be kept at both of its vertices, and a vertex has room for
//! [`QUERIES`].
//!
//! **Method.** Queries are input of their vertices, as the layout of the tree is. A vertex has its
//! first four queries, and knows how many blocks of four more there are. It reads those and sends
//! them to where they lie, which is found by messages (`blocks.rs`). A pair of a vertex and itself
//! is kept once. Where there are copies of vertices for all queries, the
//! first four queries of a vertex go to the topmost copy, the next four to the one after it.
//!
//! A wave has at most two pairs per processor. More of them are further waves: vertices read their
//! next queries when those before have been answered.
//!
//! **Cost.** Linear work; 76 bytes per processor and 24 per pair.

use super::deal::Others;
use super::{QUERIES, Queries};
use crate::collective::Spread;
use crate::machine::Memory;
use crate::plain;
use palmette_core::NONE;

/// Where a query is kept.
#[derive(Debug, Clone, Copy)]
struct Seat {
    address: u32,
    slot: u8,
    in_block: bool,
}

plain! {
    /// A block of queries that lies on another processor than its vertex: nine words.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Held {
        /// Whose they are; [`NONE`] where there is no block.
        pub(super) owner: u32,
        pub(super) queries: Queries,
    }
}

impl Held {
    pub(super) const NOTHING: Held = Held { owner: NONE, queries: Queries::EMPTY };
}

/// Queries on the machine.
#[derive(Debug, Clone)]
pub(super) struct Wave {
    /// Those that vertices have themselves.
    pub(super) queries: Memory<Queries>,
    /// How many blocks every vertex has elsewhere.
    pub(super) more: Memory<u32>,
    /// What vertices have still to read: the queries of all blocks, in the order of vertices.
    pub(super) input: Vec<Others>,
    /// The block that lies on every processor, once it has got there.
    pub(super) held: Memory<Held>,
    /// The two seats of every pair.
    seats: Vec<[Seat; 2]>,
}

/// The number of queries that each of `n` vertices keeps.
pub(super) fn count_ends(n: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut ends = vec![0u32; n];
    for &(u, v) in pairs {
        ends[u as usize] += 1;
        ends[v as usize] += u32::from(u != v);
    }
    ends
}

impl Wave {
    /// What vertices have no room for lies in blocks.
    pub(super) fn of_blocks(n: usize, pairs: &[(u32, u32)]) -> Wave {
        let ends = count_ends(n, pairs);
        let more: Vec<u32> =
            ends.iter().map(|ends| ends.div_ceil(QUERIES as u32).saturating_sub(1)).collect();
        let before: Vec<u32> =
            more.iter().scan(0, |sum, more| Some(std::mem::replace(sum, *sum + more))).collect();
        let spread = Spread::new(more.iter().sum(), n as u32);
        let spread = spread.expect("two pairs per processor fill no more blocks than those");
        let mut wave = Wave::empty(more.into());
        wave.deal(pairs, |vertex, block| match block {
            0 => (vertex, vertex, None),
            block => {
                let number = before[vertex as usize] + block - 1;
                (spread.address(number), vertex, Some(number))
            }
        });
        wave
    }

    /// Vertices have copies just behind them, and those have room.
    pub(super) fn of_copies(n: usize, pairs: &[(u32, u32)]) -> Wave {
        let mut wave = Wave::empty(Memory::new(n, |_| 0));
        wave.deal(pairs, |top, copy| (top + copy, top + copy, None));
        wave
    }

    fn empty(more: Memory<u32>) -> Wave {
        let n = more.states().len();
        let input = vec![[NONE; QUERIES]; more.states().iter().sum::<u32>() as usize];
        let queries = Memory::new(n, |_| Queries::EMPTY);
        Wave { queries, more, input, held: Memory::new(n, |_| Held::NOTHING), seats: Vec::new() }
    }

    /// Deals pairs out: `place` says, for a vertex and the number of one of its blocks, the
    /// processor, the vertex that stands for the query, and the block's number if it is elsewhere.
    fn deal(&mut self, pairs: &[(u32, u32)], place: impl Fn(u32, u32) -> (u32, u32, Option<u32>)) {
        let mut queries = self.queries.states().to_vec();
        let mut taken = vec![0u32; queries.len()];
        for &(u, v) in pairs {
            let mut seat = |vertex: u32| {
                let taken = &mut taken[vertex as usize];
                let (block, slot) = (*taken / QUERIES as u32, *taken % QUERIES as u32);
                *taken += 1;
                let (address, stands, number) = place(vertex, block);
                let seat = Seat { address, slot: slot as u8, in_block: number.is_some() };
                (seat, stands, number)
            };
            let first = seat(u);
            let second = if u == v { first } else { seat(v) };
            for ((seat, _, number), (_, other, _)) in [(first, second), (second, first)] {
                let others = match number {
                    Some(number) => &mut self.input[number as usize],
                    None => &mut queries[seat.address as usize].other,
                };
                others[usize::from(seat.slot)] = other;
            }
            self.seats.push([first.0, second.0]);
        }
        self.queries = queries.into();
    }

    /// The answers, by pair, as addresses.
    pub(super) fn answers(&self) -> impl Iterator<Item = u32> {
        let at = |Seat { address, slot, in_block }: Seat| {
            let address = address as usize;
            let queries = if in_block {
                &self.held.states()[address].queries
            } else {
                &self.queries.states()[address]
            };
            queries.lca[usize::from(slot)]
        };
        self.seats.iter().map(move |&[first, second]| {
            let (first, second) = (at(first), at(second));
            let known = first.min(second); // NONE is the largest
            debug_assert!([first, second].iter().all(|&lca| lca == known || lca == NONE));
            assert_ne!(known, NONE, "Corollary 3: every query has an answer");
            known
        })
    }
}
