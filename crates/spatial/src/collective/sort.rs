//! Sorting by a comparator network.
//!
//! **Problem.** Every processor of a range has a key and a payload; afterwards the keys
//! ascend with the addresses.
//!
//! **Method.** Blocks of 2, 4, 8, ... addresses are merged from sorted halves. Every stage
//! of a merge is a program: two processors exchange their items, one keeps the smaller
//! and one the larger.
//!
//! A range need not be a whole block. What follows it counts as plus infinity, what
//! precedes it as minus infinity; no comparator would move either, since all that touch
//! them put the smaller key at the lower address. For the odd-even network this holds
//! everywhere, and blocks are those of the curve, wherever the range begins. The bitonic
//! one needs halves in opposite orders: the second ascends and the first descends, unless
//! the second has no address of the range. Its blocks are counted from the range's first.
//!
//! A processor knows from its range how many stages there are for it: it takes part in no
//! more, so that nobody has to know how long the other ranges are.
//!
//! **Messages.** In a stage, whoever has a partner waits for one message; no order matters. A
//! message for a stage that its receiver has not entered waits until it does. When all start
//! at the same clock and every message takes one step there are none. With any delays, partners
//! of later stages can be ahead of a processor, each by one message: of the same merge, of the next
//! as far as they lie beyond what this one still merges, and in every later merge the first. On n
//! processors, with k = ⌈log2 n⌉, up to k + 2 items were seen to wait (n to 1,500); [`sort_words`]
//! has room for 2 k. So a processor needs O(log n) words where delays are arbitrary.
//!
//! **Cost.** With k = ⌈log2 n⌉: k(k+1)/2 stages, at most one message per processor each. A
//! stride of 2^j occurs k - j times and costs O(2^(j/2)) per message on a distance-bound
//! curve: O(n^1.5) energy, a geometric sum. Measured at n = 2^18, depth 171:
//!
//! | network | Hilbert | Z |
//! |---|---|---|
//! | [`Network::OddEven`] | 9.20 n^1.5, distance 13.6 √n | 12.45 n^1.5, 34.5 √n and rising |
//! | [`Network::Bitonic`] | 11.17 n^1.5, 15.0 √n | 6.92 n^1.5, 6.9 √n |
//!
//! Short ranges are sorted in fewer stages by [`Network::Bitonic`], whose blocks are as long
//! as ranges; those of the odd-even network are as long as what they lie across.
//!
//! **Determinism.** Equal keys are never exchanged: which payload ends where is decided
//! by the network alone. The sort is not stable.
//!
//! **Reference.** Batcher, *Sorting networks and their applications*, 1968.

use super::{CollectiveError, Range, Ranges};
use crate::machine::{Machine, Memory, Plain, Processor, Program, program_words};
use crate::plain;
use std::marker::PhantomData;

plain! {
    /// A comparator network.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Network {
        /// Batcher's odd-even merge: the least energy on Hilbert and its like.
        #[default]
        OddEven,
        /// Batcher's bitonic merge: the least energy on Z.
        Bitonic,
    }
}

plain! {
    /// One stage: all comparators of one stride, in all blocks of one length.
    #[derive(Debug, Clone, Copy)]
    struct Stage {
        network: Network,
        /// The binary logarithm of the length of the blocks that are merged.
        block: u32,
        /// The binary logarithm of the stride, below that of the block.
        stride: u32,
    }
}

impl Network {
    /// The bits that differ within a range that is not empty: those of positions, or of addresses
    /// where blocks begin at multiples of their length.
    #[inline]
    fn changing(self, range: Range) -> u32 {
        match self {
            Network::OddEven => range.first ^ (range.end - 1),
            Network::Bitonic => range.len() - 1,
        }
    }

    /// The binary logarithm of the length of the blocks of a range's last merge.
    fn last_block(self, range: Range) -> u32 {
        u32::BITS - self.changing(range).leading_zeros()
    }
}

impl Stage {
    /// With whom a processor exchanges items in its range, and whether it keeps the smaller.
    #[inline]
    fn partner(self, me: u32, range: Range) -> Option<(u32, bool)> {
        // The range's last merge may come before this one.
        if !range.contains(me) || self.network.changing(range) >> (self.block - 1) == 0 {
            return None;
        }
        let (stride, length) = (1u64 << self.stride, 1u64 << self.block);
        let (first, end, me) = (u64::from(range.first), u64::from(range.end), u64::from(me));
        let (partner, ascends) = match self.network {
            Network::OddEven => {
                let opens = stride * 2 == length;
                let above = if opens { me & stride == 0 } else { me & stride != 0 };
                let partner = if above { me + stride } else { me.checked_sub(stride)? };
                (partner, true)
            }
            Network::Bitonic => {
                let position = me - first;
                let sibling = first + (((position >> self.block) + 1) << self.block);
                (first + (position ^ stride), position & length != 0 || sibling >= end)
            }
        };
        // Only at the ends of its block does an odd-even comparator lead out of it.
        let within = self.network == Network::Bitonic || (partner ^ me) < length;
        let exists = within && first <= partner && partner < end;
        exists.then_some((partner as u32, (partner > me) == ascends))
    }
}

