//! Sets of states of the sites of a sequence, in words.
//!
//! A site has a lane of [`lane_bits`] bits, a bit per state; the first site is in the lowest bits of the
//! first word. A row has [`words_for`] words, whole blocks of [`WORDS`], and all states in the lanes after
//! the last site, so that engines need not know where it is.

/// Words of a block: a cache line, 128 sites of up to four states.
pub const WORDS: usize = 8;

/// More states than this have no lane.
pub const MOST_STATES: usize = 32;

/// The bits of a lane that holds so many states, up to [`MOST_STATES`].
pub const fn lane_bits(states: usize) -> u32 {
    match states {
        ..=4 => 4,
        5..=8 => 8,
        9..=16 => 16,
        _ => 32,
    }
}

/// Words per row of so many states and sites.
pub const fn words_for(states: usize, sites: usize) -> usize {
    let per_word = 64 / lane_bits(states) as usize;
    sites.div_ceil(per_word).next_multiple_of(WORDS)
}

/// The set of all of 1 to 32 states.
pub const fn all_states(states: usize) -> u32 {
    u32::MAX >> (32 - states)
}

/// The set at a site of a row.
///
/// # Panics
/// When the row is shorter.
#[inline]
pub fn get(row: &[u64], bits: u32, site: usize) -> u32 {
    // Lanes divide words, so that no division is needed.
    let at = site * bits as usize;
    (row[at / 64] >> (at % 64)) as u32 & (u32::MAX >> (32 - bits))
}

/// Writes the sets of a sequence into a row.
///
/// ```
/// use palmette_core::sites::{get, lane_bits, pack, words_for};
/// let mut row = vec![0; words_for(4, 3)];
/// pack([1, 15, 8].into_iter(), 4, &mut row);
/// assert_eq!((0..4).map(|site| get(&row, lane_bits(4), site)).collect::<Vec<_>>(), [1, 15, 8, 15]);
/// ```
pub fn pack(mut sets: impl Iterator<Item = u32>, states: usize, row: &mut [u64]) {
    let (bits, all) = (lane_bits(states), all_states(states));
    for word in row {
        *word = 0;
        for lane in 0..64 / bits {
            *word |= u64::from(sets.next().unwrap_or(all)) << (lane * bits);
        }
    }
}
