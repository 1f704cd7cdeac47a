//! Predecessors from successors.
//!
//! **Problem.** Every element knows whom it precedes; it is to learn whom it follows.
//!
//! **Method.** One message per element; neighbours on one processor need none.
//!
//! **Cost.** One permutation of the elements: depth 1. A processor has 2 words per element,
//! a message 2, and an element receives one.

use crate::machine::{Machine, MachineError, Memory, Processor, Program};
use palmette_core::NONE;

/// The program; `S` elements per processor, each with its successor and its predecessor.
struct Link<const S: usize>;

impl<const S: usize> Program for Link<S> {
    type Constants = ();
    type State = [[u32; 2]; S];
    /// Which element of the processor, and whom it follows.
    type Message = (u32, u32);

    fn start(elements: &mut [[u32; 2]; S], processor: &mut Processor<'_, Self>) {
        let count = S as u32;
        for slot in 0..S {
            let (me, next) = (processor.me() * count + slot as u32, elements[slot][0]);
            if next == NONE {
                continue;
            }
            let message = (next % count, me);
            if next / count == processor.me() {
                Self::receive(elements, message, processor);
            } else {
                processor.send(next / count, message);
            }
        }
    }

    fn receive(
        elements: &mut [[u32; 2]; S],
        (slot, predecessor): (u32, u32),
        _: &mut Processor<'_, Self>,
    ) {
        elements[slot as usize][1] = predecessor;
    }
}

/// The predecessors of all elements of lists that are given by their successors,
/// [`NONE`] at the heads. Elements are numbered as for [`rank`](super::rank).
///
/// # Errors
/// Lists for another number of processors, successors that no processor has, and what
/// stops the machine.
pub fn predecessors<const S: usize>(
    machine: &mut Machine,
    name: &str,
    successors: Memory<[u32; S]>,
) -> Result<Memory<[u32; S]>, MachineError> {
    let elements = successors.map(|_, all| all.map(|successor| [successor, NONE]));
    let elements = machine.run::<Link<S>>(name, (), elements)?;
    Ok(elements.map(|_, all| all.map(|[_, predecessor]| predecessor)))
}
