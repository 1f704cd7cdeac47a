//! The reversal: every supervertex undoes what it contracted, last first.
//!
//! | message | from | to | says |
//! |---|---|---|---|
//! | `Release` | parent | the only child that it raked | what is above |
//! | `Undo` | parent | the vertex that it absorbed last | what is in its hole, what is above |
//! | `Undone` | that vertex | parent | what was in the parent's hole before, and its `last_contracted` |
//! | `ReleaseAll` | parent | raked children, along the virtual tree | what is above, and who was left out |
//!
//! What a supervertex contracted is, in this order: at most one RAKE of several children, then
//! COMPRESSes, then at most one RAKE of its only child. A vertex hears once of its own reversal,
//! and once per parent with several children of that parent's.

use super::contract::{Compact, StateOf, tell};
use super::state::{Children, Message, Operators, Stage, State};
use crate::machine::{Fold, Processor};
use palmette_core::{Monoid, NONE};

impl<U: Copy, D: Copy> State<U, D> {
    /// L∘A∘R.
    pub(super) fn product<M: Monoid<Elem = U>>(&self, up: &M) -> U {
        up.combine(up.combine(self.left, self.hole), self.right)
    }
}

impl<U: Fold, D: Fold> Compact<U, D> {
    pub(super) fn reverse(
        state: &mut StateOf<Self>,
        message: Message<U::Elem, D::Elem>,
        processor: &mut Processor<'_, Self>,
    ) {
        let Operators { up, down } = *processor.constants();
        match message {
            Message::Undo { hole, above } => {
                state.hole = hole;
                state.above = down.combine(above, state.saved_path);
                let undone = Message::Undone { hole: state.product(&up), last: state.saved_last };
                processor.send(state.parent, undone);
                Self::undo(state, processor);
            }
            Message::Undone { hole, last } => {
                (state.hole, state.last) = (hole, last);
                Self::undo_last(state, processor);
            }
            Message::Release(above) => {
                state.above = above;
                Self::undo(state, processor);
            }
            Message::ReleaseAll { above, but } => {
                tell(state.links.appended, message, processor);
                if but != processor.me() {
                    state.above = above;
                    Self::undo(state, processor);
                }
            }
            _ => {}
        }
    }

    /// What is in the hole and what is above are known, and so are this vertex's own products.
    pub(super) fn undo(state: &mut StateOf<Self>, processor: &mut Processor<'_, Self>) {
        let Operators { up, down } = *processor.constants();
        state.stage = Stage::Undone;
        state.left = state.product(&up);
        state.own = down.combine(state.above, state.own);
        if state.children == Children::None && state.child != NONE {
            processor.send(state.child, Message::Release(down.combine(state.above, state.path)));
        }
        Self::undo_last(state, processor);
    }

    /// Undoes the last COMPRESS that is left, then the RAKE of several children.
    fn undo_last(state: &StateOf<Self>, processor: &mut Processor<'_, Self>) {
        if state.last != NONE {
            let undo = Message::Undo { hole: state.hole, above: state.above };
            processor.send(state.last, undo);
        } else if state.branches {
            let release = Message::ReleaseAll { above: state.own, but: state.left_out };
            tell(state.links.current, release, processor);
        }
    }
}