struct Exchange<K, V>(PhantomData<(K, V)>);

impl<K: Ord + Plain, V: Plain> Program for Exchange<K, V> {
    type Constants = Stage;
    type State = (Range, (K, V));
    type Message = (K, V);

    fn start(state: &mut Self::State, processor: &mut Processor<'_, Self>) {
        if let Some((partner, _)) = processor.constants().partner(processor.me(), state.0) {
            processor.send(partner, state.1);
        }
    }

    fn receive(state: &mut Self::State, other: (K, V), processor: &mut Processor<'_, Self>) {
        let mine = state.1;
        let wrong = match processor.constants().partner(processor.me(), state.0) {
            Some((_, true)) => other.0 < mine.0,
            Some((_, false)) => mine.0 < other.0,
            None => false,
        };
        if wrong {
            state.1 = other;
        }
    }
}

/// The words of a processor for a [`sort()`] on a machine of so many processors: for its item, the
/// one that it is compared with, and those that wait for later stages.
pub const fn sort_words<K: Ord + Plain, V: Plain>(processors: usize) -> usize {
    program_words::<Exchange<K, V>>(1 + items_waiting(processors))
}

/// The most items that wait for a processor while it sorts: 2 log2 n.
pub(crate) const fn items_waiting(processors: usize) -> usize {
    2 * processors.next_power_of_two().ilog2() as usize
}

/// Sorts the items of every range by their keys. Processors outside keep theirs.
///
/// # Errors
/// Processors that disagree on ranges, and what stops the machine.
pub fn sort<K: Ord + Plain, V: Plain>(
    machine: &mut Machine,
    name: &str,
    network: Network,
    ranges: impl Into<Ranges>,
    items: Memory<(K, V)>,
) -> Result<Memory<(K, V)>, CollectiveError> {
    let ranges = ranges.into().assign(machine.processors())?;
    // Stages in which nobody has a partner are not run; no processor needs to know which.
    let members = || ranges.states().iter().filter(|range| !range.is_empty());
    let longest = members().map(|range| range.len()).max().unwrap_or(0);
    let bits = members().map(|&range| network.last_block(range)).max().unwrap_or(0);
    let mut memory = ranges.clone().beside(items);
    for block in 1..=bits {
        for stride in (0..block).rev().filter(|&stride| 1 << stride < longest) {
            let stage = Stage { network, block, stride };
            memory = machine.run::<Exchange<K, V>>(name, stage, memory)?;
        }
    }
    Ok(memory.map(|_, (_, item)| item))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Setup, every_setup};
    use super::*;

    #[test]
    fn keys_ascend_in_every_range() {
        every_setup(|Setup { machine, ranges, values }| {
            for (network, different) in [
                (Network::OddEven, 1000),
                (Network::OddEven, 3),
                (Network::Bitonic, 1000),
                (Network::Bitonic, 2),
            ] {
                let items: Vec<(u64, u32)> =
                    (0u32..).zip(values).map(|(p, value)| (value[0] % different, p)).collect();
                let given = Memory::from(items.clone());
                let found = sort(machine, "sort", network, ranges.clone(), given).unwrap();
                let mut p = 0;
                while p < items.len() {
                    let range = ranges.states()[p];
                    let end = if range.is_empty() { p + 1 } else { range.end as usize };
                    let (mut expected, found) = (items[p..end].to_vec(), &found.states()[p..end]);
                    assert!(found.is_sorted_by_key(|item| item.0), "{network:?} {range}");
                    let mut found = found.to_vec();
                    expected.sort();
                    found.sort();
                    assert_eq!(found, expected);
                    p = end;
                }
            }
            assert!(machine.most_received() <= 1);
        });
    }

    /// Ranges of one length cost the same whatever lies beside them.
    #[test]
    fn a_long_range_costs_the_others_nothing() {
        for network in [Network::OddEven, Network::Bitonic] {
            let energy = |ranges: fn(u32) -> Range| {
                let mut machine = super::super::testing::machine(256);
                let items = Memory::new(256, |p| (p * 77 % 256, ()));
                let ranges = Memory::new(256, ranges);
                sort(&mut machine, "sort", network, ranges, items).unwrap();
                machine.costs().energy
            };
            let eights =
                |p: u32| if p < 128 { Range::new(p & !7, (p & !7) + 8) } else { Range::EMPTY };
            let long = |p: u32| if p < 128 { Range::EMPTY } else { Range::new(128, 256) };
            let both = |p: u32| {
                if p < 128 { Range::new(p & !7, (p & !7) + 8) } else { Range::new(128, 256) }
            };
            assert_eq!(energy(eights) + energy(long), energy(both));
        }
    }

    #[test]
    fn equal_keys_stay_where_they_are() {
        for network in [Network::OddEven, Network::Bitonic] {
            let items = Memory::new(64, |p| (7u64, p));
            let mut machine = super::super::testing::machine(64);
            let range = Range::new(0, 64);
            let found = sort(&mut machine, "sort", network, range, items.clone()).unwrap();
            assert_eq!(found, items);
        }
    }
}
