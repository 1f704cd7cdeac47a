//! Permutation.
//!
//! **Problem.** Every processor may send one value to an address that it names; no two
//! may name the same.
//!
//! **Method.** One message each; what stays in place is not sent. An address that
//! receives several messages counts them, and the host finds the count after the run.
//!
//! **Messages.** An address that somebody names waits for one; no order matters. An address
//! that nobody names hears nothing, and cannot know by that: who is named has to be known in
//! another way before anyone acts on it, as it is when everyone is.
//!
//! **Cost.** At most n messages of at most the grid's two sides: O(n^1.5) energy, which a
//! random permutation meets with 2/3 n^1.5; depth 1. A processor receives one message,
//! unless the addresses are not a permutation.

use super::CollectiveError;
use crate::machine::{Machine, Memory, Plain, Processor, Program, program_words};
use crate::plain;
use std::marker::PhantomData;

plain! {
    #[derive(Debug, Clone, Copy)]
    struct State<T> {
        target: Option<u32>,
        value: T,
        received: Option<T>,
        messages: u32,
    }
}

struct Permute<T>(PhantomData<T>);

impl<T: Plain> Program for Permute<T> {
    type Constants = ();
    type State = State<T>;
    type Message = T;

    fn start(state: &mut State<T>, processor: &mut Processor<'_, Self>) {
        match state.target {
            Some(target) if target == processor.me() => {
                Self::receive(state, state.value, processor);
            }
            Some(target) => processor.send(target, state.value),
            None => {}
        }
    }

    fn receive(state: &mut State<T>, value: T, _: &mut Processor<'_, Self>) {
        state.received = Some(value);
        state.messages += 1;
    }
}

/// The words of a processor for a [`permute()`].
pub const fn permute_words<T: Plain>() -> usize {
    program_words::<Permute<T>>(1)
}

/// Sends every value to the address that its processor names, if any. Returns what
/// arrived at each address.
///
/// # Errors
/// Two processors that name one address, an address that no processor has, and what else
/// stops the machine. Addresses named by more processors than a machine's memory holds
/// messages stop it before they can be counted.
pub fn permute<T: Plain>(
    machine: &mut Machine,
    name: &str,
    targets: Memory<Option<u32>>,
    values: Memory<T>,
) -> Result<Memory<Option<T>>, CollectiveError> {
    let states = targets.beside(values);
    let states =
        states.map(|_, (target, value)| State { target, value, received: None, messages: 0 });
    let memory = machine.run::<Permute<T>>(name, (), states)?;
    match (0u32..).zip(memory.states()).find(|(_, state)| state.messages > 1) {
        Some((address, &State { messages, .. })) => {
            Err(CollectiveError::Conflict { address, messages })
        }
        None => Ok(memory.map(|_, state| state.received)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PATTERNS, Random, machine, machine_with, stagger};
    use super::*;
    use crate::machine::{MachineError, MachineParams};
    use crate::testing::every_delivery;

    #[test]
    fn values_arrive_where_they_are_sent() {
        let run = |params: MachineParams, n: usize, random: &mut Random| {
            let mut machine = machine_with(n, params);
            stagger(&mut machine, random);
            let mut order: Vec<u32> = (0..n as u32).collect();
            (1..n).for_each(|i| order.swap(i, random.below(i as u64 + 1) as usize));
            // A third takes no part.
            let target = |p: usize| (p % 3 != 2).then_some(order[p]);
            let targets = Memory::new(n, |p| target(p as usize));
            let found = permute(&mut machine, "permute", targets, Memory::new(n, |p| p)).unwrap();
            let mut expected = vec![None; n];
            (0..n).for_each(|p| {
                if let Some(to) = target(p) {
                    expected[to as usize] = Some(p as u32);
                }
            });
            assert_eq!(found.states(), expected);
            assert!(machine.most_received() <= 1);
        };
        let mut random = Random(1);
        for n in (1..=70).chain([5000]) {
            run(MachineParams::default(), n, &mut random);
        }
        every_delivery(PATTERNS, |params| {
            let n = 1 + random.below(40) as usize;
            run(params, n, &mut random);
        });
    }

    #[test]
    fn a_shared_address_is_an_error() {
        let run = |target: fn(u32) -> Option<u32>| {
            permute(&mut machine(9), "permute", Memory::new(9, target), Memory::new(9, |p| p))
        };
        let conflict = |address, messages| CollectiveError::Conflict { address, messages };
        assert_eq!(run(|p| Some(p / 3)).unwrap_err(), conflict(0, 3));
        // One of the two values is already there.
        assert_eq!(run(|p| Some(if p == 4 { 7 } else { p })).unwrap_err(), conflict(7, 2));
        let off_grid = run(Some).unwrap().states().len() == 9 && run(|p| Some(p + 1)).is_err();
        assert!(off_grid);
        let n = 1000;
        let everyone_to_one =
            permute(&mut machine(n), "permute", Memory::new(n, |_| Some(5)), Memory::new(n, |p| p));
        assert!(matches!(
            everyone_to_one,
            Err(CollectiveError::Machine(MachineError::Memory { processor: 5, .. }))
        ));
    }
}
