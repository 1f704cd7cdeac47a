//! Lists contract to their heads, and ranks go back out.
//!
//! **Method.** Let `v` lie between `u` and `w`. When it precedes both in priority it gives
//! way: `u` hears that `w` follows, `w` hears that it follows `u`, and both how much lies
//! between them. A missing successor and the head count as last of all; the head says so
//! to its successor, if that waits for it, and whoever knows it passes it on.
//!
//! *Nobody gives way on an outdated view.* Take the first element that does, and let `x`
//! be the neighbour that it believes in and that is gone. Two that were neighbours once are so
//! until one is gone, so `x` had the element as a neighbour when it gave way. Its view was up to
//! date, so it preceded the element in priority. Then the element does not precede `x`, and
//! waits. So both neighbours of an element that gives way are still there, and neither gives way
//! before it hears the news. Who gives way, and between whom, is thus decided by the priorities
//! alone: it is the tree of the list with the lowest priority at the bottom.
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
//! **Order of messages.** None is relied on. `w` may lose `u1`, then `u2` and more, and hear of
//! them in any order: O(log n) messages, too many to keep. It need not. `u2` gave way after it
//! had heard of `u1`, so its stamp is higher; and what it says holds of all that has gone between
//! `w` and the next, `u1` included. So the highest stamp counts, and what comes later with a lower
//! one is dropped. Only two messages hurry ahead of what they need. The head may greet an
//! element that has not heard from the last one between them: the element then waits for the
//! message that names the head. And `Link`, which tells an element its first predecessor, may
//! come after news of its going: then it comes too late. A rank comes to those that have given
//! way, who need no news any more.
//!
//! **Cost.** One message per element to learn the predecessors, two to contract, one to come back,
//! whatever the delays. Nor does depth depend on them, for one element per processor that knows
//! the seed: all that an element hears and need not wait for comes at a lower clock than what it
//! waits for. Handlers take O(1) time per element of a processor.

use super::super::priority::{Priorities, Spread};
use super::Element;
use crate::machine::{Processor, Program, words_of};
use crate::plain;
use palmette_core::NONE;

/// The words of an element.
pub const ELEMENT_WORDS: usize = 11;
/// The words of a processor beside its elements: the seed.
pub const SEED_WORDS: usize = 4;
/// The words of a message.
pub const RANKING_MESSAGE_WORDS: usize = 5;

plain! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Stage {
        Head,
        /// Behind another element.
        Inside,
        /// It gave way.
        Out,
        Ranked,
    }
}

plain! {
    /// An element while lists are ranked.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::program) struct Node {
        predecessor: u32,
        successor: u32,
        /// How much further than its first predecessor this element is; once ranked, its rank.
        gap: u32,
        /// The gaps of all that gave way between the predecessor and this element.
        skipped: u32,
        /// The gaps of all that gave way between this element and the successor.
        behind: u32,
        /// Who gave way last behind this element.
        last: u32,
        /// Who gave way behind the predecessor last.
        previous: u32,
        /// When the predecessor and the successor became what they are.
        stamps: [u32; 2],
        /// The predecessor before anyone gave way.
        first: u32,
        stage: Stage,
        /// Whether the predecessor is the head; of a head: whether its successor knows.
        second: bool,
        /// Whether it is still to hear who precedes it or what lies between.
        waiting: bool,
    }
}

plain! {
    /// The elements of a processor, and the seed if it knows it.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Nodes<const S: usize> {
        pub(super) nodes: [Node; S],
        pub(super) priorities: Option<Priorities>,
    }
}

plain! {
    /// What elements tell each other; `slot` says to which one of a processor.
    #[derive(Debug, Clone, Copy)]
    pub(super) enum News {
        /// The seed.
        Seed(Spread),
        /// You follow me.
        Link { slot: u8, predecessor: u32, skipped: u32 },
        /// Your successor gave way.
        Successor { slot: u8, successor: u32, gone: u32, behind: u32, stamp: u32 },
        /// Your predecessor gave way.
        Predecessor {
            slot: u8,
            second: bool,
            predecessor: u32,
            gone: u32,
            skipped: u32,
            stamp: u32,
        },
        /// Your predecessor is the head.
        Second { slot: u8, head: u32 },
        /// The rank of the element behind which you gave way.
        Rank { slot: u8, of: u32 },
    }
}

