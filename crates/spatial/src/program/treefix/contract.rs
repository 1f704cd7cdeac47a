//! The program: contraction, and its reversal. See the [module](super) for what it does;
//! here is who says what to whom.
//!
//! | message | from | to | says |
//! |---|---|---|---|
//! | `Closed` | head of a block of siblings | its virtual parent | the products of the block and of its last hole |
//! | `Open` | the same | the same | one of the block is unfinished, and what surrounds it |
//! | `Fill` | only child | parent | its product |
//! | `Only` | parent | last unfinished child | it is the only one |
//! | `Idle` | only child | parent | it has several children: don't wait for it |
//! | `Ask`, `Grant` | only child, parent | each other | it has one child now: wait for it again |
//! | `Offer` | only child that would be absorbed | parent | its context and its child |
//! | `Adopt` | parent that absorbs | that child | its new parent |
//! | `Hole` | a child, or a later member | absorbed vertex | the product below it |
//! | `Member` | supervertex | its last absorbed vertex, and back from there | the product above the supervertex |
//! | `Above` | parent | child | the product above it |
//! | `Below` | parent | its children along the virtual tree | the product down to the parent |
//!
//! A vertex between two such links takes the one with the lower priority: it offers itself
//! to its parent, or takes its child's offer. Having offered itself it takes none, so no two
//! neighbouring links are contracted at once; and of all links the one with the lowest
//! priority is contracted. An offer stands until the vertex is adopted by another parent. If
//! it is taken, the vertex need not be told: it may still finish, and is not listened to.
//!
//! **Order of messages.** None is relied on.
//! - `Closed` may come before the `Open` of the same block. It says both what the hole gave, for
//!   those who know of the hole, and what the whole block gave, for those who do not; these then
//!   drop `Open`.
//! - `Adopt`: a vertex may lose its parent to another, and that to a third, and hear of it in any
//!   order. Who absorbed later has a later round: that one is the parent, and what comes with an
//!   earlier round is dropped. The message names who was absorbed, so that nothing in between has
//!   to be known. `Only`, from the first parent of all, is dropped after any `Adopt`.
//! - `Idle` may come after the `Ask` that revokes it, and is dropped then. `Grant` counts if it is
//!   from the parent that was asked.
//! - `Fill` counts if it is from the only child, and `Offer` comes from nobody else: an only child
//!   is adopted by others only when its parent has offered itself, which then takes no offers.
//!
//! *Who is told what is below.* A vertex that finishes tells its parent (`Fill`) and the member
//! of the parent's supervertex above it (`Hole`), who tells those it absorbed and those before
//! it. Parents that it got before it finished are all reached so: each was absorbed by the next.
//! Those that it gets after, each by an `Adopt` with a later round than it knew when it finished,
//! hear from it at once, whether absorbed meanwhile or not. So everyone is told, and once.
//!
//! *Who is told what is above.* Whoever is told first passes it on, and drops the rest: all say
//! the same. Nobody is told before all that contract above and below it has ended, for the root is
//! the first, and it waits for all.

use super::super::priority::Spread;
use super::sequence::Context;
use super::state::{Message, Offer, Rules, Stage, State, Upper};
use crate::local::Role;
use crate::machine::{Fold, Processor, Program};
use palmette_core::NONE;
use std::marker::PhantomData;

/// Leaffix under `U` and rootfix under `D`.
pub(super) struct Contract<U, D>(PhantomData<(U, D)>);

