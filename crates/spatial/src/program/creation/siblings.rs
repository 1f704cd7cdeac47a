//! Siblings that lie in order tell the vertices where they stand.
//!
//! **Problem.** Siblings lie side by side and have been sorted. Every vertex, on its own
//! processor, is to learn its [`SiblingPlace`] among its siblings, and who its first child is.
//!
//! **Method.** Neighbours tell each other who they are, and a
//! [scan](crate::collective::scan()) of every range adds up the sizes before each. Then all
//! send what they know to their vertices, and the first of some siblings tells the parent
//! that it is the first, and of how many.
//!
//! **Messages.** A child waits for its neighbours in the range and for the scan; a vertex for
//! its place and, if it has children, for the first of them. It knows whether it has. No order
//! matters.
//!
//! **Cost.** One random permutation and one message per parent to bring all home, 0.667
//! n^1.5 and less; O(n) energy for the rest. Depth O(log D) with at most D children. At
//! most two messages are received in a step, four in the scan.

use super::ProgramError;
use super::group::Child;
use crate::collective::{Range, ScanKind, scan};
use crate::machine::{Machine, Memory, Processor, Program};
use crate::plain;
use palmette_core::NONE;
use palmette_core::operator::Sum;

plain! {
    /// Where a vertex stands among its siblings.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct SiblingPlace {
        /// The sibling to the right.
        pub(super) right: u32,
        /// The size of the sibling to the left.
        pub(super) left_size: u32,
        /// The sizes of all siblings to the left.
        pub(super) before: u32,
        /// How many siblings are to the left.
        pub(super) index: u32,
        /// How many children the parent has.
        pub(super) siblings: u32,
    }
}

plain! {
    /// What a vertex learns.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Standing {
        pub(super) place: SiblingPlace,
        pub(super) first_child: u32,
        pub(super) children: u32,
    }
}

plain! {
    /// A child, its range, and its neighbours there.
    #[derive(Debug, Clone, Copy)]
    struct Beside {
        range: Range,
        child: Child,
        left_size: u32,
        right: u32,
    }
}

struct Compare;

impl Program for Compare {
    type Constants = ();
    type State = Beside;
    /// Whether it comes from the left; the size of the left one, or who the right one is.
    type Message = (bool, u32);

    fn start(state: &mut Beside, processor: &mut Processor<'_, Self>) {
        let (me, Beside { range, child, .. }) = (processor.me(), *state);
        if me > range.first {
            processor.send(me - 1, (false, child.vertex));
        }
        if me + 1 < range.end {
            processor.send(me + 1, (true, child.size));
        }
    }

    fn receive(state: &mut Beside, (left, told): (bool, u32), _: &mut Processor<'_, Self>) {
        if left {
            state.left_size = told;
        } else {
            state.right = told;
        }
    }
}

plain! {
    /// A processor with a child, and as a vertex.
    #[derive(Debug, Clone, Copy)]
    struct State {
        child: Child,
        /// What the child is to be told.
        place: SiblingPlace,
        /// What this vertex has been told.
        standing: Standing,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum News {
        /// To a vertex.
        Sibling(SiblingPlace),
        /// To the parent.
        First { child: u32, children: u32 },
    }
}

struct Announce;

impl Program for Announce {
    type Constants = ();
    type State = State;
    type Message = News;

    fn start(state: &mut State, processor: &mut Processor<'_, Self>) {
        let State { child: Child { parent, vertex, .. }, place, .. } = *state;
        if parent != NONE && place.index == 0 {
            processor.send(parent, News::First { child: vertex, children: place.siblings });
        }
        if vertex == processor.me() {
            state.standing.place = place;
        } else {
            processor.send(vertex, News::Sibling(place));
        }
    }

    fn receive(state: &mut State, news: News, _: &mut Processor<'_, Self>) {
        let standing = &mut state.standing;
        match news {
            News::Sibling(place) => standing.place = place,
            News::First { child, children } => {
                (standing.first_child, standing.children) = (child, children);
            }
        }
    }
}

/// From children in sorted order to what every vertex knows of its family.
pub(super) fn announce(
    machine: &mut Machine,
    name: &str,
    ranges: Memory<Range>,
    children: Memory<Child>,
) -> Result<Memory<Standing>, ProgramError> {
    let sizes = children.clone().map(|_, child| child.size);
    let beside = ranges.clone().beside(children);
    let beside = beside.map(|_, (range, child)| Beside { range, child, left_size: 0, right: NONE });
    let comparing = format!("{name}: compare");
    let beside = machine.run::<Compare>(&comparing, (), beside)?;
    let sum = Sum::<u32>::new();
    let kind = ScanKind::Exclusive;
    let before = scan(&mut machine.keep(&beside), &comparing, sum, kind, ranges, sizes)?;
    let states = beside.beside(before).map(|me, (beside, before)| {
        let Beside { range, child, left_size, right } = beside;
        let (index, siblings) = (me - range.first, range.len());
        let place = SiblingPlace { right, left_size, before, index, siblings };
        State { child, place, standing: Standing { place, first_child: NONE, children: 0 } }
    });
    let states = machine.run::<Announce>(&format!("{name}: tell"), (), states)?;
    Ok(states.map(|_, state| state.standing))
}
