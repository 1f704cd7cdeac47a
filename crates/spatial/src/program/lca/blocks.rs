//! Blocks that hold more queries of vertices: where they lie, and how queries get there.
//!
//! **Problem.** Vertices know how many blocks they need for the queries that they have no room
//! for. The queries are to get there, and paths' first vertices are to be able to speak to all
//! blocks of their subtrees.
//!
//! **Method.** Blocks lie in the order of their vertices, evenly on the machine, at most one per
//! processor: those of a subtree are a range, and so are those of a vertex. A [scan](crate::collective::scan()) tells everyone how many blocks
//! come before its own. The first vertex of a path asks the last vertex of its subtree how many
//! come before the next; the root so learns how many there are at all, and a
//! [broadcast](crate::collective::broadcast()) tells everyone: then everyone knows where each
//! lies. Every vertex sends its queries there, with its range of addresses and its layer
//! (`deal.rs`).
//!
//! **Messages.** The first of a path waits for one answer, unless it is alone in its subtree. A
//! vertex may be asked and need not know: on the way up, subtrees that end at one vertex belong
//! to one path, so that there is one question at most. A block waits for its vertex. No order
//! matters.
//!
//! **Cost.** O(log n) depth. O(n) energy for scan and broadcast, 5.5 n; two messages across
//! every subtree at the head of a path; one message per block, short where queries are as dense
//! everywhere, and up to the grid's two sides otherwise. With n random pairs at n = 2^16, measured
//! on random recursive trees: 1.3 n for the subtrees, 1.2 n for the queries, and 2.8 n when blocks
//! hear of the cover. Blocks far from their vertices, all queries being at a few of those, cost
//! O(n^1.5) at worst.
//!
//! **Determinism.** Nothing depends on delays, clocks, threads or random bits.

use super::deal::{Dealt, Others, deal};
use super::wave::Held;
use super::{Fork, PathDecomposition, Queries};
use crate::collective::{Range, ScanKind, Spread, broadcast, scan};
use crate::machine::{Machine, Memory, Processor, Program};
use crate::plain;
use crate::program::ProgramError;
use palmette_core::NONE;
use palmette_core::operator::Sum;

plain! {
    /// A vertex that asks where the blocks of its subtree end, and is asked.
    #[derive(Debug, Clone, Copy)]
    struct Asking {
        /// The last vertex of the subtree, or [`NONE`].
        last: u32,
        /// How many blocks come before those of this vertex, and before the next one's.
        own: Range,
        /// How many come before those of the next vertex after the subtree.
        end: u32,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum Message {
        /// From so and so.
        Question(u32),
        Answer(u32),
    }
}

struct Ask;

impl Program for Ask {
    type Constants = ();
    type State = Asking;
    type Message = Message;

    fn start(state: &mut Asking, processor: &mut Processor<'_, Self>) {
        match state.last {
            NONE => {}
            last if last == processor.me() => state.end = state.own.end,
            last => processor.send(last, Message::Question(processor.me())),
        }
    }

    fn receive(state: &mut Asking, message: Message, processor: &mut Processor<'_, Self>) {
        match message {
            Message::Question(by) => processor.send(by, Message::Answer(state.own.end)),
            Message::Answer(end) => state.end = end,
        }
    }
}

plain! {
    /// A block that knows its vertex: ten words.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Block {
        pub(super) held: Held,
        /// How many subtrees of the cover it has not heard of yet.
        pub(super) unheard: u32,
    }
}

impl Block {
    /// The queries that the vertex itself answers are answered.
    fn met(_: u32, dealt: Option<Dealt>) -> Block {
        let Some(Dealt { owner, end, layer, others }) = dealt else {
            return Block { held: Held::NOTHING, unheard: 0 };
        };
        let queries = Queries { other: others, ..Queries::EMPTY };
        let queries = Queries::about_descendants(owner, (queries, Range::new(owner, end)));
        Block { held: Held { owner, queries }, unheard: layer }
    }

    /// Answers queries about vertices that a fork parts from the block's.
    pub(super) fn across(_: u32, (block, fork): (Block, Option<Fork>)) -> Block {
        let queries = Queries::across(block.held.owner, (block.held.queries, fork));
        let unheard = block.unheard - u32::from(fork.is_some());
        Block { held: Held { queries, ..block.held }, unheard }
    }
}

/// Blocks whose vertices know them.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) spread: Spread,
    /// The blocks of the subtree of every path's first vertex.
    pub(super) below: Memory<Range>,
    pub(super) blocks: Memory<Block>,
}

/// Finds room for the queries of blocks, which vertices have `more` of, and brings them there.
/// `None` when there are no blocks.
pub(super) fn find_blocks(
    machine: &mut Machine,
    paths: &PathDecomposition,
    more: Memory<u32>,
    input: &[Others],
) -> Result<Option<Blocks>, ProgramError> {
    let processors = machine.processors() as u32;
    let all = Range::new(0, processors);
    let sum = Sum::<u32>::new();
    let machine = &mut machine.keep(&paths.vertices);
    let before = scan(machine, "blocks before", sum, ScanKind::Exclusive, all, more.clone())?;
    let own = before.beside(more).map(|_, (before, more)| Range::new(before, before + more));
    let asking = own.clone().beside(paths.vertices.clone()).map(|_, (own, vertex)| {
        let asks = vertex.is_light() || vertex.above.is_empty();
        Asking { last: if asks { vertex.subtree.end - 1 } else { NONE }, own, end: own.first }
    });
    let asked = machine.run::<Ask>("blocks below", (), asking)?;
    let below = asked.map(|_, Asking { own, end, .. }| Range::new(own.first, end));
    let machine = &mut machine.keep(&below);
    let count = below.clone().map(|_, below| below.len());
    let count = broadcast(&mut machine.keep(&own), "number of blocks", all, count)?;
    let count = count.states().first().copied().unwrap_or(0);
    if count == 0 {
        return Ok(None);
    }
    let spread = Spread::new(count, processors).expect("at most one block per processor");
    let blocks = deal(machine, spread, &paths.vertices, own, input)?.map(Block::met);
    Ok(Some(Blocks { spread, below, blocks }))
}