impl<U: Fold, D: Fold> Program for Contract<U, D> {
    type Constants = Rules<U, D>;
    type State = State<U::Elem, D::Elem>;
    type Message = Message<U::Elem, D::Elem>;
    const RESTS: bool = true;

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        let Rules { up, seeded, .. } = *processor.constants();
        processor.work(state.steps.into());
        if let Some(priorities) = state.priorities.filter(|_| !seeded) {
            let told = Spread::first(processor.count(), priorities);
            told.into_iter().for_each(|(to, spread)| processor.send(to, Message::Seed(spread)));
        }
        state.below.begin(&up, true);
        state.beside.begin(&up, false);
        // With nothing to be told, an only child knows that it is one.
        if state.alone && !Self::DOWN {
            let idle = state.below.gaps() > 1;
            state.upper = if idle { Upper::Told { idle: false } } else { Upper::Active };
        }
        Self::rest(state, processor);
    }

    fn receive(
        state: &mut Self::State,
        message: Self::Message,
        processor: &mut Processor<'_, Self>,
    ) {
        let Rules { up, down, .. } = *processor.constants();
        match message {
            Message::Seed(spread) => {
                state.priorities = Some(spread.priorities);
                spread.on().for_each(|(to, spread)| processor.send(to, Message::Seed(spread)));
            }
            Message::Open { role, round, hole, left, right } => {
                let context = Context { left, hole, right };
                let (children, gap) = gap(role);
                let (sequence, known) = match children {
                    true => (&mut state.below, &mut state.round),
                    false => (&mut state.beside, &mut state.beside_round),
                };
                // Not if the block has been closed meanwhile.
                if sequence.is_unknown(gap) {
                    sequence.open(&up, gap, context);
                    *known = (*known).max(round + u32::from(children));
                }
            }
            Message::Closed { role, round, value, whole } => match gap(role) {
                (true, gap) => {
                    let value = if state.below.is_unknown(gap) { whole } else { value };
                    Self::fill(state, gap, round, value, processor);
                }
                (false, gap) => {
                    let last = if state.beside.is_unknown(gap) { whole } else { value };
                    state.beside.close(&up, gap, last);
                    state.beside_round = state.beside_round.max(round);
                    if state.reported {
                        Self::close(state, value, processor);
                    }
                }
            },
            // Not from a child that has been absorbed meanwhile.
            Message::Fill { from, round, value } => {
                if from == state.child {
                    let gap = state.below.last_gap();
                    Self::fill(state, gap, round, value, processor);
                }
            }
            Message::Only { saved } => {
                // Not if this vertex has been adopted meanwhile.
                if state.upper == Upper::Unknown {
                    state.saved = saved;
                    state.upper = Upper::Told { idle: false };
                }
            }
            Message::Idle { from } => {
                state.lower_idle |= from == state.child && !state.asked;
            }
            Message::Ask { from } => {
                if from == state.child {
                    (state.lower_idle, state.asked) = (false, true);
                    let me = processor.me();
                    processor.send(from, Message::Grant { from: me });
                }
            }
            Message::Grant { from } => {
                if from == state.parent && state.upper == Upper::Asked {
                    state.upper = Upper::Active;
                }
            }
            Message::Offer(offer) => (state.offer, state.offered) = (offer, true),
            Message::Adopt { parent, gone, idle, round, saved } => {
                let complete = state.stage == Stage::Complete;
                if round > state.adopted {
                    state.adopted = round;
                    state.previous = gone;
                    state.parent = parent;
                    state.saved = saved;
                    state.upper = Upper::Told { idle };
                    state.offers = false;
                    state.round = state.round.max(if complete { 0 } else { round });
                }
                // A parent since then, even if it has been absorbed meanwhile. Those before are
                // told as members.
                if complete && round > state.finished {
                    Self::finish(state, parent, processor);
                }
            }
            Message::Hole(value) => {
                if state.below.gaps() > 0 {
                    state.stage = Stage::Absorbed;
                    let gap = state.below.last_gap();
                    Self::fill(state, gap, 0, value, processor);
                }
            }
            Message::Member(above) => {
                if !state.placed {
                    state.stage = Stage::Absorbed;
                    if state.previous != NONE {
                        processor.send(state.previous, Message::Member(above));
                    }
                    Self::place(state, down.combine(above, state.saved), processor);
                }
            }
            Message::Above(above) => {
                if !state.placed {
                    Self::place(state, above, processor);
                }
            }
            Message::Below(above) => {
                for sibling in state.links.appended.into_iter().filter(|&s| s != NONE) {
                    processor.send(sibling, Message::Below(above));
                }
                if !state.placed {
                    Self::place(state, above, processor);
                }
            }
        }
    }

    fn rest(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        Self::rake(state, processor);
        Self::report(state, processor);
        Self::answer_parent(state, processor);
        Self::compress(state, processor);
    }

    fn phase(message: &Self::Message) -> u16 {
        match message {
            Message::Open { .. } | Message::Closed { .. } | Message::Fill { .. } => 0,
            Message::Hole(_) | Message::Member(_) | Message::Above(_) | Message::Below(_) => 2,
            Message::Seed(_) => 3,
            _ => 1,
        }
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}: {}", ["rake", "compress", "uncontract", "seed"][usize::from(phase)])
    }
}

