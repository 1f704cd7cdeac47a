//! Announce: a broadcast in ranges that only their first processors know.
//!
//! **Problem.** Some processors have a range that begins with them, and a value; ranges are
//! disjoint. Everyone in a range is to have its range and its value. Unlike in a
//! [broadcast](super::broadcast()) the others do not know where their range begins or ends,
//! nor whether they are in one.
//!
//! **Method.** The message carries the range. A processor that hears it finds its children
//! in the [tree](super::tree) of that range from its own address, and passes it on.
//!
//! **Cost.** That of a broadcast in each range: O(length) energy, depth at most
//! ⌈log4 length⌉ + 2. A message has two words more than the value, a state three; a
//! processor receives one message and does O(log n) operations.
//!
//! **Determinism.** Nothing depends on clocks, threads or random bits.
//!
//! **Reference.** Lemma 13 of *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** Where everyone knows its range, a broadcast has shorter messages.

use super::tree::Node;
use super::{CollectiveError, Range};
use crate::machine::{Machine, Memory, Plain, Processor, Program};
use std::marker::PhantomData;

struct Announce<T>(PhantomData<T>);

impl<T: Plain> Program for Announce<T> {
    type Constants = ();
    type State = Option<(Range, T)>;
    type Message = (Range, T);

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        if let Some(news) = *state {
            Self::receive(state, news, processor);
        }
    }

    fn receive(state: &mut Self::State, news: (Range, T), processor: &mut Processor<'_, Self>) {
        *state = Some(news);
        let node = Node::of(processor.me(), news.0);
        node.children().for_each(|(_, child)| processor.send(child, news));
    }
}

/// Tells a range and a value to all processors of the range; `news` holds them at the first
/// processor of each. A processor in no range receives nothing.
///
/// # Errors
/// Ranges that overlap, that begin elsewhere or that reach beyond the machine, and what stops
/// the machine.
pub fn announce<T: Plain>(
    machine: &mut Machine,
    name: &str,
    news: Memory<Option<(Range, T)>>,
) -> Result<Memory<Option<(Range, T)>>, CollectiveError> {
    check(news.states())?;
    Ok(machine.run::<Announce<T>>(name, (), news)?)
}

fn check<T: Copy>(news: &[Option<(Range, T)>]) -> Result<(), CollectiveError> {
    let mut end = 0;
    for (processor, told) in (0u32..).zip(news) {
        let Some((range, _)) = *told else { continue };
        let begins = range.first == processor && !range.is_empty();
        if !begins || processor < end || range.end as usize > news.len() {
            return Err(CollectiveError::Range { processor, range });
        }
        end = range.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Setup, every_setup, machine};
    use super::*;

    #[test]
    fn everyone_in_a_range_hears_of_it() {
        every_setup(|Setup { machine, ranges, values }| {
            let told = |range: Range| (range, values[range.first as usize]);
            let expected: Vec<_> =
                ranges.states().iter().map(|r| (!r.is_empty()).then(|| told(*r))).collect();
            let news = Memory::new(values.len(), |p| {
                expected[p as usize].filter(|(range, _)| range.first == p)
            });
            let heard = announce(machine, "announce", news).unwrap();
            assert_eq!(heard.states(), expected);
            assert!(machine.most_received() <= 1);
        });
    }

    #[test]
    fn ranges_begin_with_their_processor_and_are_disjoint() {
        let wrong = |processor, first, end| {
            let mut news = vec![None; 6];
            news[1] = Some((Range::new(1, 4), ()));
            let range = Range::new(first, end);
            news[processor as usize] = Some((range, ()));
            let found = announce(&mut machine(6), "announce", Memory::from(news));
            assert_eq!(found, Err(CollectiveError::Range { processor, range }));
        };
        wrong(4, 4, 7);
        wrong(4, 3, 5);
        wrong(4, 5, 6);
        wrong(4, 4, 4);
        wrong(3, 3, 6);
    }
}
