//! The program: contraction, and its reversal. See the [module](super) for what it does;
//! here is who says what to whom.
//!
//! | message | from | to | says |
//! |---|---|---|---|
//! | `Last` | last child of three or more | parent | who it is |
//! | `Higher` | vertex of a higher level than its parent on the path | that parent | its level |
//! | `Right` | vertex that speaks for a range | vertex just before the range | its product, and who is behind |
//! | `Left` | the same | vertex just behind the range | its product, and who is before |
//! | `Block` | head of a block of siblings | its virtual parent | their product |
//! | `Outside` | vertex that has joined a range | the vertex that spoke for it | the product of all after it (leaffix) or above it (rootfix) |
//! | `Above` | a vertex, along the virtual tree | its children but the last | its product (rootfix) |
//!
//! A vertex that speaks for a range goes to the neighbour of lower level, which is the next that
//! joins it. It knows the level of the one before, by addresses, and that of the one behind: either a
//! range comes from there, which it joins, with the level of who is behind that, or `Higher` says
//! that there is no such range.
//!
//! *The first of a path* joins all others in the end, whatever its level is by addresses; only it
//! knows that it is first. So the first time that it hears from behind, unless the path ends
//! there, it sends on what it has heard (`Left`) to the vertex behind, as one that is before it
//! and higher than all. The second time the path ends there.
//!
//! *Where a range reaches the end of its path* nothing is after it: whoever speaks for it needs no
//! `Outside` in a leaffix.
//!
//! **Order of messages.** None is relied on: a vertex waits for a set of messages that it knows
//! ([`wait`]), each of which comes once, and speaks when all have come. `Outside` comes to those
//! alone that have spoken. So what is sent depends on the tree alone.

use super::range::{END, HEAD, Side, level};
use super::state::{Message, State, block_bit, wait};
use crate::machine::{Fold, Processor, Program};
use palmette_core::NONE;
use std::marker::PhantomData;

/// Leaffix where `UP`, else rootfix.
pub(super) struct Contract<M, const UP: bool>(PhantomData<M>);

impl<M: Fold, const UP: bool> Program for Contract<M, UP> {
    type Constants = M;
    type State = State<M::Elem>;
    type Message = Message<M::Elem>;

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        processor.work(state.steps.into());
        let identity = processor.constants().identity();
        (state.lights, state.beside) = (identity, identity);
        (state.before, state.after) = (identity, identity);
        if state.tells {
            processor.send(state.parent, Message::Last { from: processor.me() });
        }
        if !state.head && !state.waits_for(wait::LAST) {
            Self::meet_parent(state, processor);
        }
        Self::contract(state, processor);
    }

    fn receive(
        state: &mut Self::State,
        message: Self::Message,
        processor: &mut Processor<'_, Self>,
    ) {
        let operator = *processor.constants();
        match message {
            // The first of a path has no use for its level.
            Message::Last { .. } if state.head => return,
            Message::Last { from } => {
                state.level = level(processor.me(), from);
                state.waits &= !wait::LAST;
                Self::meet_parent(state, processor);
            }
            Message::Higher { from, level } => {
                let identity = operator.identity();
                let behind = Side { at: from, level };
                Self::hear_behind(state, NONE, behind, 0, identity, processor);
            }
            Message::Right { from, at, level, round, value } => {
                Self::hear_behind(state, from, Side { at, level }, round, value, processor);
            }
            Message::Left { from, at, level, round, value } => {
                (state.left, state.up, state.before) = (from, Side { at, level }, value);
                if from != NONE {
                    state.after_round(round);
                }
                state.waits &= !wait::BEFORE;
            }
            Message::Block { role, round, value } => {
                let bit = block_bit(role);
                let (beside, first) = (bit & wait::APPENDED != 0, role.is_first());
                let product = if beside { &mut state.beside } else { &mut state.lights };
                // Of two either may come first: the first goes to the left.
                let (left, right) = if first { (value, *product) } else { (*product, value) };
                *product = operator.combine(left, right);
                match beside {
                    true => state.beside_round = state.beside_round.max(round),
                    false => state.after_round(round),
                }
                state.waits &= !bit;
            }
            Message::Above { value } => {
                for sibling in state.heads_of(wait::APPENDED) {
                    processor.send(sibling, Message::Above { value });
                }
                state.before = value;
                state.waits &= !wait::ABOVE;
            }
            Message::Outside { value } => return Self::expand(state, value, processor),
        }
        Self::contract(state, processor);
    }

    fn phase(message: &Self::Message) -> u16 {
        match message {
            Message::Block { .. } => 0,
            Message::Outside { .. } | Message::Above { .. } => 2,
            _ => 1,
        }
    }

    fn phase_name(run: &str, phase: u16) -> String {
        format!("{run}: {}", ["rake", "compress", "uncontract"][usize::from(phase)])
    }
}