plain! {
    /// What all processors know.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Rules {
        /// Elements know their predecessors.
        pub(super) linked: bool,
        /// All processors know the seed.
        pub(super) seeded: bool,
    }
}

/// The program; `S` elements per processor.
pub(super) struct Ranking<const S: usize>;

impl<const S: usize> Program for Ranking<S> {
    type Constants = Rules;
    type State = Nodes<S>;
    type Message = News;

    fn start(state: &mut Nodes<S>, processor: &mut Processor<'_, Self>) {
        let Rules { linked, seeded } = *processor.constants();
        if let Some(priorities) = state.priorities.filter(|_| !seeded) {
            let told = Spread::first(processor.count(), priorities);
            told.into_iter().for_each(|(to, spread)| processor.send(to, News::Seed(spread)));
        }
        for slot in (0..S).filter(|_| !linked) {
            let Node { successor, behind, .. } = state.nodes[slot];
            if successor == NONE {
                continue;
            }
            let predecessor = number::<S>(slot, processor);
            let (to, slot) = place::<S>(successor);
            if to == processor.me() {
                state.nodes[usize::from(slot)].link(predecessor, behind);
            } else {
                processor.send(to, News::Link { slot, predecessor, skipped: behind });
            }
        }
        Self::look(state, processor);
    }

    fn receive(state: &mut Nodes<S>, news: News, processor: &mut Processor<'_, Self>) {
        let nodes = &mut state.nodes;
        let slot = match news {
            News::Seed(spread) => {
                state.priorities = Some(spread.priorities);
                spread.on().for_each(|(to, spread)| processor.send(to, News::Seed(spread)));
                return Self::look(state, processor);
            }
            News::Link { slot, predecessor, skipped } => {
                nodes[usize::from(slot)].link(predecessor, skipped);
                slot
            }
            News::Successor { slot, successor, gone, behind, stamp } => {
                let node = &mut nodes[usize::from(slot)];
                if stamp > node.stamps[1] {
                    (node.successor, node.last, node.behind) = (successor, gone, behind);
                    node.stamps[1] = stamp;
                }
                slot
            }
            News::Predecessor { slot, second, predecessor, gone, skipped, stamp } => {
                let node = &mut nodes[usize::from(slot)];
                // A head that has greeted stays the predecessor.
                let named = !node.second || node.predecessor == predecessor;
                if stamp > node.stamps[0] && named {
                    (node.predecessor, node.previous, node.skipped) = (predecessor, gone, skipped);
                    node.stamps[0] = stamp;
                    node.second |= second;
                    node.waiting = false;
                }
                slot
            }
            News::Second { slot, head } => {
                let node = &mut nodes[usize::from(slot)];
                node.waiting |= node.predecessor != head;
                (node.predecessor, node.second) = (head, true);
                slot
            }
            News::Rank { slot, of } => {
                return nodes[usize::from(slot)].settle(of, processor);
            }
        };
        nodes[usize::from(slot)].look(slot.into(), state.priorities, processor);
    }

    fn phase(news: &News) -> u16 {
        match news {
            News::Successor { .. } | News::Predecessor { .. } | News::Second { .. } => 0,
            News::Rank { .. } => 1,
            News::Link { .. } => 2,
            News::Seed(_) => 3,
        }
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}: {}", ["contract", "uncontract", "link", "seed"][usize::from(phase)])
    }
}

impl<const S: usize> Ranking<S> {
    /// Does what can be done now, for all elements.
    fn look(state: &mut Nodes<S>, processor: &mut Processor<'_, Self>) {
        for (slot, node) in state.nodes.iter_mut().enumerate() {
            node.look(slot, state.priorities, processor);
        }
    }
}

impl Node {
    /// An element that is to learn its predecessor. Its successor is `weight` further, and as much
    /// more as the successor's gap.
    pub(in crate::program) fn new(head: bool, successor: u32, gap: u32, weight: u32) -> Node {
        Node {
            predecessor: NONE,
            successor,
            gap,
            skipped: 0,
            behind: weight,
            last: NONE,
            previous: NONE,
            stamps: [0; 2],
            first: NONE,
            stage: if head { Stage::Head } else { Stage::Inside },
            second: false,
            waiting: !head,
        }
    }

