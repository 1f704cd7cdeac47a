//! Reduce and all-reduce.
//!
//! **Problem.** Combine the values of a range, in the order of their addresses, with an
//! associative operator that need not be commutative. Reduce leaves the result at the
//! first address, all-reduce everywhere.
//!
//! **Method.** Up the [tree](super::tree) of the range: a processor waits for the sums
//! of the parts before and after it, in whatever order they arrive, combines them with
//! its own value and sends the sum to its parent. All-reduce broadcasts the result.
//!
//! **Messages.** A processor waits for one from each child in the tree, whose number it knows,
//! and in an all-reduce for one more from its parent. Sums say which child they come from: no
//! order matters.
//!
//! **Cost.** O(n) energy, O(log n) depth, O(√n) distance on a distance-bound curve: see
//! the [table](super). Five words and five values; at most four messages in one step. O(log n)
//! operations to find one's place in the tree, O(1) per message.
//!
//! **Determinism.** The shape of the tree fixes how floating-point sums are bracketed.

use super::tree::{Gather, Node, PARTS};
use super::{CollectiveError, Ranges, broadcast};
use crate::machine::{Fold, Machine, Memory, Processor, Program, program_words};
use std::marker::PhantomData;

struct Reduce<M>(PhantomData<M>);

impl<M: Fold> Program for Reduce<M> {
    type Constants = M;
    type State = Gather<M::Elem>;
    type Message = (u8, M::Elem);

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        processor.work(state.node.level());
        if state.begin(processor.constants()) {
            Self::finish(state, processor);
        }
    }

    fn receive(
        state: &mut Self::State,
        (slot, sum): (u8, M::Elem),
        processor: &mut Processor<'_, Self>,
    ) {
        if state.take(slot, sum) {
            Self::finish(state, processor);
        }
    }
}

impl<M: Fold> Reduce<M> {
    fn finish(state: &mut Gather<M::Elem>, processor: &mut Processor<'_, Self>) {
        let operator = processor.constants();
        let sum = state.prefixes(operator, operator.identity()).total;
        if state.node.is_root() {
            state.own = sum;
        } else {
            let (parent, slot) = state.node.parent();
            processor.send(parent, (slot, sum));
        }
    }
}

/// The words of a processor for a [`reduce()`] or an [`all_reduce`].
pub const fn reduce_words<M: Fold>() -> usize {
    program_words::<Reduce<M>>(PARTS)
}

/// Combines the values of every range in the order of addresses; the first processor of
/// the range gets the result. All others keep their values.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn reduce<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    ranges: impl Into<Ranges>,
    values: Memory<M::Elem>,
) -> Result<Memory<M::Elem>, CollectiveError> {
    let nodes = ranges.into().assign(machine.processors())?.map(Node::of);
    let states = nodes.beside(values).map(|_, (node, own)| Gather::new(node, own));
    let memory = machine.run::<Reduce<M>>(name, operator, states)?;
    Ok(memory.map(|_, state| state.own))
}

/// Combines the values of every range in the order of addresses; all processors of the
/// range get the result. Processors outside keep their values.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn all_reduce<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    ranges: impl Into<Ranges>,
    values: Memory<M::Elem>,
) -> Result<Memory<M::Elem>, CollectiveError> {
    let ranges = ranges.into();
    let sums = reduce(machine, name, operator, ranges.clone(), values)?;
    broadcast(machine, name, ranges, sums)
}

#[cfg(test)]
mod tests {
    use super::super::Range;
    use super::super::testing::{OPERATOR, Setup, every_setup};
    use super::*;
    use palmette_core::Monoid;

    /// What every processor of a range should find, by a loop.
    fn sums(ranges: &[Range], values: &[[u64; 4]]) -> Vec<[u64; 4]> {
        let mut sums = values.to_vec();
        for (p, range) in ranges.iter().enumerate().filter(|(_, range)| !range.is_empty()) {
            let before = if range.first as usize == p { OPERATOR.identity() } else { sums[p - 1] };
            sums[p] = OPERATOR.combine(before, values[p]);
        }
        let last = |p, range: &Range| if range.is_empty() { p } else { range.end as usize - 1 };
        ranges.iter().enumerate().map(|(p, range)| sums[last(p, range)]).collect()
    }

    #[test]
    fn the_first_of_a_range_gets_its_ordered_sum() {
        every_setup(|Setup { machine, ranges, values }| {
            let given = Memory::from(values.to_vec());
            let found = reduce(machine, "reduce", OPERATOR, ranges.clone(), given).unwrap();
            let expected = sums(ranges.states(), values);
            for (p, range) in ranges.states().iter().enumerate() {
                let first = range.is_empty() || range.first as usize == p;
                let expected = if first { expected[p] } else { values[p] };
                assert_eq!(found.states()[p], expected);
            }
            assert!(machine.most_received() <= 4);
        });
    }

    #[test]
    fn all_get_the_ordered_sum() {
        every_setup(|Setup { machine, ranges, values }| {
            let given = Memory::from(values.to_vec());
            let found = all_reduce(machine, "all-reduce", OPERATOR, ranges.clone(), given).unwrap();
            assert_eq!(found.states(), sums(ranges.states(), values));
        });
    }
}
