//! What is known of tips.

use super::ParsimonyError;
use palmette_core::NONE;
use palmette_core::sites::{self, MOST_STATES, WORDS, lane_bits, words_for};

/// The sets of states of tips, in the words of [`palmette_core::sites`].
#[derive(Debug, Clone, Copy)]
pub struct TipSets<'a> {
    states: usize,
    sites: usize,
    /// Bits of a lane.
    bits: u32,
    /// Words of a row.
    words: usize,
    rows: &'a [u64],
    row_of: &'a [u32],
}

impl<'a> TipSets<'a> {
    /// Rows of words, and by position of the tree which row a leaf has: [`NONE`] where any state is
    /// possible. What inner vertices have is not used.
    ///
    /// # Errors
    /// When the number of states or of words is wrong, or a row is not there.
    pub fn new(
        states: usize,
        sites: usize,
        rows: &'a [u64],
        row_of: &'a [u32],
    ) -> Result<TipSets<'a>, ParsimonyError> {
        if states == 0 || states > MOST_STATES {
            return Err(ParsimonyError::ManyStates(states));
        }
        let (bits, words) = (lane_bits(states), words_for(states, sites));
        let count = rows.len().checked_div(words).unwrap_or(0);
        if count * words != rows.len() {
            let expected = (count + 1) * words;
            return Err(ParsimonyError::Words { expected, actual: rows.len() });
        }
        match row_of.iter().find(|&&row| row != NONE && row as usize >= count && words > 0) {
            Some(&row) => Err(ParsimonyError::Rows { expected: count, actual: row as usize }),
            None => Ok(TipSets { states, sites, bits, words, rows, row_of }),
        }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The number of sites.
    pub fn sites(&self) -> usize {
        self.sites
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// Blocks of words.
    pub(super) fn blocks(&self) -> usize {
        self.words / WORDS
    }

    pub(super) fn positions(&self) -> usize {
        self.row_of.len()
    }

    /// The set of all states.
    pub(super) fn all_states(&self) -> u32 {
        sites::all_states(self.states)
    }

    /// The row of a leaf; nothing where any state is possible.
    #[inline(always)]
    pub(super) fn row(&self, position: u32) -> Option<&'a [u64]> {
        match self.row_of[position as usize] {
            NONE => None,
            row => Some(&self.rows[row as usize * self.words..][..self.words]),
        }
    }
}
