//! Queries that a vertex has no room for go to their blocks.
//!
//! **Problem.** Every vertex knows which numbers its blocks have, and everyone where a block of
//! some number lies ([`Spread`]). The queries of the blocks are to get there, with what the vertex
//! knows of itself.
//!
//! **Method.** Queries are input of their vertices. A processor has no room for all of them: it reads
//! [`READ`] blocks at a time and sends each to its place, until it has no more. One run of the
//! program is one such reading, everywhere at once.
//!
//! **Messages.** A block waits for one message, from its vertex. How often others read nobody has to
//! know. No order matters.
//!
//! **Cost.** A message of seven words per block, none where the vertex has the block itself: as much
//! energy as blocks lie far from their vertices. That is 1.2 n with n random pairs at n = 2^16, on
//! random recursive trees, and up to O(n^1.5) with all queries at a few vertices. The depth is 1,
//! and one more for each vertex in a row that gets a block while it has some to send.
//!
//! **Determinism.** Nothing depends on delays, clocks, threads or random bits.

use super::{OnPath, QUERIES};
use crate::collective::{Range, Spread};
use crate::machine::{Machine, MachineError, Memory, Processor, Program};
use crate::plain;
use palmette_core::NONE;

/// How many blocks a vertex reads at a time.
const READ: usize = 8;

/// The other vertices of the queries in one block.
pub(super) type Others = [u32; QUERIES];

plain! {
    /// What a vertex tells a block: seven words.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Dealt {
        /// The vertex, the first address of its subtree.
        pub(super) owner: u32,
        /// The address after its subtree.
        pub(super) end: u32,
        /// Its layer: how many subtrees of the cover it is in.
        pub(super) layer: u32,
        pub(super) others: Others,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    struct Dealing {
        vertex: OnPath,
        /// The blocks that are not sent yet.
        left: Range,
        /// The first of them.
        read: [Others; READ],
        got: Option<Dealt>,
    }
}

struct Deal;

impl Program for Deal {
    type Constants = Spread;
    type State = Dealing;
    type Message = Dealt;

    fn start(state: &mut Dealing, processor: &mut Processor<'_, Self>) {
        let (owner, OnPath { subtree, layer, .. }) = (processor.me(), state.vertex);
        let blocks = state.left.first..state.left.end;
        for (block, others) in blocks.zip(state.read) {
            let dealt = Dealt { owner, end: subtree.end, layer, others };
            state.left.first += 1;
            match processor.constants().address(block) {
                to if to == owner => state.got = Some(dealt),
                to => processor.send(to, dealt),
            }
        }
    }

    fn receive(state: &mut Dealing, dealt: Dealt, _: &mut Processor<'_, Self>) {
        state.got = Some(dealt);
    }
}

/// Sends the queries of all blocks to where they lie: `own` are the numbers of every vertex's, and
/// `input` has the queries of a number. Returns what every processor has got.
pub(super) fn deal(
    machine: &mut Machine,
    spread: Spread,
    vertices: &Memory<OnPath>,
    own: Memory<Range>,
    input: &[Others],
) -> Result<Memory<Option<Dealt>>, MachineError> {
    let mut states = vertices.clone().beside(own).map(|_, (vertex, left)| Dealing {
        vertex,
        left,
        read: [[NONE; QUERIES]; READ],
        got: None,
    });
    while states.states().iter().any(|state| !state.left.is_empty()) {
        let next = |address: u32| {
            let Range { first, end } = states.states()[address as usize].left;
            let mut read = [[NONE; QUERIES]; READ];
            let left = &input[first as usize..first.max(end) as usize];
            read.iter_mut().zip(left).for_each(|(read, others)| *read = *others);
            read
        };
        let read = Memory::new(states.states().len(), next);
        states = states.beside(read).map(|_, (state, read)| Dealing { read, ..state });
        states = machine.run::<Deal>("queries to blocks", spread, states)?;
    }
    Ok(states.map(|_, state| state.got))
}
