//! Barrier.
//!
//! **Problem.** No processor of a range is to go on before all of them have arrived; or,
//! all are to go on at the same clock.
//!
//! **Method.** An all-reduce of nothing. A processor then leaves as many steps after the
//! first as it is deep in the [tree](super::tree) of the range, which it knows from then: to
//! be even with all others it talks to itself for the steps that are left.
//!
//! **Messages.** Those of an all-reduce; no order matters. That all leave at the same clock
//! means that the longest chains of messages behind them are as long, and says something about
//! time only where every message takes one step.
//!
//! **Cost.** That of an [all-reduce](super::all_reduce), with messages of one word.
//! [`align`] adds no energy; on whole machines of 4^j processors one step and, measured for
//! 2^8 to 2^18, 1.45 n messages.

use super::tree::Node;
use super::{CollectiveError, Range, Ranges, all_reduce, reduce_words};
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

/// The words of a processor for a [`barrier`] or an [`align`].
pub const BARRIER_WORDS: usize = reduce_words::<Nothing>();

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

/// A [`barrier`] that all processors of a range leave at the same clock. Where messages take
/// one step each, nothing that is sent to them then piles up before one that comes late.
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
    let left = |me, range: Range| Node::levels(range) - Node::of(me, range).level();
    let left = ranges.assign(machine.processors())?.map(left);
    machine.run::<Wait>(name, (), left)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{PATTERNS, Random, delay, machine_with};
    use super::*;
    use crate::machine::MachineParams;
    use crate::testing::every_delivery;

    /// More than any clock before.
    const LATER: u32 = 1000;

    /// The clock of processor `p` after all have waited for so long, and something else.
    fn clock(
        params: MachineParams,
        clocks: &[u32],
        p: u32,
        wait: impl Fn(&mut Machine) -> Result<(), CollectiveError>,
    ) -> u32 {
        let mut machine = machine_with(clocks.len(), params);
        delay(&mut machine, clocks.to_vec());
        wait(&mut machine).unwrap();
        // The depth shows the clock of the one processor that goes on.
        let ahead = (0..clocks.len() as u32).map(|q| if p == q { LATER } else { 0 });
        delay(&mut machine, ahead.collect());
        machine.costs().depth - LATER
    }

    fn random_clocks(n: u32) -> Vec<u32> {
        let mut random = Random(n.into());
        (0..n).map(|_| random.below(50) as u32).collect()
    }

    #[test]
    fn nobody_leaves_before_the_last_has_arrived() {
        let run = |params, n: u32, p: u32| {
            let clocks = random_clocks(n);
            let wait = |m: &mut Machine| barrier(m, "barrier", Range::new(1, n));
            assert!(clock(params, &clocks, p, wait) >= *clocks[1..].iter().max().unwrap());
        };
        for n in [2, 3, 7, 20, 33] {
            (1..n).for_each(|p| run(MachineParams::default(), n, p));
        }
        let mut random = Random(1);
        every_delivery(PATTERNS, |params| run(params, 9, 1 + random.below(8) as u32));
    }

    #[test]
    fn all_leave_at_the_same_clock() {
        let run = |params, n: u32| {
            let (clocks, range) = (random_clocks(n), Range::new(n / 3, n));
            let wait = |m: &mut Machine| align(m, "align", range);
            let clocks = (range.first..range.end).map(|p| clock(params, &clocks, p, wait));
            let clocks: Vec<u32> = clocks.collect();
            assert!(clocks.windows(2).all(|pair| pair[0] == pair[1]), "{n}: {clocks:?}");
        };
        for n in [1, 2, 3, 7, 20, 33] {
            run(MachineParams::default(), n);
        }
        let mut random = Random(2);
        every_delivery(PATTERNS, |params| run(params, 1 + random.below(5) as u32));
    }
}
