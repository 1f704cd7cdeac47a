//! Local reduce.
//!
//! **Problem.** Every vertex gets the combination of its children's values in the
//! children's order, under any associative operator.
//!
//! **Method.** Broadcast, backwards. The half that a vertex heads combines to its own
//! value, then the halves of its first and of its second appended child; when both have
//! told theirs, it tells its virtual parent. What current children tell is the result.
//! Of two halves either may come first: with the identity in place at the start, the
//! first half is combined from the left and the second from the right, so that one
//! accumulator per pair suffices.
//!
//! **Messages.** A vertex waits for one from each virtual child. Each says which child it comes
//! from: no order matters.
//!
//! **Cost.** One message for every virtual edge; depth ⌊log2 (D + 1)⌋ with at most D children per
//! vertex. At most four messages are received, whatever the step. [`REDUCE_LINK_WORDS`] words,
//! three values and the operator per processor; a message is a value and one word that says whose
//! it is.
//!
//! **Determinism.** The operands are bracketed by the tree alone, up to the identity:
//! floating-point results do not depend on clocks or threads.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section III-D, Lemma 9.

use super::{Role, VirtualLinks, check};
use crate::machine::{Fold, Machine, MachineError, Memory, Processor, Program, program_words};
use crate::plain;
use palmette_core::NONE;
use std::marker::PhantomData;

/// The words of a processor's state besides three values.
pub const REDUCE_LINK_WORDS: usize = 2;

struct Reduce<M>(PhantomData<M>);

plain! {
    #[derive(Clone, Copy)]
    struct State<T> {
        /// Whom to tell.
        parent: u32,
        role: Role,
        /// Appended children that have not told.
        waiting: u8,
        /// The vertex's own.
        value: T,
        /// From appended children.
        tail: T,
        /// From current children.
        result: T,
    }
}

impl<M: Fold> Program for Reduce<M> {
    type Constants = M;
    type State = State<M::Elem>;
    type Message = (Role, M::Elem);

    fn start(state: &mut State<M::Elem>, processor: &mut Processor<'_, Self>) {
        let identity = processor.constants().identity();
        (state.tail, state.result) = (identity, identity);
        tell(state, processor);
    }

    fn receive(
        state: &mut State<M::Elem>,
        (from, half): (Role, M::Elem),
        processor: &mut Processor<'_, Self>,
    ) {
        let operator = *processor.constants();
        match from {
            Role::FirstCurrent => state.result = operator.combine(half, state.result),
            Role::SecondCurrent => state.result = operator.combine(state.result, half),
            Role::FirstAppended => state.tail = operator.combine(half, state.tail),
            Role::SecondAppended => state.tail = operator.combine(state.tail, half),
            // A root has nobody to tell.
            Role::Root => {}
        }
        if Role::APPENDED.contains(&from) {
            state.waiting -= 1;
            tell(state, processor);
        }
    }
}

/// Tells the virtual parent about this vertex's half, once it is complete.
fn tell<M: Fold>(state: &State<M::Elem>, processor: &mut Processor<'_, Reduce<M>>) {
    if state.waiting == 0 && state.parent != NONE {
        let half = processor.constants().combine(state.value, state.tail);
        processor.send(state.parent, (state.role, half));
    }
}

/// The words of a processor for a [`reduce`]: four virtual children may tell at one time.
pub const fn reduce_words<M: Fold>() -> usize {
    program_words::<Reduce<M>>(4)
}

/// Every vertex gets the combination of its children's values, in their order; a leaf
/// gets the identity.
///
/// # Errors
/// Links or values for another number of processors, values that do not fit into a
/// processor, the step limit.
pub fn reduce<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    links: &Memory<VirtualLinks>,
    values: Memory<M::Elem>,
) -> Result<Memory<M::Elem>, MachineError> {
    check(machine, links, &values)?;
    let memory = links.clone().beside(values).map(|_, (links, value)| State {
        parent: links.parent,
        role: links.role,
        waiting: links.appended.into_iter().filter(|&child| child != NONE).count() as u8,
        value,
        tail: value,
        result: value,
    });
    Ok(machine.run::<Reduce<M>>(name, operator, memory)?.map(|_, state| state.result))
}