/// Whether a vertex reports to its parent, not to a sibling, and from which half.
fn gap(role: Role) -> (bool, usize) {
    match role {
        Role::FirstCurrent | Role::Root => (true, 0),
        Role::SecondCurrent => (true, 1),
        Role::FirstAppended => (false, 0),
        Role::SecondAppended => (false, 1),
    }
}

impl<U: Fold, D: Fold> Contract<U, D> {
    /// Whether there is anything to compute upwards, and downwards.
    const UP: bool = size_of::<U::Elem>() > 0;
    const DOWN: bool = size_of::<D::Elem>() > 0;

    /// A child is finished; or, after this vertex has been absorbed, all below it is.
    fn fill(
        state: &mut State<U::Elem, D::Elem>,
        gap: usize,
        round: u32,
        value: U::Elem,
        processor: &mut Processor<'_, Self>,
    ) {
        if state.below.is_closed(gap) {
            return;
        }
        let up = processor.constants().up;
        state.below.close(&up, gap, value);
        if state.stage != Stage::Absorbed {
            state.round = state.round.max(round + 1);
        } else if Self::UP {
            if state.last != NONE {
                processor.send(state.last, Message::Hole(value));
            }
            let product = state.below.collapse(&up);
            if state.previous != NONE {
                processor.send(state.previous, Message::Hole(product));
            }
        }
    }

    /// Notices that one child is left, or none.
    fn rake(state: &mut State<U::Elem, D::Elem>, processor: &mut Processor<'_, Self>) {
        if state.stage == Stage::Branching && state.below.has_one_hole() {
            state.stage = Stage::Chain;
            state.child = state.below.hole();
            if state.branches || Self::DOWN {
                processor.send(state.child, Message::Only { saved: state.path });
            }
        }
        let growing = matches!(state.stage, Stage::Branching | Stage::Chain);
        if growing && state.below.gaps() == 0 {
            state.stage = Stage::Complete;
            state.finished = state.adopted;
            let up = processor.constants().up;
            let value = state.below.collapse(&up);
            if state.parent == NONE {
                let identity = processor.constants().down.identity();
                Self::place(state, identity, processor);
            } else if state.upper != Upper::Unknown {
                Self::finish(state, state.parent, processor);
                if Self::UP && state.previous != NONE {
                    processor.send(state.previous, Message::Hole(value));
                }
            } else {
                state.unfinished = false;
                state.beside.prepend(&up, value);
                state.beside_round = state.beside_round.max(state.round);
                if state.reported {
                    Self::close(state, value, processor);
                }
            }
        }
    }

    /// Tells a parent the product of this vertex, which is finished.
    fn finish(state: &State<U::Elem, D::Elem>, parent: u32, processor: &mut Processor<'_, Self>) {
        let (from, round, value) = (processor.me(), state.round, state.below.first());
        processor.send(parent, Message::Fill { from, round, value });
    }

    /// Tells the virtual parent, which has been told of the block's last hole, that this is
    /// closed. The message may come first, and says what the whole block has given.
    fn close(state: &State<U::Elem, D::Elem>, value: U::Elem, processor: &mut Processor<'_, Self>) {
        let whole = state.beside.product(&processor.constants().up);
        let (role, round) = (state.links.role, state.beside_round);
        processor.send(state.links.parent, Message::Closed { role, round, value, whole });
    }

