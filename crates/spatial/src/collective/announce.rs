//! Announce: a broadcast in ranges that only their announcers know.
//!
//! **Problem.** Some processors have a range and a value; ranges are disjoint. Everyone in a
//! range is to have its range and its value. Unlike in a [broadcast](super::broadcast()) the
//! others do not know where their range begins or ends, and it may begin anywhere. Ranges are
//! those of addresses or, with [`announce_among`], of items that lie evenly on the machine.
//!
//! **Method.** The announcer tells the first of the range. The message carries the range: a
//! processor that hears it finds its children in the [tree](super::tree) of that range from
//! its own address, and passes it on.
//!
//! **Messages.** Everyone in a range waits for one message; no order matters. Who is in no
//! range hears nothing, and cannot know by that: a program in which somebody may be in no
//! range has to tell everyone in another way how often it will hear something.
//!
//! **Cost.** That of a broadcast in each range: O(length) energy, depth at most
//! ⌈log4 length⌉ + 2; and one message to the first of the range, if the announcer is another.
//! A message has two words more than the value, a state twice three; a processor receives one
//! message and does O(log n) operations.
//!
//! **Determinism.** Nothing depends on delays, clocks, threads or random bits.
//!
//! **Reference.** Lemma 13 of *Low-Depth Spatial Tree Algorithms*.
//!
//! **When not to use.** Where everyone knows its range, a broadcast has shorter messages.

use super::tree::Node;
use super::{CollectiveError, Range};
use crate::machine::{Machine, Memory, Plain, Processor, Program, program_words};
use crate::plain;
use std::marker::PhantomData;

plain! {
    /// Items that lie evenly on the first processors of a machine, in their order and at most
    /// one per processor.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Spread {
        items: u32,
        processors: u32,
    }
}

impl Spread {
    /// So many items on so many processors; `None` if there are more items than those.
    pub fn new(items: u32, processors: u32) -> Option<Spread> {
        (items <= processors).then_some(Spread { items, processors })
    }

    /// The processor that has an item.
    pub fn address(self, item: u32) -> u32 {
        (u64::from(item) * u64::from(self.processors) / u64::from(self.items)) as u32
    }

    /// The item that a processor has.
    pub fn item(self, address: u32) -> Option<u32> {
        let first = u64::from(address) * u64::from(self.items);
        let item = first.div_ceil(u64::from(self.processors.max(1))) as u32;
        (item < self.items && self.address(item) == address).then_some(item)
    }
}

/// A range, and what it is told.
type News<T> = Option<(Range, T)>;

struct Announce<T>(PhantomData<T>);

impl<T: Plain> Program for Announce<T> {
    type Constants = Spread;
    /// What to announce, and what has been heard.
    type State = [News<T>; 2];
    type Message = (Range, T);

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        if let [Some(news), _] = *state {
            match processor.constants().address(news.0.first) {
                first if first == processor.me() => Self::receive(state, news, processor),
                first => processor.send(first, news),
            }
        }
    }

    fn receive(state: &mut Self::State, news: (Range, T), processor: &mut Processor<'_, Self>) {
        state[1] = Some(news);
        let spread = *processor.constants();
        if let Some(me) = spread.item(processor.me()) {
            processor.work(Node::levels(news.0));
            let children = Node::of(me, news.0).children();
            children.for_each(|(_, child)| processor.send(spread.address(child), news));
        }
    }
}

/// The words of a processor for an [`announce()`] or an [`announce_among`].
pub const fn announce_words<T: Plain>() -> usize {
    program_words::<Announce<T>>(1)
}

/// Tells a range of addresses and a value to all processors of the range. Returns what each
/// has heard: a processor in no range nothing.
///
/// # Errors
/// Ranges that are empty, that overlap or that reach beyond the machine, and what stops the
/// machine.
pub fn announce<T: Plain>(
    machine: &mut Machine,
    name: &str,
    news: Memory<Option<(Range, T)>>,
) -> Result<Memory<Option<(Range, T)>>, CollectiveError> {
    let processors = machine.processors() as u32;
    announce_among(machine, name, Spread { items: processors, processors }, news)
}