impl<M: Fold, const UP: bool> Contract<M, UP> {
    /// A vertex that knows its level compares it with its parent's on the path.
    fn meet_parent(state: &mut State<M::Elem>, processor: &mut Processor<'_, Self>) {
        let (from, own) = (processor.me(), state.level);
        let above = level(state.parent, from);
        if own < above {
            state.up = Side { at: state.parent, level: above };
        } else {
            state.waits |= wait::BEFORE;
            processor.send(state.parent, Message::Higher { from, level: own });
        }
    }

    /// What is behind a vertex, with a range between that `from` speaks for, or with none.
    fn hear_behind(
        state: &mut State<M::Elem>,
        from: u32,
        behind: Side,
        round: u32,
        value: M::Elem,
        processor: &mut Processor<'_, Self>,
    ) {
        if state.head && behind.level != END {
            let (at, level) = (processor.me(), HEAD);
            processor.send(behind.at, Message::Left { from, at, level, round, value });
            return;
        }
        (state.right, state.down, state.after) = (from, behind, value);
        if from != NONE {
            state.after_round(round);
        }
        state.waits &= !wait::AFTER;
    }

    /// When nothing is waited for any more: joins the ranges on both sides.
    fn contract(state: &mut State<M::Elem>, processor: &mut Processor<'_, Self>) {
        if state.waits != 0 {
            return;
        }
        let operator = *processor.constants();
        let State { up, down, .. } = *state;
        if UP {
            let below = operator.combine(state.own, state.lights);
            state.own = operator.combine(below, state.after);
        }
        if state.head {
            return Self::end_path(state, processor);
        }
        if UP && down.level == END && state.left != NONE {
            processor.send(state.left, Message::Outside { value: state.own });
        }
        let to_me = operator.combine(state.before, state.own);
        let value = if UP { to_me } else { operator.combine(to_me, state.after) };
        let (from, round) = (processor.me(), state.round);
        if up.level < down.level {
            let Side { at, level } = down;
            processor.send(up.at, Message::Right { from, at, level, round, value });
        } else {
            let Side { at, level } = up;
            processor.send(down.at, Message::Left { from, at, level, round, value });
        }
    }

    /// The first of a path has joined all others. Leaffix: the path is raked. Rootfix: what is above
    /// it is known.
    fn end_path(state: &mut State<M::Elem>, processor: &mut Processor<'_, Self>) {
        let operator = *processor.constants();
        if !UP {
            Self::expand(state, operator.identity(), processor);
        } else if state.parent != NONE {
            let value = operator.combine(state.own, state.beside);
            let (role, round) = (state.links.role, state.round.max(state.beside_round));
            processor.send(state.links.parent, Message::Block { role, round, value });
        }
    }

    /// The product of what is outside a range is known to the vertex that spoke for it.
    fn expand(state: &mut State<M::Elem>, value: M::Elem, processor: &mut Processor<'_, Self>) {
        let operator = *processor.constants();
        let outside = Message::Outside { value };
        let (on_left, on_right);
        if UP {
            state.own = operator.combine(state.own, value);
            (on_left, on_right) = (Message::Outside { value: state.own }, outside);
        } else {
            let above = operator.combine(value, state.before);
            state.own = operator.combine(above, state.own);
            (on_left, on_right) = (outside, Message::Outside { value: state.own });
        }
        for (to, message) in [(state.left, on_left), (state.right, on_right)] {
            if to != NONE {
                processor.send(to, message);
            }
        }
        if !UP {
            for child in state.heads_of(wait::CURRENT) {
                processor.send(child, Message::Above { value: state.own });
            }
        }
    }
}
