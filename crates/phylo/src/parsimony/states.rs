//! States of all vertices, packed.

use super::lanes::WORDS;

/// A set of states for every position and site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateSets {
    pub(super) bits: u32,
    pub(super) sites: usize,
    /// By block of words: a row of [`WORDS`] words per position.
    pub(super) blocks: Vec<Vec<u64>>,
}

impl StateSets {
    /// The number of sites.
    pub fn sites(&self) -> usize {
        self.sites
    }

    /// The set at a position and site, a bit per state.
    ///
    /// # Panics
    /// When there is no such position or site.
    pub fn set(&self, position: u32, site: usize) -> u32 {
        assert!(site < self.sites, "site {site} of {}", self.sites);
        let per_word = 64 / self.bits as usize;
        let (block, lane) = (site / per_word / WORDS, site % per_word);
        let word = self.blocks[block][position as usize * WORDS + site / per_word % WORDS];
        (word >> (lane * self.bits as usize)) as u32 & (u32::MAX >> (32 - self.bits))
    }

    /// The sets at all sites of a position.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn row(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.sites).map(move |site| self.set(position, site))
    }
}
