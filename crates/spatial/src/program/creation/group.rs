//! Siblings come to lie side by side.
//!
//! **Problem.** Every vertex knows its neighbours and its size. Afterwards the children of
//! every vertex are to lie on consecutive processors, in any order, and each processor is
//! to know the range of those that have the siblings of its own.
//!
//! **Method.** Where children were [found](super::children) by a sort, that has given everyone
//! a place beside its siblings. Where they are given, one list goes through all vertices but
//! the root: the children of the first parent by address, then those of the next. From left
//! to right siblings know each other. A [scan](crate::collective::scan()) by address tells
//! every parent the last child of the parent before; it tells that one and its own first child
//! of each other. Nobody comes before the first parent, which tells its first child so. The
//! last processor knows from the scan who the last child of all is, and tells it that nobody
//! follows. The list is [ranked](rank_linked), and the rank is the place, behind the root.
//!
//! Everyone moves to its place. There another scan tells the last of some siblings where the
//! first is. It tells the first where they end, and the first spreads that: everyone passes it
//! on to the heads of the two halves of what follows. A vertex hears from two, however many
//! children it has.
//!
//! **Messages.** A first child waits for who comes before it in the list, a last one for who
//! comes after it, everyone on its place for the end of its range unless it is alone there:
//! first and last know that they are. No order matters.
//!
//! **Cost.** The ranking, at most 2.0 n^1.5; two messages per parent and one per vertex beside
//! it, 0.667 √n each; O(n) energy for the rest, since siblings are now contiguous on the
//! curve. In all 3.3 n^1.5 on random trees of 2^16 vertices, 0.67 n^1.5 where places are known.
//! Depth O(log n) with high probability. At most four messages are received in a step: in a
//! scan, or when a vertex that was told of a neighbour enters the ranking, one step after
//! others have.

use super::ProgramError;
use crate::collective::{Range, ScanKind, even_out, permute, scan};
use crate::machine::{Gift, Machine, Memory, Processor, Program};
use crate::plain;
use crate::program::list_ranking::{Element, rank_linked};
use crate::program::tour::Links;
use palmette_core::operator::Max;
use palmette_core::{Monoid, NONE};

plain! {
    /// What a vertex knows after the first tour.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Vertex {
        pub(super) links: Links,
        /// The sibling to the left.
        pub(super) left: u32,
        pub(super) last_child: u32,
        pub(super) size: u32,
    }
}

plain! {
    /// A vertex among its siblings: sorted by size, then by number.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(super) struct Child {
        pub(super) size: u32,
        pub(super) vertex: u32,
        pub(super) parent: u32,
    }
}

plain! {
    /// The last address that there is.
    #[derive(Debug, Clone, Copy)]
    struct Latest;
}

impl Monoid for Latest {
    type Elem = u32;
    fn identity(&self) -> u32 {
        NONE
    }
    fn combine(&self, left: u32, right: u32) -> u32 {
        if right == NONE { left } else { right }
    }
}

plain! {
    /// A vertex in the list of all children.
    #[derive(Debug, Clone, Copy)]
    struct Chained {
        first_child: u32,
        last_child: u32,
        /// The last child of the parent before this vertex.
        before: u32,
        /// Its neighbours in the list.
        neighbours: [u32; 2],
    }
}

struct Chain;

impl Program for Chain {
    type Constants = ();
    type State = Chained;
    /// Which neighbour, and who it is.
    type Message = (u32, u32);

    fn start(state: &mut Chained, processor: &mut Processor<'_, Self>) {
        let Chained { first_child, last_child, before, .. } = *state;
        if first_child != NONE {
            processor.send(first_child, (0, before));
            if before != NONE {
                processor.send(before, (1, first_child));
            }
        }
        let last = Latest.combine(before, last_child);
        if processor.me() + 1 == processor.count() && last != NONE {
            processor.send(last, (1, NONE));
        }
    }

    fn receive(state: &mut Chained, (side, who): (u32, u32), _: &mut Processor<'_, Self>) {
        state.neighbours[side as usize] = who;
    }
}

/// A child on its place, and whether it is the first or the last of its siblings there.
type Grouped = (Child, [bool; 2]);

