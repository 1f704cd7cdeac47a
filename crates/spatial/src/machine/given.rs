//! What a program is given for free.
//!
//! The model charges for everything that a processor has to learn. The published constants leave
//! some of it out: a seed that all processors share, or who precedes whom in a list. By default
//! programs learn these by messages. [`Given`] names what the host may hand out instead, so that
//! a record says which of them a cost does not contain.

use palmette_core::named;
use palmette_core::named::UnknownName;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

named! {
    /// One thing that the host may hand out for free.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Gift("gift") {
        /// The seed that all processors share; else a broadcast.
        Seed = "seed",
        /// Who precedes each element of a list; else a message from every predecessor.
        Predecessors = "predecessors",
        /// Queries split over copies of their vertices, with a layout that has room for these;
        /// else vertices send what they have no room for elsewhere.
        Queries = "queries",
        /// The children of every vertex; else they are found from the parents.
        Children = "children",
    }
}

/// A set of [gifts](Gift): spelled `seed,children`, and `none` or `all`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Given(u8);

impl Given {
    /// Everything is paid for.
    pub const NOTHING: Given = Given(0);
    /// Everything that can be given is given.
    pub const ALL: Given = Given((1 << Gift::ALL.len()) - 1);

    /// The same gifts and one more.
    #[must_use]
    pub const fn with(self, gift: Gift) -> Given {
        Given(self.0 | 1 << gift as u8)
    }

    /// Whether something is given.
    pub const fn has(self, gift: Gift) -> bool {
        self.0 & 1 << gift as u8 != 0
    }

    /// What is given, in the order of [`Gift::ALL`].
    pub fn gifts(self) -> impl Iterator<Item = Gift> {
        Gift::ALL.into_iter().filter(move |&gift| self.has(gift))
    }
}

/// What programs have taken of what they are given. Asking for it needs no machine to oneself.
#[derive(Debug, Default)]
pub(super) struct Taken(AtomicU8);

impl Taken {
    pub(super) fn note(&self, gift: Gift) {
        self.0.fetch_or(Given::NOTHING.with(gift).0, Ordering::Relaxed);
    }

    pub(super) fn given(&self) -> Given {
        Given(self.0.load(Ordering::Relaxed))
    }
}

impl FromIterator<Gift> for Given {
    fn from_iter<I: IntoIterator<Item = Gift>>(gifts: I) -> Given {
        gifts.into_iter().fold(Given::NOTHING, Given::with)
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.gifts().map(Gift::name).collect();
        f.pad(if names.is_empty() { "none".to_string() } else { names.join(",") }.as_str())
    }
}

impl FromStr for Given {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Given, UnknownName> {
        match text {
            "none" => Ok(Given::NOTHING),
            "all" => Ok(Given::ALL),
            names => names.split(',').map(str::parse::<Gift>).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_spelled_and_read() {
        for bits in 0..=Given::ALL.0 {
            let given = Given(bits);
            assert_eq!(given.to_string().parse(), Ok(given));
            assert_eq!(given.gifts().collect::<Given>(), given);
        }
        assert_eq!("all".parse(), Ok(Given::ALL));
        assert_eq!("children,seed".parse::<Given>().unwrap().to_string(), "seed,children");
        let error = "sed".parse::<Given>().unwrap_err();
        assert_eq!(error.to_string(), "unknown gift `sed`; did you mean `seed`?");
    }
}
