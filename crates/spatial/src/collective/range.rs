//! Ranges of addresses, on which collectives work. Disjoint ranges are served at the same time.

use super::CollectiveError;
use crate::machine::Memory;
use crate::plain;
use std::fmt;

plain! {
    /// The addresses from `first` up to, not including, `end`. Addresses follow the curve,
    /// so a range is a compact piece of the grid.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct Range {
        /// The first address.
        pub first: u32,
        /// The address after the last.
        pub end: u32,
    }
}

impl Range {
    /// No addresses: the range of a processor that takes no part.
    pub const EMPTY: Range = Range { first: 0, end: 0 };

    /// The addresses from `first` up to, not including, `end`.
    pub const fn new(first: u32, end: u32) -> Range {
        Range { first, end }
    }

    /// The number of addresses.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.first)
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.end <= self.first
    }

    /// Whether an address lies inside.
    pub const fn contains(self, address: u32) -> bool {
        self.first <= address && address < self.end
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.first, self.end)
    }
}

/// The ranges that a collective works on: one, or for every processor its own.
/// Disjoint ranges are served at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranges {
    /// One range; all other processors take no part.
    One(Range),
    /// What every processor holds: its range, or [`Range::EMPTY`].
    Each(Memory<Range>),
}

impl From<Range> for Ranges {
    fn from(range: Range) -> Ranges {
        Ranges::One(range)
    }
}

impl From<Memory<Range>> for Ranges {
    fn from(ranges: Memory<Range>) -> Ranges {
        Ranges::Each(ranges)
    }
}

impl Ranges {
    /// Every processor's range, checked.
    pub(super) fn assign(self, processors: usize) -> Result<Memory<Range>, CollectiveError> {
        match self {
            Ranges::One(range) if range.is_empty() => Ok(Memory::new(processors, |_| Range::EMPTY)),
            Ranges::One(range) if range.end as usize <= processors => Ok(Memory::new(
                processors,
                |p| if range.contains(p) { range } else { Range::EMPTY },
            )),
            Ranges::One(range) => Err(CollectiveError::Range { processor: range.first, range }),
            Ranges::Each(ranges) => {
                check(ranges.states())?;
                Ok(ranges)
            }
        }
    }
}

/// Whether all processors of every range hold the same range.
fn check(ranges: &[Range]) -> Result<(), CollectiveError> {
    let mut current = Range::EMPTY;
    for (processor, &range) in (0u32..).zip(ranges) {
        if !current.contains(processor) {
            let begins = range.first == processor && range.end as usize <= ranges.len();
            current = if begins { range } else { Range::EMPTY };
        }
        let agreed = range == current || (range.is_empty() && current.is_empty());
        if !agreed {
            return Err(CollectiveError::Range { processor, range });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(ranges: &[(u32, u32)]) -> Result<Memory<Range>, CollectiveError> {
        let ranges: Vec<Range> = ranges.iter().map(|&(a, b)| Range::new(a, b)).collect();
        let processors = ranges.len();
        Ranges::from(Memory::from(ranges)).assign(processors)
    }

    #[test]
    fn one_range_is_given_to_its_processors() {
        let ranges = Ranges::from(Range::new(1, 3)).assign(4).unwrap();
        let own = Range::new(1, 3);
        assert_eq!(ranges.states(), [Range::EMPTY, own, own, Range::EMPTY]);
        assert!(Ranges::from(Range::new(1, 5)).assign(4).is_err());
        assert!(Ranges::from(Range::new(9, 5)).assign(4).is_ok());
    }

    #[test]
    fn ranges_must_agree() {
        assert!(each(&[(0, 2), (0, 2), (2, 3), (0, 0), (7, 7)]).is_ok());
        let wrong = |processor, (a, b): (u32, u32)| {
            Err(CollectiveError::Range { processor, range: Range::new(a, b) })
        };
        assert_eq!(each(&[(0, 2), (1, 2)]), wrong(1, (1, 2)));
        assert_eq!(each(&[(0, 2), (0, 0)]), wrong(1, (0, 0)));
        assert_eq!(each(&[(0, 1), (0, 1)]), wrong(1, (0, 1)));
        assert_eq!(each(&[(0, 0), (1, 3)]), wrong(1, (1, 3)));
        assert_eq!(each(&[(0, 1), (2, 3), (2, 3)]), wrong(1, (2, 3)));
        let message = each(&[(0, 2), (1, 2)]).unwrap_err().to_string();
        assert_eq!(message, "processor 1: the processors of [1, 2) do not agree on the range");
    }
}