/// Tells a range of items and a value to all processors that have one of them.
///
/// # Errors
/// Ranges that are empty, that overlap or that reach beyond the items, and what stops the
/// machine.
pub fn announce_among<T: Plain>(
    machine: &mut Machine,
    name: &str,
    spread: Spread,
    news: Memory<Option<(Range, T)>>,
) -> Result<Memory<Option<(Range, T)>>, CollectiveError> {
    check(spread, news.states())?;
    let states = news.map(|_, news| [news, None]);
    Ok(machine.run::<Announce<T>>(name, spread, states)?.map(|_, [_, heard]| heard))
}

fn check<T: Copy>(spread: Spread, news: &[News<T>]) -> Result<(), CollectiveError> {
    let told = |(processor, news): (u32, &News<T>)| news.map(|(range, _)| (range, processor));
    let mut ranges: Vec<(Range, u32)> = (0..).zip(news).filter_map(told).collect();
    ranges.sort_unstable_by_key(|&(range, processor)| (range.first, processor));
    let mut end = 0;
    for (range, processor) in ranges {
        if range.is_empty() || range.first < end || range.end > spread.items {
            return Err(CollectiveError::Range { processor, range });
        }
        end = range.end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Random, Setup, every_setup, machine};
    use super::*;

    #[test]
    fn everyone_in_a_range_hears_of_it() {
        every_setup(|Setup { machine, ranges, values }| {
            let told = |range: Range| (range, values[range.first as usize]);
            let expected: Vec<_> =
                ranges.states().iter().map(|r| (!r.is_empty()).then(|| told(*r))).collect();
            let first = |p: u32| expected[p as usize].filter(|(range, _)| range.first == p);
            let heard = announce(machine, "announce", Memory::new(values.len(), first)).unwrap();
            assert_eq!(heard.states(), expected);
            // Somebody else may announce it.
            let last = values.len() as u32 - 1;
            let news = Memory::new(values.len(), |p| first(last - p));
            assert_eq!(announce(machine, "announce", news).unwrap().states(), expected);
            assert!(machine.most_received() <= 1);
        });
    }

    #[test]
    fn items_hear_of_their_ranges() {
        every_setup(|Setup { machine, ranges, values }| {
            let n = values.len() as u32;
            let mut random = Random(n.into());
            // As many items as the ranges have processors in the first part of the machine.
            let items = 1 + random.below(n.into()) as u32;
            let spread = Spread::new(items, n).unwrap();
            let inside = |range: &Range| !range.is_empty() && range.end <= items;
            let ranges: Vec<Range> = ranges.states().to_vec();
            let told = |p: u32| Some(ranges[p as usize]).filter(inside).map(|range| (range, p));
            let news = |p: u32| told(p).filter(|(range, _)| range.first == p);
            let found = announce_among(machine, "items", spread, Memory::new(n as usize, news));
            for (p, &found) in (0..n).zip(found.unwrap().states()) {
                let range = spread.item(p).and_then(told).map(|(range, _)| (range, range.first));
                assert_eq!(found, range);
            }
        });
    }

    #[test]
    fn items_lie_evenly() {
        for processors in 0..50 {
            assert_eq!(Spread::new(processors + 1, processors), None);
            for items in 0..=processors {
                let spread = Spread::new(items, processors).unwrap();
                let found: Vec<u32> = (0..processors).filter_map(|p| spread.item(p)).collect();
                assert!(found.iter().copied().eq(0..items));
                assert!((0..items).all(|item| spread.item(spread.address(item)) == Some(item)));
            }
        }
        let spread = Spread::new(u32::MAX - 1, u32::MAX).unwrap();
        assert_eq!(spread.item(spread.address(4_000_000_000)), Some(4_000_000_000));
    }

    #[test]
    fn ranges_are_disjoint_and_on_the_machine() {
        let announced = |processor: u32, first, end| {
            let mut news = vec![None; 6];
            news[1] = Some((Range::new(1, 4), ()));
            news[processor as usize] = Some((Range::new(first, end), ()));
            announce(&mut machine(6), "announce", Memory::from(news)).map(|_| ())
        };
        for (processor, first, end) in [(4, 4, 7), (4, 3, 5), (4, 4, 4), (3, 3, 6)] {
            let range = Range::new(first, end);
            let error = Err(CollectiveError::Range { processor, range });
            assert_eq!(announced(processor, first, end), error);
        }
        assert_eq!(announced(4, 5, 6), Ok(()));
    }
}
