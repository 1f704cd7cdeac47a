//! COMPACT, round by round: who says what to whom.
//!
//! | step | message | from | to | says |
//! |---|---|---|---|---|
//! | 1 | `Mate` | parent of one | its child | its coin; its `last_contracted`, to be saved |
//! | 1 | `Branching` | parent of several | its children, along the virtual tree | that it is |
//! | 3 | `Absorb` | chosen child | parent | its product and its child |
//! | 3 | `Stay` | child that is not | parent whose coin shows tails | so |
//! | 4 | `Parent` | parent of one | its child | its address |
//! | 4 | `SameParent` | parent of several | its children, along the virtual tree | nothing new |
//! | 5 | `Report` | child | parent; among several, along the virtual tree | products of leaves, and who is none |
//!
//! `Stay` is not in the text. A parent whose coin shows tails cannot go on before it knows whether
//! its child is absorbed, and that no message comes would say nothing. One whose coin shows heads
//! does not absorb, its child knows, and neither waits.
//!
//! A child of a vertex v that u absorbs hears step 1 from v and step 4 from u, in any order: it
//! waits for one of each, and takes the address from the second. It reports when it has both, so
//! u does not begin the next round before.

use super::block::Block;
use super::state::{Children, Heard, Message, Operators, Stage, State, heads};
use crate::local::Role;
use crate::machine::{Fold, Processor, Program};
use palmette_core::NONE;
use std::marker::PhantomData;

/// Leaffix under `U` and rootfix under `D`.
pub(super) struct Compact<U, D>(PhantomData<(U, D)>);

pub(super) type StateOf<P> = <P as Program>::State;

impl<U: Fold, D: Fold> Program for Compact<U, D> {
    type Constants = Operators<U, D>;
    type State = State<U::Elem, D::Elem>;
    type Message = Message<U::Elem, D::Elem>;

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        let Operators { up, down } = *processor.constants();
        (state.right, state.hole) = (up.identity(), up.identity());
        (state.below, state.beside) = (Block::empty(&up), Block::empty(&up));
        state.above = down.identity();
        if state.is_root() && state.children == Children::None {
            Self::undo(state, processor);
        } else {
            Self::begin(state, processor);
            Self::go_on(state, processor);
        }
    }

    fn receive(
        state: &mut Self::State,
        message: Self::Message,
        processor: &mut Processor<'_, Self>,
    ) {
        let Operators { up, down } = *processor.constants();
        match message {
            Message::Mate { heads, last, path } => {
                state.first = Heard::Single { heads };
                (state.saved_last, state.saved_path) = (last, path);
            }
            Message::Branching => {
                state.first = Heard::Branching;
                tell(state.links.appended, message, processor);
            }
            Message::Stay => state.unanswered = false,
            Message::Absorb { child, left, right, path } => {
                state.unanswered = false;
                state.left = up.combine(state.left, left);
                state.right = up.combine(right, state.right);
                state.path = down.combine(state.path, path);
                (state.last, state.child) = (state.child, child);
            }
            Message::Parent(parent) => (state.parent, state.second) = (parent, true),
            Message::SameParent => {
                state.second = true;
                tell(state.links.appended, message, processor);
            }
            Message::Report { role, block } => match role {
                Role::FirstCurrent | Role::Root => {
                    state.below = block.then(&up, state.below);
                    state.missing -= 1;
                }
                Role::SecondCurrent => {
                    state.below = state.below.then(&up, block);
                    state.missing -= 1;
                }
                Role::FirstAppended => {
                    state.beside = block.then(&up, state.beside);
                    state.missing_beside -= 1;
                }
                Role::SecondAppended => {
                    state.beside = state.beside.then(&up, block);
                    state.missing_beside -= 1;
                }
            },
            Message::Undo { .. }
            | Message::Undone { .. }
            | Message::Release(_)
            | Message::ReleaseAll { .. } => return Self::reverse(state, message, processor),
        }
        Self::go_on(state, processor);
    }

    fn phase(message: &Self::Message) -> u16 {
        match message {
            Message::Mate { .. } | Message::Branching => 0,
            Message::Stay | Message::Absorb { .. } => 1,
            Message::Parent(_) | Message::SameParent => 2,
            Message::Report { .. } => 3,
            _ => 4,
        }
    }

    fn phase_name(run: &str, phase: u16) -> String {
        let names = ["mate", "compress", "announce", "rake", "uncontract"];
        format!("{run}: {}", names[usize::from(phase)])
    }
}

