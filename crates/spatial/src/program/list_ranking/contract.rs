//! Lists contract to their heads, and ranks go back out.
//!
//! **Method.** Let `v` lie between `u` and `w`. When it precedes both in priority it gives
//! way: `u` hears that `w` follows, `w` hears that it follows `u`, and its gap grows by
//! that of `v`. A missing successor and the head count as last of all; the head says so
//! to its successor, if that waits for it, and whoever knows it passes it on.
//!
//! *Nobody gives way on an outdated view.* Take the first element that does, and let `x`
//! be the neighbour that it believes in and that is gone. The view of `x` was up to date
//! when it gave way, so it had the element as a neighbour and preceded it in priority.
//! Then the element does not precede `x`, and waits. So both neighbours of an element
//! that gives way are still there, and neither gives way before it hears the news. Views
//! only move on, because no message is overtaken by two in a row: each takes one step.
//!
//! *Way back.* Those that gave way behind `u`, first to last, lie behind it in this order.
//! `u` keeps the last of them, and each keeps the one before: the neighbour that
//! it lost last, whoever its predecessor was by then. For when `u` itself gives way behind
//! `t`, its successor loses `u`, and `u` is now the one that gave way last behind `t`; those
//! behind `u` are reached from `u`. A contracted list is thus a binary tree: whoever knows
//! its rank tells the last behind it, who adds its gap, tells its own rank to its own last
//! and what it was told to the one before. That is the tree of the list with the highest
//! priority on top, and its height bounds both ways.
//!
//! **Cost.** Two messages per element to contract, one to come back.

use super::super::priority::Priorities;
use super::Element;
use crate::machine::{Processor, Program, words_of};
use crate::plain;
use palmette_core::NONE;

/// The words of an element.
pub const ELEMENT_WORDS: usize = 8;
/// The words of a message.
pub const RANKING_MESSAGE_WORDS: usize = 4;

plain! {
    /// An element while lists are ranked.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Node {
        predecessor: u32,
        successor: u32,
        /// From the predecessor.
        gap: u32,
        /// Who gave way last behind this element.
        last: u32,
        /// Who gave way behind the predecessor last.
        previous: u32,
        pub(super) rank: u32,
        /// The latest round that this element knows of.
        pub(super) stamp: u32,
        /// Whether the predecessor is the head; of a head: whether its successor knows.
        second: bool,
        /// Whether it gave way.
        out: bool,
    }
}

plain! {
    /// What elements tell each other; `slot` says to which one of a processor.
    #[derive(Debug, Clone, Copy)]
    pub(super) enum News {
        /// Your successor gave way.
        Successor { slot: u8, successor: u32, stamp: u32 },
        /// Your predecessor gave way.
        Predecessor { slot: u8, second: bool, predecessor: u32, gap: u32, stamp: u32 },
        /// Your predecessor is the head.
        Second { slot: u8 },
        /// The rank of the element behind which you gave way.
        Rank { slot: u8, of: u32 },
    }
}

impl News {
    fn slot(&self) -> usize {
        match *self {
            News::Successor { slot, .. }
            | News::Predecessor { slot, .. }
            | News::Second { slot }
            | News::Rank { slot, .. } => slot.into(),
        }
    }
}

/// The program; `S` elements per processor.
pub(super) struct Ranking<const S: usize>;

impl<const S: usize> Program for Ranking<S> {
    type Constants = Priorities;
    type State = [Node; S];
    type Message = News;

    fn start(nodes: &mut [Node; S], processor: &mut Processor<'_, Self>) {
        for (slot, node) in nodes.iter_mut().enumerate() {
            node.look(slot, processor);
        }
    }

    fn receive(nodes: &mut [Node; S], news: News, processor: &mut Processor<'_, Self>) {
        let slot = news.slot();
        let node = &mut nodes[slot];
        match news {
            News::Successor { successor, stamp, .. } => {
                node.last = node.successor;
                node.successor = successor;
                node.stamp = node.stamp.max(stamp);
            }
            News::Predecessor { second, predecessor, gap, stamp, .. } => {
                node.previous = node.predecessor;
                node.predecessor = predecessor;
                node.gap = node.gap.wrapping_add(gap);
                node.stamp = node.stamp.max(stamp);
                node.second = second;
            }
            News::Second { .. } => node.second = true,
            News::Rank { of, .. } => return node.settle(of, processor),
        }
        node.look(slot, processor);
    }

    fn phase(news: &News) -> u16 {
        matches!(news, News::Rank { .. }).into()
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}: {}", ["contract", "uncontract"][usize::from(phase)])
    }
}

impl Node {
    pub(super) fn new(element: Element) -> Node {
        Node {
            predecessor: element.predecessor,
            successor: element.successor,
            gap: element.gap,
            last: NONE,
            previous: NONE,
            rank: NONE,
            stamp: 0,
            second: false,
            out: false,
        }
    }

    /// Does what can be done now that something has changed.
    fn look<const S: usize>(&mut self, slot: usize, processor: &mut Processor<'_, Ranking<S>>) {
        let priorities = *processor.constants();
        let me = processor.me() * S as u32 + slot as u32;
        let before = |other| priorities.before(me, other);
        let Node { predecessor, successor, .. } = *self;
        if self.out {
            // Only links that disagree lead here.
        } else if predecessor != NONE {
            let first = self.second || before(predecessor);
            if first && (successor == NONE || before(successor)) {
                self.give_way(processor);
            }
        } else if successor == NONE {
            self.rank = 0;
            tell(self.last, 0, processor);
        } else if !self.second && before(successor) {
            self.second = true;
            send(successor, |slot| News::Second { slot }, processor);
        }
    }

    /// Ranks go out to those that gave way behind this element, and before it.
    fn settle<const S: usize>(&mut self, of: u32, processor: &mut Processor<'_, Ranking<S>>) {
        // Where links disagree, ranks could come again and again.
        if self.rank == NONE {
            self.rank = of.wrapping_add(self.gap);
            tell(self.previous, of, processor);
            tell(self.last, self.rank, processor);
        }
    }

    fn give_way<const S: usize>(&mut self, processor: &mut Processor<'_, Ranking<S>>) {
        let Node { predecessor, successor, gap, second, .. } = *self;
        self.out = true;
        self.stamp += 1;
        let stamp = self.stamp;
        send(predecessor, |slot| News::Successor { slot, successor, stamp }, processor);
        if successor != NONE {
            let news = |slot| News::Predecessor { slot, second, predecessor, gap, stamp };
            send(successor, news, processor);
        }
    }
}

/// Tells an element, if there is one, the rank of the one behind which it gave way.
fn tell<const S: usize>(element: u32, of: u32, processor: &mut Processor<'_, Ranking<S>>) {
    if element != NONE {
        send(element, |slot| News::Rank { slot, of }, processor);
    }
}

fn send<const S: usize>(
    element: u32,
    news: impl Fn(u8) -> News,
    processor: &mut Processor<'_, Ranking<S>>,
) {
    const { assert!(0 < S && S <= 1 << u8::BITS, "a slot is a byte") };
    let count = S as u32;
    processor.send(element / count, news((element % count) as u8));
}

const _: () = assert!(words_of::<Node>() == ELEMENT_WORDS);
const _: () = assert!(words_of::<News>() == RANKING_MESSAGE_WORDS);
