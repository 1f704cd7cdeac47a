//! Barrier.
//!
//! **Problem.** No processor of a range is to go on before all of them have arrived.
//!
//! **Method.** An all-reduce of nothing.
//!
//! **Cost.** That of an [all-reduce](super::all_reduce), with messages of one word.

use super::{CollectiveError, Ranges, all_reduce};
use crate::machine::{Machine, Memory};
use palmette_core::Monoid;

/// The operator on nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nothing;

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

#[cfg(test)]
mod tests {
    use super::super::Range;
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
}