    /// An element that knows its predecessor.
    pub(in crate::program) fn linked(element: Element) -> Node {
        let Element { predecessor, successor, gap } = element;
        Node {
            predecessor,
            first: predecessor,
            waiting: false,
            ..Node::new(predecessor == NONE, successor, gap, 0)
        }
    }

    /// The predecessor before anyone gave way.
    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// [`NONE`] where there is none.
    pub(super) fn rank(&self) -> u32 {
        if self.stage == Stage::Ranked { self.gap } else { NONE }
    }

    /// The round in which this element gave way; of a head the rounds of its list.
    pub(super) fn stamp(&self) -> u32 {
        self.stamps[0].max(self.stamps[1])
    }

    /// Hears who came first before this element, unless that one is known to be gone.
    fn link(&mut self, predecessor: u32, skipped: u32) {
        self.first = predecessor;
        let named = !self.second || self.predecessor == predecessor;
        if self.waiting && self.stamps[0] == 0 && named {
            (self.predecessor, self.skipped, self.waiting) = (predecessor, skipped, false);
        }
    }

    /// Does what can be done now that something has changed.
    fn look<const S: usize>(
        &mut self,
        slot: usize,
        priorities: Option<Priorities>,
        processor: &mut Processor<'_, Ranking<S>>,
    ) {
        let Some(priorities) = priorities else { return };
        let me = number::<S>(slot, processor);
        let before = |other| priorities.before(me, other);
        let Node { predecessor, successor, .. } = *self;
        match self.stage {
            Stage::Inside if !self.waiting => {
                let first = self.second || before(predecessor);
                if first && (successor == NONE || before(successor)) {
                    self.give_way(me, processor);
                }
            }
            Stage::Head if successor == NONE => {
                (self.gap, self.stage) = (0, Stage::Ranked);
                tell(self.last, 0, processor);
            }
            Stage::Head if !self.second && before(successor) => {
                self.second = true;
                send(successor, |slot| News::Second { slot, head: me }, processor);
            }
            _ => {}
        }
    }

    /// Ranks go out to those that gave way behind this element, and before it.
    fn settle<const S: usize>(&mut self, of: u32, processor: &mut Processor<'_, Ranking<S>>) {
        // Where links disagree, ranks could come again and again.
        if self.stage == Stage::Out {
            self.gap = self.gap.wrapping_add(self.skipped).wrapping_add(of);
            self.stage = Stage::Ranked;
            tell(self.previous, of, processor);
            tell(self.last, self.gap, processor);
        }
    }

    fn give_way<const S: usize>(&mut self, me: u32, processor: &mut Processor<'_, Ranking<S>>) {
        let Node { predecessor, successor, second, gap, .. } = *self;
        let between = gap.wrapping_add(self.skipped).wrapping_add(self.behind);
        let stamp = self.stamp() + 1;
        (self.stage, self.stamps) = (Stage::Out, [stamp; 2]);
        let gone = me;
        let news = |slot| News::Successor { slot, successor, gone, behind: between, stamp };
        send(predecessor, news, processor);
        if successor != NONE {
            let skipped = between;
            let news = |slot| News::Predecessor { slot, second, predecessor, gone, skipped, stamp };
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
    let (to, slot) = place::<S>(element);
    processor.send(to, news(slot));
}

/// The processor of an element, and which one it is there.
fn place<const S: usize>(element: u32) -> (u32, u8) {
    const { assert!(0 < S && S <= 1 << u8::BITS, "a slot is a byte") };
    let count = S as u32;
    (element / count, (element % count) as u8)
}

/// The number of an element of this processor.
fn number<const S: usize>(slot: usize, processor: &Processor<'_, Ranking<S>>) -> u32 {
    processor.me() * S as u32 + slot as u32
}

const _: () = {
    assert!(words_of::<Node>() == ELEMENT_WORDS);
    assert!(Ranking::<1>::STATE_WORDS == ELEMENT_WORDS + SEED_WORDS);
    assert!(Ranking::<2>::STATE_WORDS == 2 * ELEMENT_WORDS + SEED_WORDS);
    assert!(words_of::<News>() == RANKING_MESSAGE_WORDS);
};
