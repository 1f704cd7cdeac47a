//! Children are found from parents.
//!
//! **Problem.** Every vertex knows its parent and nothing else. It is to learn its first
//! child, the sibling to its right, and a place of its own such that siblings lie side by
//! side.
//!
//! **Method.** One [sort](crate::collective::sort()) of all vertices by parent, then by number;
//! the root comes last. Neighbours tell each other who they are. Then everyone tells its
//! vertex where it has come to lie, and who is to the right; the first child of a parent also
//! tells the parent. Leaves hear from no child, and have to be told: the first child knows by
//! comparing which parent comes before its own, and all vertices between the two have no
//! children. Its parent tells them, who lie just before it; those behind the last parent hear
//! from the place of the root.
//!
//! **Messages.** A place waits for one message from each neighbour, a vertex for one from its
//! place and one that says whether it has children. No order matters.
//!
//! **Cost.** The sort, 9.2 n^1.5 on the Hilbert curve and k(k+1)/2 steps with n = 2^k; one
//! random permutation and one message per parent, 0.667 √n each; O(n) energy for the leaves.
//! A vertex receives two messages.
//!
//! **When not to use.** Where children are known.

use super::ProgramError;
use crate::collective::{Network, Range, below, below_first, sort};
use crate::machine::{Machine, Memory, Processor, Program};
use crate::plain;
use crate::program::tour::Links;
use palmette_core::NONE;

plain! {
    /// A child on the place where it was sorted to.
    #[derive(Debug, Clone, Copy)]
    struct Place {
        parent: u32,
        vertex: u32,
        /// The parent of the one before.
        before: u32,
        /// The sibling to the right.
        right: u32,
    }
}

struct Compare;

impl Program for Compare {
    type Constants = ();
    type State = Place;
    /// Whether it comes from the left; a parent and its child.
    type Message = (bool, u32, u32);

    fn start(state: &mut Place, processor: &mut Processor<'_, Self>) {
        let (me, Place { parent, vertex, .. }) = (processor.me(), *state);
        if me > 0 {
            processor.send(me - 1, (false, parent, vertex));
        }
        if me + 1 < processor.count() {
            processor.send(me + 1, (true, parent, vertex));
        }
    }

    fn receive(
        state: &mut Place,
        (left, parent, vertex): (bool, u32, u32),
        _: &mut Processor<'_, Self>,
    ) {
        if left {
            state.before = parent;
        } else if parent == state.parent {
            state.right = vertex;
        }
    }
}

plain! {
    /// A processor as a place, and as a vertex.
    #[derive(Debug, Clone, Copy)]
    struct State {
        place: Place,
        links: Links,
        /// Where the vertex has come to lie.
        at: u32,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum News {
        /// To a vertex: where it lies, and who is to the right.
        Place { at: u32, right: u32 },
        /// To a parent: its first child, and the parent before it.
        Child { first: u32, before: u32 },
        /// To a range of vertices, by way of its first or its hub: they have no children.
        Leaves(Range),
    }
}

struct Tell;

impl Program for Tell {
    type Constants = ();
    type State = State;
    type Message = News;

    fn start(state: &mut State, processor: &mut Processor<'_, Self>) {
        let (me, Place { parent, vertex, before, right }) = (processor.me(), state.place);
        processor.send(vertex, News::Place { at: me, right });
        if parent == NONE {
            // The last place: no parent comes after the one before.
            tell_leaves(after(before), processor.count(), processor);
        } else if before != parent {
            processor.send(parent, News::Child { first: vertex, before });
        }
    }

    fn receive(state: &mut State, news: News, processor: &mut Processor<'_, Self>) {
        match news {
            News::Place { at, right } => (state.at, state.links.right) = (at, right),
            News::Child { first, before } => {
                state.links.first_child = first;
                tell_leaves(after(before), processor.me(), processor);
            }
            News::Leaves(range) => {
                if processor.me() == range.first {
                    let rest = below_first(range);
                    rest.into_iter()
                        .for_each(|(part, hub)| processor.send(hub, News::Leaves(part)));
                } else {
                    below(range).for_each(|(part, hub)| processor.send(hub, News::Leaves(part)));
                }
            }
        }
    }
}

/// The first vertex that may be a leaf after a parent.
fn after(parent: u32) -> u32 {
    if parent == NONE { 0 } else { parent.saturating_add(1) }
}

fn tell_leaves(first: u32, end: u32, processor: &mut Processor<'_, Tell>) {
    if first < end {
        processor.send(first, News::Leaves(Range::new(first, end)));
    }
}

/// The links of all vertices, siblings in the order of their numbers, and a place for each
/// such that siblings lie side by side.
pub(super) fn children(
    machine: &mut Machine,
    name: &str,
    parents: Memory<u32>,
) -> Result<(Memory<Links>, Memory<u32>), ProgramError> {
    let all = Range::new(0, machine.processors() as u32);
    let items = parents.clone().map(|me, parent| ((parent, me), ()));
    let sorting = format!("{name}: sort");
    let sorted = sort(&mut machine.keep(&parents), &sorting, Network::OddEven, all, items)?;
    let places =
        sorted.map(|_, ((parent, vertex), ())| Place { parent, vertex, before: NONE, right: NONE });
    let comparing = format!("{name}: compare");
    let places = machine.keep(&parents).run::<Compare>(&comparing, (), places)?;
    let states = places.beside(parents).map(|_, (place, parent)| State {
        place,
        // Who is a leaf keeps this when it is told so.
        links: Links { parent, first_child: NONE, right: NONE },
        at: NONE,
    });
    let states = machine.run::<Tell>(&format!("{name}: tell"), (), states)?;
    Ok((states.clone().map(|_, state| state.links), states.map(|_, state| state.at)))
}