/// Sends a message to the heads of two halves.
pub(super) fn tell<U: Fold, D: Fold>(
    heads: [u32; 2],
    message: Message<U::Elem, D::Elem>,
    processor: &mut Processor<'_, Compact<U, D>>,
) {
    heads.into_iter().filter(|&h| h != NONE).for_each(|head| processor.send(head, message));
}

impl<U: Fold, D: Fold> Compact<U, D> {
    /// Step 1.
    fn begin(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        state.round += 1;
        state.below = Block::empty(&processor.constants().up);
        (state.answered, state.announced, state.reported) = (false, false, false);
        let coin = state.coins.heads(state.round, 0);
        state.unanswered = state.children == Children::One && !coin;
        match state.children {
            Children::None => state.missing = 0,
            Children::One => {
                state.missing = 1;
                let mate = Message::Mate { heads: coin, last: state.last, path: state.path };
                processor.send(state.child, mate);
            }
            Children::Several => {
                state.missing = heads(state.links.current);
                tell(state.links.current, Message::Branching, processor);
            }
        }
    }

    /// Does what can be done now that something has come, in the order of the steps.
    fn go_on(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        while state.stage == Stage::Active {
            if !state.answered && (state.is_root() || state.first != Heard::Nothing) {
                state.answered = true;
                Self::answer_parent(state, processor);
            } else if state.answered && !state.announced && !state.unanswered {
                state.announced = true;
                Self::announce(state, processor);
            } else if state.announced && !state.reported && Self::may_report(state) {
                state.reported = true;
                Self::report(state, processor);
            } else if state.reported && state.missing == 0 {
                Self::rake(state, processor);
            } else {
                return;
            }
        }
    }

    /// Steps 2 and 3.
    fn answer_parent(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        if state.is_root() || state.first != (Heard::Single { heads: false }) {
            return;
        }
        let heads = state.coins.heads(state.round, 0);
        if state.children == Children::One && heads {
            (state.stage, state.compressed) = (Stage::Absorbed, true);
            let &mut State { child, left, right, path, .. } = state;
            processor.send(state.parent, Message::Absorb { child, left, right, path });
        } else {
            processor.send(state.parent, Message::Stay);
        }
    }

    /// Step 4.
    fn announce(state: &StateOf<Self>, processor: &mut Processor<'_, Self>) {
        match state.children {
            Children::None => {}
            Children::One => processor.send(state.child, Message::Parent(processor.me())),
            Children::Several => tell(state.links.current, Message::SameParent, processor),
        }
    }

    /// Whether all that the report depends on has come.
    fn may_report(state: &StateOf<Self>) -> bool {
        let siblings = state.first != Heard::Branching || state.missing_beside == 0;
        state.is_root() || state.second && siblings
    }

    /// Step 5, upwards.
    fn report(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        if state.is_root() {
            return;
        }
        let up = processor.constants().up;
        let mut block = match state.children {
            Children::None => Block::leaf(&up, state.product(&up)),
            _ => Block::other(&up, processor.me()),
        };
        let (mut to, mut role) = (state.parent, Role::FirstCurrent);
        if state.first == Heard::Branching {
            block = block.then(&up, state.beside);
            (to, role) = (state.links.parent, state.links.role);
            (state.beside, state.missing_beside) = (Block::empty(&up), heads(state.links.appended));
        }
        // From here on what comes from above is of the next round.
        (state.first, state.second) = (Heard::Nothing, false);
        processor.send(to, Message::Report { role, block });
    }

    /// Step 5: all leaves are taken in, if at most one child is none. Then the next round begins,
    /// or contraction has ended.
    fn rake(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        let up = processor.constants().up;
        let Block { holes, hole, left, right } = state.below;
        match (state.children, holes) {
            (Children::One | Children::Several, 0) => {
                state.children = Children::None;
                state.hole = left;
            }
            (Children::Several, 1) => {
                state.children = Children::One;
                (state.child, state.left_out) = (hole, hole);
                state.left = up.combine(state.left, left);
                state.right = up.combine(right, state.right);
            }
            _ => {}
        }
        if state.is_root() && state.children == Children::None {
            Self::undo(state, processor);
        } else {
            Self::begin(state, processor);
        }
    }
}