plain! {
    /// The range of siblings that a place is in, and whether it is their last.
    #[derive(Debug, Clone, Copy)]
    struct Spanned {
        range: Range,
        last: bool,
    }
}

struct Span;

impl Program for Span {
    type Constants = ();
    type State = Spanned;
    /// Where the range ends, and how many places of it, from this one on, are to be told.
    type Message = (u32, u32);

    fn start(state: &mut Spanned, processor: &mut Processor<'_, Self>) {
        let (first, end) = (state.range.first, processor.me() + 1);
        if state.last && first + 1 == end {
            state.range.end = end;
        } else if state.last {
            processor.send(first, (end, end - first));
        }
    }

    fn receive(
        state: &mut Spanned,
        (end, length): (u32, u32),
        processor: &mut Processor<'_, Self>,
    ) {
        state.range.end = end;
        let (near, second) = (processor.me() + 1, length / 2);
        let first = length - 1 - second;
        for (head, length) in [(near, first), (near + first, second)] {
            if length > 0 {
                processor.send(head, (end, length));
            }
        }
    }
}

/// A place for every vertex such that siblings lie side by side, the root on processor 0;
/// also the rounds of the ranking.
pub(super) fn rank_children(
    machine: &mut Machine,
    name: &str,
    vertices: Memory<Vertex>,
) -> Result<(Memory<u32>, u32), ProgramError> {
    let all = Range::new(0, machine.processors() as u32);
    let chaining = format!("{name}: chain");
    let machine = &mut machine.keep(&vertices);
    let lasts = vertices.clone().map(|_, vertex| vertex.last_child);
    let before = scan(machine, &chaining, Latest, ScanKind::Exclusive, all, lasts)?;
    if machine.takes(Gift::Seed) {
        // Nobody is to enter the ranking late: messages would pile up before it. Who spreads
        // the seed would wait for all.
        even_out(machine, &chaining, all)?;
    }
    let chain = vertices.clone().beside(before).map(|_, (vertex, before)| Chained {
        first_child: vertex.links.first_child,
        last_child: vertex.last_child,
        before,
        neighbours: [vertex.left, vertex.links.right],
    });
    let chain = machine.run::<Chain>(&chaining, (), chain)?;
    let elements = chain.map(|_, Chained { neighbours: [predecessor, successor], .. }| {
        [Element { predecessor, successor, gap: 1 }]
    });
    let list = rank_linked(machine, name, elements)?;
    let places = vertices.beside(list.ranks).map(|_, (vertex, [rank])| {
        if vertex.links.parent == NONE { 0 } else { rank.saturating_add(1) }
    });
    Ok((places, list.rounds))
}

/// Every vertex moves to its place beside its siblings. Returns the ranges of siblings and
/// who lies where.
pub(super) fn group(
    machine: &mut Machine,
    name: &str,
    vertices: Memory<Vertex>,
    places: Memory<u32>,
) -> Result<(Memory<Range>, Memory<Child>), ProgramError> {
    let all = Range::new(0, machine.processors() as u32);
    let children = vertices.map(|me, Vertex { links, left, size, .. }| -> Grouped {
        let child = Child { size, vertex: me, parent: links.parent };
        (child, [left == NONE, links.right == NONE])
    });
    let places = places.map(|_, place| Some(place));
    let grouped = permute(machine, &format!("{name}: move"), places, children)?;
    let grouped = grouped.map(|_, arrived| arrived.expect("one child moves to every place"));
    let firsts = grouped.clone().map(|me, (_, [first, _])| if first { me } else { 0 });
    let spanning = format!("{name}: span");
    let machine = &mut machine.keep(&grouped);
    let firsts = scan(machine, &spanning, Max::<u32>::new(), ScanKind::Inclusive, all, firsts)?;
    let spans = grouped
        .clone()
        .beside(firsts)
        .map(|_, ((_, [_, last]), first)| Spanned { range: Range::new(first, 0), last });
    let spans = machine.run::<Span>(&spanning, (), spans)?;
    let ranges = spans.map(|_, Spanned { range, .. }| range);
    Ok((ranges, grouped.map(|_, (child, _)| child)))
}
