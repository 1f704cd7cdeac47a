//! Barrier.
//!
//! **Problem.** No processor of a range is to go on before all of them have arrived; or,
//! all are to go on at the same clock.
//!
//! **Method.** An all-reduce of nothing. A processor then leaves as many steps after the
//! first as it is deep in the [tree](super::tree) of the range, which it can compute: to
//! be even with all others it talks to itself for the steps that are left.
//!
//! **Cost.** That of an [all-reduce](super::all_reduce), with messages of one word.
//! [`align`] adds no energy; on whole machines of 4^j processors one step and, measured for
//! 2^8 to 2^18, 1.45 n messages.

use super::tree::Node;
use super::{CollectiveError, Range, Ranges, all_reduce};
use crate::machine::{Machine, Memory, Processor, Program};
use crate::plain;
use palmette_core::Monoid;

plain! {
    /// The operator on nothing.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Nothing;
}

impl Monoid for Nothing {
    type Elem = ();
    fn identity(&self) {}
    fn combine(&self, (): (), (): ()) {}
}

/// Makes every processor of a range wait for all others of the range: whatever it sends
/// afterwards depends on all that any of them did before.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn barrier(
    machine: &mut Machine,
    name: &str,
    ranges: impl Into<Ranges>,
) -> Result<(), CollectiveError> {
    let nothing = Memory::new(machine.processors(), |_| ());
    all_reduce(machine, name, Nothing, ranges, nothing).map(|_| ())
}

/// Talks to itself for so many messages.
pub(super) struct Wait;

impl Program for Wait {
    type Constants = ();
    /// Steps that are left.
    type State = u32;
    type Message = ();

    fn start(left: &mut u32, processor: &mut Processor<'_, Self>) {
        if *left > 0 {
            *left -= 1;
            processor.send(processor.me(), ());
        }
    }

    fn receive(left: &mut u32, (): (), processor: &mut Processor<'_, Self>) {
        Self::start(left, processor);
    }
}

/// A [`barrier`] that all processors of a range leave at the same clock. A program that
/// they enter together receives what is sent to them step by step: nothing has piled up
/// before one that came late.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn align(
    machine: &mut Machine,
    name: &str,
    ranges: impl Into<Ranges>,
) -> Result<(), CollectiveError> {
    let ranges = ranges.into();
    barrier(machine, name, ranges.clone())?;
    even_out(machine, name, ranges)
}

/// Lets processors wait that left a broadcast or a scan of the same ranges before others.
pub(crate) fn even_out(
    machine: &mut Machine,
    name: &str,
    ranges: impl Into<Ranges>,
) -> Result<(), CollectiveError> {
    let ranges = ranges.into();
    let left = |me, range: Range| Node::levels(range) - Node::level(me, range);
    let left = ranges.assign(machine.processors())?.map(left);
    machine.run::<Wait>(name, (), left)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Random, delay, machine};
    use super::*;

    #[test]
    fn nobody_leaves_before_the_last_has_arrived() {
        const LATER: u32 = 1000;
        for n in [2, 3, 7, 20, 33] {
            let mut random = Random(n);
            let clocks: Vec<u32> = (0..n).map(|_| random.below(50) as u32).collect();
            let last = clocks[1..].iter().max().unwrap();
            for p in 1..n as usize {
                let mut machine = machine(n as usize);
                delay(&mut machine, clocks.clone());
                barrier(&mut machine, "barrier", Range::new(1, n as u32)).unwrap();
                // The depth shows the clock of the one processor that goes on.
                delay(
                    &mut machine,
                    (0..n as usize).map(|q| if p == q { LATER } else { 0 }).collect(),
                );
                assert!(machine.costs().depth - LATER >= *last);
            }
        }
    }

    #[test]
    fn all_leave_at_the_same_clock() {
        for n in [1, 2, 3, 7, 20, 33] {
            let mut random = Random(n);
            let range = Range::new(n as u32 / 3, n as u32);
            let clocks: Vec<u32> = (0..n).map(|_| random.below(50) as u32).collect();
            let depths: Vec<u32> = (range.first..range.end)
                .map(|p| {
                    let mut machine = machine(n as usize);
                    delay(&mut machine, clocks.clone());
                    align(&mut machine, "align", range).unwrap();
                    let ahead = (0..n as u32).map(|q| if p == q { 1000 } else { 0 });
                    delay(&mut machine, ahead.collect());
                    machine.costs().depth
                })
                .collect();
            assert!(depths.windows(2).all(|pair| pair[0] == pair[1]), "{n}");
        }
    }
}
