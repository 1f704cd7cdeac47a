//! Prefix sums in the order of addresses.
//!
//! **Problem.** Every processor of a range is to get the combination of all values
//! before it (exclusive) or up to its own (inclusive). The operator is associative and
//! need not be commutative.
//!
//! **Method.** Up and down the [tree](super::tree) of the range. On the way up each
//! processor keeps the sums of its parts; on the way down it is told the sum of all
//! that precedes its part, and tells each child what precedes the child's.
//!
//! **Messages.** A processor waits for one from each child in the tree, whose number it knows,
//! and then for one from its parent, which cannot come earlier. Sums say which child they come
//! from: no order matters.
//!
//! **Cost.** O(n) energy, O(log n) depth, O(√n) distance on a distance-bound curve: see
//! the [table](super). Five words and five values; at most four messages in one step. O(log n)
//! operations to find one's place in the tree, O(1) per message.
//!
//! **Determinism.** The shape of the tree fixes how floating-point sums are bracketed.

use super::tree::{Gather, Node, PARTS};
use super::{CollectiveError, Ranges};
use crate::machine::{Fold, Machine, Memory, Processor, Program, program_words};
use crate::plain;
use std::marker::PhantomData;

plain! {
    /// Whether a processor's own value is part of its prefix.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ScanKind {
        /// All values before it and its own.
        Inclusive,
        /// All values before it; the identity at the first.
        Exclusive,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    enum Sum<E> {
        /// Of the part in this slot, to its hub's parent.
        Of(u8, E),
        /// Of all that comes before the part, to its hub.
        Before(E),
    }
}

struct Scan<M>(PhantomData<M>);

impl<M: Fold> Program for Scan<M> {
    type Constants = (M, ScanKind);
    type State = Gather<M::Elem>;
    type Message = Sum<M::Elem>;

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        processor.work(state.node.level());
        if state.begin(&processor.constants().0) {
            Self::ascend(state, processor);
        }
    }

    fn receive(
        state: &mut Self::State,
        message: Sum<M::Elem>,
        processor: &mut Processor<'_, Self>,
    ) {
        match message {
            Sum::Of(slot, sum) => {
                if state.take(slot, sum) {
                    Self::ascend(state, processor);
                }
            }
            Sum::Before(sum) => Self::descend(state, sum, processor),
        }
    }
}

impl<M: Fold> Scan<M> {
    /// All parts have arrived.
    fn ascend(state: &mut Gather<M::Elem>, processor: &mut Processor<'_, Self>) {
        let (operator, _) = *processor.constants();
        if state.node.is_root() {
            Self::descend(state, operator.identity(), processor);
        } else {
            let (parent, slot) = state.node.parent();
            let sum = state.prefixes(&operator, operator.identity()).total;
            processor.send(parent, Sum::Of(slot, sum));
        }
    }

    /// All that comes before is known.
    fn descend(state: &mut Gather<M::Elem>, before: M::Elem, processor: &mut Processor<'_, Self>) {
        let (operator, kind) = *processor.constants();
        let sums = state.prefixes(&operator, before);
        for (slot, child) in state.node.children() {
            processor.send(child, Sum::Before(sums.parts[slot]));
        }
        state.own = match kind {
            ScanKind::Inclusive => operator.combine(sums.own, state.own),
            ScanKind::Exclusive => sums.own,
        };
    }
}

/// The words of a processor for a [`scan()`].
pub const fn scan_words<M: Fold>() -> usize {
    program_words::<Scan<M>>(PARTS)
}

/// Gives every processor of a range the combination of the values before it, in the
/// order of addresses. Processors outside keep their values.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn scan<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    kind: ScanKind,
    ranges: impl Into<Ranges>,
    values: Memory<M::Elem>,
) -> Result<Memory<M::Elem>, CollectiveError> {
    let nodes = ranges.into().assign(machine.processors())?.map(Node::of);
    let states = nodes.beside(values).map(|_, (node, own)| Gather::new(node, own));
    let memory = machine.run::<Scan<M>>(name, (operator, kind), states)?;
    Ok(memory.map(|_, state| state.own))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{OPERATOR, Setup, every_setup};
    use super::*;
    use palmette_core::Monoid;

    #[test]
    fn prefixes_are_those_of_a_loop() {
        every_setup(|Setup { machine, ranges, values }| {
            for kind in [ScanKind::Inclusive, ScanKind::Exclusive] {
                let given = Memory::from(values.to_vec());
                let found = scan(machine, "scan", OPERATOR, kind, ranges.clone(), given).unwrap();
                let mut sum = OPERATOR.identity();
                for (p, range) in ranges.states().iter().enumerate() {
                    if range.is_empty() {
                        assert_eq!(found.states()[p], values[p]);
                        continue;
                    }
                    let before = if range.first as usize == p { OPERATOR.identity() } else { sum };
                    sum = OPERATOR.combine(before, values[p]);
                    let expected = if kind == ScanKind::Inclusive { sum } else { before };
                    assert_eq!(found.states()[p], expected);
                }
            }
            assert!(machine.most_received() <= 4);
        });
    }
}
