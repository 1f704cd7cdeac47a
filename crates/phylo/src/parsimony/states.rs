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
        let at = site * self.bits as usize;
        let word = self.blocks[at / 64 / WORDS][position as usize * WORDS + at / 64 % WORDS];
        (word >> (at % 64)) as u32 & (u32::MAX >> (32 - self.bits))
    }

    /// The sets at all sites of a position.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn row(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.sites).map(move |site| self.set(position, site))
    }
}
