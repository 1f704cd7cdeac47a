//! Sets of states of many sites in one word: a lane of 4, 8, 16 or 32 bits per site, a bit per state.
//!
//! **Method.** Every operation is done for all lanes of a word at once, and for the [`WORDS`] words of a
//! block in a loop that compilers turn into vector instructions.

pub(super) use palmette_core::sites::WORDS;

/// The words of a block at a vertex.
pub(super) type Block = [u64; WORDS];

/// The operations on words with lanes of `BITS` bits.
pub(super) struct Lanes<const BITS: u32>;

impl<const BITS: u32> Lanes<BITS> {
    /// The lowest bit of every lane.
    pub(super) const LOW: u64 = u64::MAX / ((1 << BITS) - 1);

    /// Sites per word.
    pub(super) const PER_WORD: usize = (64 / BITS) as usize;

    /// This set in all lanes.
    pub(super) fn everywhere(set: u32) -> u64 {
        Self::LOW * u64::from(set)
    }

    /// The lowest bit of each lane that is not empty.
    #[inline(always)]
    pub(super) fn filled(word: u64) -> u64 {
        let mut any = word;
        let mut shift = 1;
        while shift < BITS {
            any |= any >> shift;
            shift *= 2;
        }
        any & Self::LOW
    }

    /// All bits of the lanes whose lowest bit is given.
    #[inline(always)]
    pub(super) fn whole(low: u64) -> u64 {
        // In two steps: by 32 bits and lanes of 32 bits there is one lane above.
        (low << (BITS - 1) << 1).wrapping_sub(low)
    }

    /// The first state of each lane; none may be empty.
    #[inline(always)]
    pub(super) fn first(word: u64) -> u64 {
        word & (!word).wrapping_add(Self::LOW)
    }
}

/// The words of a block at the start of a row.
#[inline(always)]
pub(super) fn block(row: &[u64]) -> &Block {
    row.first_chunk().expect("a row has the words of a block")
}

#[inline(always)]
pub(super) fn block_mut(row: &mut [u64]) -> &mut Block {
    row.first_chunk_mut().expect("a row has the words of a block")
}

/// A word from the same word of several blocks, for each word.
#[inline(always)]
pub(super) fn each(make: impl Fn(usize) -> u64) -> Block {
    let mut made = [0; WORDS];
    for (k, word) in made.iter_mut().enumerate() {
        *word = make(k);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use palmette_core::sites::get;

    fn check<const BITS: u32>() {
        let sets = [0u32, 1, 2, 3, 6, 8, 12, 15];
        let lanes = Lanes::<BITS>::PER_WORD;
        for shift in 0..sets.len() {
            let set = |lane: usize| sets[(lane + shift) % sets.len()];
            let word = (0..lanes).fold(0, |word, k| word | u64::from(set(k)) << (k as u32 * BITS));
            let filled = Lanes::<BITS>::filled(word);
            let whole = Lanes::<BITS>::whole(filled);
            let first = Lanes::<BITS>::first(word | (Lanes::<BITS>::LOW << 3));
            for k in 0..lanes {
                assert_eq!(get(&[word], BITS, k), set(k));
                assert_eq!(get(&[filled], BITS, k), u32::from(set(k) != 0));
                let all = if set(k) == 0 { 0 } else { u32::MAX >> (32 - BITS) };
                assert_eq!(get(&[whole], BITS, k), all);
                let some = set(k) | 8;
                assert_eq!(get(&[first], BITS, k), some & some.wrapping_neg());
            }
        }
        assert_eq!(get(&[Lanes::<BITS>::everywhere(5)], BITS, lanes - 1), 5);
    }

    #[test]
    fn lanes_do_not_touch_each_other() {
        check::<4>();
        check::<8>();
        check::<16>();
        check::<32>();
    }
}
