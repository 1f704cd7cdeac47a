//! Local broadcast.
//!
//! **Problem.** Every vertex sends one value to all its children.
//!
//! **Method.** A vertex sends its own value to its current children at once. What it
//! receives is its parent's value: it passes that on to its appended children.
//!
//! **Messages.** All but roots wait for one, from the virtual parent; no order matters.
//!
//! **Cost.** One message for every virtual edge; depth ⌊log2 (D + 1)⌋ with at most D children per
//! vertex. Everyone receives once. [`BROADCAST_LINK_WORDS`] words and one value per processor: a
//! vertex's own value is gone when its parent's is there.
//!
//! **Determinism.** The only message of a vertex comes from its virtual parent, so the
//! result does not depend on clocks.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section III-D, Lemma 9.

use super::{VirtualLinks, check};
use crate::machine::{
    Machine, MachineError, Memory, Plain, Processor, Program, program_words, words_of,
};
use palmette_core::NONE;
use std::marker::PhantomData;

/// The words of a processor's state besides the value.
pub const BROADCAST_LINK_WORDS: usize = words_of::<VirtualLinks>();

struct Broadcast<T>(PhantomData<T>);

impl<T: Plain> Program for Broadcast<T> {
    type Constants = ();
    type State = (VirtualLinks, T);
    type Message = T;

    fn start((links, value): &mut (VirtualLinks, T), processor: &mut Processor<'_, Self>) {
        pass(links.current, *value, processor);
    }

    fn receive(state: &mut (VirtualLinks, T), value: T, processor: &mut Processor<'_, Self>) {
        state.1 = value;
        pass(state.0.appended, value, processor);
    }
}

fn pass<T: Plain>(children: [u32; 2], value: T, processor: &mut Processor<'_, Broadcast<T>>) {
    children.into_iter().filter(|&c| c != NONE).for_each(|child| processor.send(child, value));
}

/// The words of a processor for a [`broadcast`].
pub const fn broadcast_words<T: Plain>() -> usize {
    program_words::<Broadcast<T>>(1)
}

/// Every vertex learns its parent's value; a root learns nothing.
///
/// # Errors
/// Links or values for another number of processors, values that do not fit into a
/// processor, the step limit.
pub fn broadcast<T: Plain>(
    machine: &mut Machine,
    name: &str,
    links: &Memory<VirtualLinks>,
    values: Memory<T>,
) -> Result<Memory<Option<T>>, MachineError> {
    check(machine, links, &values)?;
    let memory = links.clone().beside(values);
    let memory = machine.run::<Broadcast<T>>(name, (), memory)?;
    Ok(memory.map(|_, (links, value)| (links.parent != NONE).then_some(value)))
}
