//! Broadcast.
//!
//! **Problem.** The first processor of every range has a value; all others of the range
//! are to have it too.
//!
//! **Method.** Down the [tree](super::tree) of the range.
//!
//! **Messages.** All but the first wait for one; no order matters.
//!
//! **Cost.** O(n) energy, O(log n) depth, O(√n) distance on a distance-bound curve: see
//! the [table](super). Four words beside the value; a processor receives one message. It finds
//! its place in the tree by O(log n) operations, and then does O(1) per message.
//!
//! **Reference.** Lemma 13 of *Low-Depth Spatial Tree Algorithms*.

use super::tree::Node;
use super::{CollectiveError, Ranges};
use crate::machine::{Machine, Memory, Plain, Processor, Program, program_words};
use std::marker::PhantomData;

struct Broadcast<T>(PhantomData<T>);

impl<T: Plain> Program for Broadcast<T> {
    type Constants = ();
    type State = (Node, T);
    type Message = T;

    fn start(state: &mut (Node, T), processor: &mut Processor<'_, Self>) {
        processor.work(state.0.level());
        if state.0.is_root() {
            Self::receive(state, state.1, processor);
        }
    }

    fn receive(state: &mut (Node, T), value: T, processor: &mut Processor<'_, Self>) {
        state.1 = value;
        state.0.children().for_each(|(_, child)| processor.send(child, value));
    }
}

/// The words of a processor for a [`broadcast()`].
pub const fn broadcast_words<T: Plain>() -> usize {
    program_words::<Broadcast<T>>(1)
}

/// Gives all processors of a range the value of its first. Processors outside keep
/// theirs.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn broadcast<T: Plain>(
    machine: &mut Machine,
    name: &str,
    ranges: impl Into<Ranges>,
    values: Memory<T>,
) -> Result<Memory<T>, CollectiveError> {
    let nodes = ranges.into().assign(machine.processors())?.map(Node::of);
    let memory = machine.run::<Broadcast<T>>(name, (), nodes.beside(values))?;
    Ok(memory.map(|_, (_, value)| value))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Setup, every_setup};
    use super::*;

    #[test]
    fn everyone_in_a_range_gets_the_value_of_its_first() {
        every_setup(|Setup { machine, ranges, values }| {
            let n = values.len();
            let sent =
                broadcast(machine, "broadcast", ranges.clone(), values.to_vec().into()).unwrap();
            for p in 0..n {
                let range = ranges.states()[p];
                let source = if range.is_empty() { p } else { range.first as usize };
                assert_eq!(sent.states()[p], values[source]);
            }
            assert!(machine.most_received() <= 1);
        });
    }
}
