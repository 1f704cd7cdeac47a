//! How much parts talk to each other.

use serde::{Deserialize, Serialize};

/// Messages and words between parts, as on a machine with a processor a part. They do not
/// depend on how many parts live in one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Traffic {
    /// Exchanges: assemblies of vectors, or ghosts brought up to date.
    pub exchanges: u64,
    /// Messages of exchanges.
    pub messages: u64,
    /// Words of exchanges.
    pub words: u64,
    /// Sums over all parts: a dot, or several at once.
    pub reductions: u64,
}

impl Traffic {
    /// One exchange.
    pub(super) fn exchange(messages: u64, words: u64) -> Traffic {
        Traffic { exchanges: 1, messages, words, reductions: 0 }
    }

    /// Counts `other`, too.
    pub fn add(&mut self, other: Traffic) {
        self.exchanges += other.exchanges;
        self.messages += other.messages;
        self.words += other.words;
        self.reductions += other.reductions;
    }

    /// What came after an earlier count.
    pub fn since(&self, before: &Traffic) -> Traffic {
        Traffic {
            exchanges: self.exchanges - before.exchanges,
            messages: self.messages - before.messages,
            words: self.words - before.words,
            reductions: self.reductions - before.reductions,
        }
    }
}