    /// Tells the virtual parent when at most one of this vertex's block is unfinished.
    fn report(state: &mut State<U::Elem, D::Elem>, processor: &mut Processor<'_, Self>) {
        if state.reported {
            return;
        }
        let up = processor.constants().up;
        let (role, round) = (state.links.role, state.beside_round);
        let message = match (state.unfinished, state.beside.gaps()) {
            (false, 0) => {
                let value = state.beside.product(&up);
                Message::Closed { role, round, value, whole: value }
            }
            (true, 0) => {
                let right = state.beside.product(&up);
                Message::Open { role, round, hole: processor.me(), left: up.identity(), right }
            }
            (false, 1) if state.beside.has_one_hole() => {
                let Context { left, hole, right } = state.beside.context(&up);
                Message::Open { role, round, hole, left, right }
            }
            _ => return,
        };
        state.reported = true;
        processor.send(state.links.parent, message);
    }

    /// An only child agrees with its parent on whether the parent waits for it.
    fn answer_parent(state: &mut State<U::Elem, D::Elem>, processor: &mut Processor<'_, Self>) {
        let from = processor.me();
        let (upper, message) = match (state.stage, state.upper) {
            (Stage::Chain, Upper::Told { idle: false }) => (Upper::Active, None),
            (Stage::Chain, Upper::Told { idle: true } | Upper::Idle) => {
                (Upper::Asked, Some(Message::Ask { from }))
            }
            (Stage::Branching, Upper::Told { idle: false }) => {
                (Upper::Idle, Some(Message::Idle { from }))
            }
            (Stage::Branching, Upper::Told { idle: true }) => (Upper::Idle, None),
            _ => return,
        };
        state.upper = upper;
        if let Some(message) = message {
            processor.send(state.parent, message);
        }
    }

    /// Takes the child's offer or makes one to the parent, whichever link comes first.
    fn compress(state: &mut State<U::Elem, D::Elem>, processor: &mut Processor<'_, Self>) {
        if state.stage != Stage::Chain || state.offers {
            return;
        }
        let Some(priorities) = state.priorities else { return };
        let Rules { up, down, .. } = *processor.constants();
        let me = processor.me();
        let upwards = |state: &State<U::Elem, D::Elem>| {
            let above = priorities.of_link(state.parent, me);
            let first = state.lower_idle || above < priorities.of_link(me, state.child);
            state.upper == Upper::Active && first
        };
        if state.offered && !upwards(state) {
            let Offer { child, idle, round, left, right, path } = state.offer;
            state.offered = false;
            let gap = state.below.last_gap();
            state.below.open(&up, gap, Context { left, hole: child, right });
            state.path = down.combine(state.path, path);
            state.round = state.round.max(round) + 1;
            state.last = state.child;
            (state.child, state.lower_idle, state.asked) = (child, idle, false);
            let (gone, round, saved) = (state.last, state.round, state.path);
            processor.send(child, Message::Adopt { parent: me, gone, idle, round, saved });
        }
        if upwards(state) {
            state.offers = true;
            let Context { left, right, .. } = state.below.context(&up);
            let (child, idle, round, path) =
                (state.child, state.lower_idle, state.round, state.path);
            let offer = Offer { child, idle, round, left, right, path };
            processor.send(state.parent, Message::Offer(offer));
        }
    }

    /// The product of all above is known.
    fn place(
        state: &mut State<U::Elem, D::Elem>,
        above: D::Elem,
        processor: &mut Processor<'_, Self>,
    ) {
        state.placed = true;
        if !Self::DOWN {
            return;
        }
        let down = processor.constants().down;
        let own = down.combine(above, state.own);
        if state.last != NONE {
            processor.send(state.last, Message::Member(above));
        }
        let attached = state.child != NONE && state.stage == Stage::Complete;
        if attached && (state.last != NONE || !state.branches) {
            processor.send(state.child, Message::Above(down.combine(above, state.path)));
        }
        if state.branches {
            for child in state.links.current.into_iter().filter(|&c| c != NONE) {
                processor.send(child, Message::Below(own));
            }
        }
        state.own = own;
    }
}
