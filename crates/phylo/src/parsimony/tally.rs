//! Counts for every site of a block, of events that come as one bit per lane.
//!
//! **Method.** Lanes are added as they are until a lane of 4 bits could overflow (15 times), then as
//! bytes (17 times that), then as numbers: an addition per word and event, nearly.

use super::lanes::{Block, Lanes, WORDS};

pub(super) struct Tally<const BITS: u32> {
    lanes: Block,
    /// Even lanes and odd lanes of 4 bits, as bytes.
    bytes: [Block; 2],
    added: u32,
    spread: u32,
    counts: Vec<u32>,
}

impl<const BITS: u32> Tally<BITS> {
    /// How often lanes, and bytes, are added.
    const LANES: u32 = if BITS == 4 { 15 } else { 255 };
    const BYTES: u32 = 17;
    const HALVES: u64 = u64::MAX / 17;

    pub(super) fn new() -> Tally<BITS> {
        let counts = vec![0; WORDS * Lanes::<BITS>::PER_WORD];
        Tally { lanes: [0; WORDS], bytes: [[0; WORDS]; 2], added: 0, spread: 0, counts }
    }

    /// Counts the lanes whose lowest bit is set.
    #[inline(always)]
    pub(super) fn add(&mut self, low: &Block) {
        for (sum, &word) in self.lanes.iter_mut().zip(low) {
            *sum += word;
        }
        self.added += 1;
        if self.added == Self::LANES {
            self.widen();
        }
    }

    fn widen(&mut self) {
        self.added = 0;
        if BITS > 4 {
            let lanes = std::mem::take(&mut self.lanes);
            self.count(&lanes, BITS, 0, 1);
            return;
        }
        for (k, word) in self.lanes.iter_mut().enumerate() {
            self.bytes[0][k] += *word & Self::HALVES;
            self.bytes[1][k] += *word >> 4 & Self::HALVES;
            *word = 0;
        }
        self.spread += 1;
        if self.spread == Self::BYTES {
            self.empty_bytes();
        }
    }

    fn empty_bytes(&mut self) {
        self.spread = 0;
        for (odd, words) in std::mem::take(&mut self.bytes).iter().enumerate() {
            self.count(words, 8, odd, 2);
        }
    }

    /// Adds fields of `bits` bits to the counts of every `step`-th lane.
    fn count(&mut self, words: &Block, bits: u32, first: usize, step: usize) {
        let per_word = Lanes::<BITS>::PER_WORD;
        for (&word, counts) in words.iter().zip(self.counts.chunks_exact_mut(per_word)) {
            for (field, count) in counts.iter_mut().skip(first).step_by(step).enumerate() {
                *count += (word >> (field as u32 * bits)) as u32 & (u32::MAX >> (32 - bits));
            }
        }
    }

    /// The count of every site of the block.
    pub(super) fn counts(mut self) -> Vec<u32> {
        self.widen();
        self.empty_bytes();
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::each;
    use super::*;

    fn check<const BITS: u32>() {
        for times in [0, 1, 14, 15, 16, 255, 256, 1000] {
            let mut tally = Tally::<BITS>::new();
            // Site `s` counts every event whose number is a multiple of `s + 1`.
            let per_word = Lanes::<BITS>::PER_WORD;
            for event in 0..times {
                let lane = |site: usize| u64::from(event % (site as u64 + 1) == 0);
                tally.add(&each(|k| {
                    let lanes = 0..per_word;
                    lanes.fold(0, |word, j| word | lane(k * per_word + j) << (j as u32 * BITS))
                }));
            }
            let counts = tally.counts();
            for (site, &count) in counts.iter().enumerate() {
                assert_eq!(u64::from(count), times.div_ceil(site as u64 + 1), "{BITS} {times}");
            }
        }
    }

    #[test]
    fn nothing_overflows() {
        check::<4>();
        check::<8>();
        check::<16>();
        check::<32>();
    }
}
