//! Edges by falling key: a stable sort on the bits of floats, and only as much of it as
//! is asked for.
//!
//! **Problem.** Keys are non-negative floats, compared as the integers that their bits
//! are. Who scans edges by falling key often stops early: [`split_top`] separates about as
//! many as will be looked at, [`sort_descending`] sorts those.
//!
//! **Method.** Buckets by the highest bits that differ, then the same inside a bucket until
//! it is small; small ones are sorted by comparison. The pivot of [`split_top`] is a
//! quantile of an even sample, and all keys that equal it go to the top. Both are stable.
//!
//! **Cost.** A pass of 12 bytes per item for each 8 bits that differ, rarely more than two
//! before buckets are small; buckets are sorted on all threads. 12 more bytes per item.
//!
//! **Determinism.** The answer does not depend on the number of threads.

use rayon::prelude::*;

/// An edge and its key, in twelve bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, packed(4))]
pub(super) struct Ranked {
    /// The bits of a float that is not negative.
    pub(super) key: u64,
    pub(super) number: u32,
}

/// Items that are sorted by comparison.
const SMALL: usize = 1 << 10;
const DIGIT: u32 = 8;

/// Sorts by falling key; equal keys keep their order.
pub(super) fn sort_descending(items: &mut [Ranked]) {
    let mut scratch = vec![Ranked::default(); if items.len() > SMALL { items.len() } else { 0 }];
    sort_with(items, &mut scratch);
}

/// Recurses once for each digit at most: eight times.
fn sort_with(items: &mut [Ranked], scratch: &mut [Ranked]) {
    if items.len() <= SMALL {
        items.sort_by_key(|item| !{ item.key });
        return;
    }
    let (low, high) =
        items.iter().fold((u64::MAX, 0), |(low, high), i| (low.min(i.key), high.max(i.key)));
    if low == high {
        return;
    }
    let shift = (64 - (low ^ high).leading_zeros()).saturating_sub(DIGIT);
    let base = high >> shift;
    let digit = |key: u64| (base - (key >> shift)) as usize;
    // Not `lists::offsets`: this recurses, and the counts of a digit stay on the stack.
    let mut starts = [0usize; (1 << DIGIT) + 1];
    items.iter().for_each(|i| starts[digit(i.key) + 1] += 1);
    for d in 0..1 << DIGIT {
        starts[d + 1] += starts[d];
    }
    let mut next = starts;
    for item in items.iter() {
        let place = &mut next[digit(item.key)];
        scratch[*place] = *item;
        *place += 1;
    }
    items.copy_from_slice(scratch);
    let (mut items, mut scratch) = (items, scratch);
    let mut buckets = Vec::new();
    for d in 0..1 << DIGIT {
        let length = starts[d + 1] - starts[d];
        let (bucket, rest) = items.split_at_mut(length);
        let (space, more) = scratch.split_at_mut(length);
        (items, scratch) = (rest, more);
        if length > 1 {
            buckets.push((bucket, space));
        }
    }
    buckets.into_par_iter().for_each(|(bucket, space)| sort_with(bucket, space));
}

/// Takes about `wanted` items with the largest keys out of `items`, in their order; all of
/// them when that is not much fewer. Of those that stay none has a key as large.
pub(super) fn split_top(items: &mut Vec<Ranked>, wanted: usize) -> Vec<Ranked> {
    const SAMPLE: usize = 1 << 10;
    if items.len() <= wanted.saturating_mul(2).max(4 * SAMPLE) {
        return std::mem::take(items);
    }
    let mut sample: Vec<u64> = (0..SAMPLE).map(|i| items[i * (items.len() / SAMPLE)].key).collect();
    sample.sort_unstable();
    let rank = SAMPLE * wanted / items.len();
    let pivot = sample[SAMPLE - 1 - rank.min(SAMPLE - 1)];
    extract(items, |item| item.key >= pivot)
}

/// Items of a task.
const BLOCK: usize = 1 << 16;

/// Takes out the wanted items, in their order; the others close up. On all threads, and
/// without a copy of those that stay.
fn extract(items: &mut Vec<Ranked>, wanted: impl Fn(&Ranked) -> bool + Sync) -> Vec<Ranked> {
    let split = |block: &mut [Ranked]| {
        let mut taken = Vec::new();
        let kept = close_up(block, |item| {
            let is_wanted = wanted(item);
            if is_wanted {
                taken.push(*item);
            }
            is_wanted
        });
        (kept, taken)
    };
    let parts: Vec<(usize, Vec<Ranked>)> = items.par_chunks_mut(BLOCK).map(split).collect();
    join(items, parts.iter().map(|part| part.0));
    let taken: Vec<Vec<Ranked>> = parts.into_iter().map(|part| part.1).collect();
    taken.concat()
}

/// Drops items, on all threads; the others keep their order.
pub(super) fn discard(items: &mut Vec<Ranked>, unwanted: impl Fn(&Ranked) -> bool + Sync) {
    let kept: Vec<usize> =
        items.par_chunks_mut(BLOCK).map(|block| close_up(block, &unwanted)).collect();
    join(items, kept.into_iter());
}

/// Moves what stays to the front of a block; returns how many stay.
fn close_up(block: &mut [Ranked], mut goes: impl FnMut(&Ranked) -> bool) -> usize {
    let mut kept = 0;
    for i in 0..block.len() {
        let item = block[i];
        if !goes(&item) {
            block[kept] = item;
            kept += 1;
        }
    }
    kept
}

/// Joins the fronts of all blocks.
fn join(items: &mut Vec<Ranked>, kept: impl Iterator<Item = usize>) {
    let mut end = 0;
    for (block, kept) in kept.enumerate() {
        items.copy_within(block * BLOCK..block * BLOCK + kept, end);
        end += kept;
    }
    items.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::{Purpose, Random};
    use proptest::prelude::*;

    fn ranked(keys: &[f64]) -> Vec<Ranked> {
        let item = |(i, key): (usize, &f64)| Ranked { key: key.to_bits(), number: i as u32 };
        keys.iter().enumerate().map(item).collect()
    }

    fn sorted(items: &[Ranked]) -> Vec<Ranked> {
        let mut items = items.to_vec();
        items.sort_by(|a, b| {
            f64::from_bits(b.key).total_cmp(&f64::from_bits(a.key)).then(a.number.cmp(&b.number))
        });
        items
    }

    #[test]
    fn sorts_many_with_ties() {
        let keys: Vec<f64> = (0..100_000u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40)
            .map(|x| if x % 3 == 0 { 1.0 } else { x as f64 * 1e-3 })
            .collect();
        let items = ranked(&keys);
        let mut ours = items.clone();
        sort_descending(&mut ours);
        assert_eq!(ours, sorted(&items));
        let mut rest = items.clone();
        let mut top = split_top(&mut rest, 5000);
        assert!(top.len() >= 2500 && top.len() <= 60_000, "{}", top.len());
        assert!(top.is_sorted_by_key(|i| i.number) && rest.is_sorted_by_key(|i| i.number));
        sort_descending(&mut top);
        assert_eq!(top, sorted(&items)[..top.len()]);
    }

    proptest! {
        #[test]
        fn sorts_as_comparison_does(count in 0..3000, seed: u64) {
            // Drawn here: a strategy for every key would take most of the time.
            let mut random = Random::new(seed, Purpose::Vectors);
            let key = |_| match random.below(5) {
                0 => 0.0,
                1 => f64::INFINITY,
                2 => 1e300 * random.unit(),
                3 => 1.0 + 1e-4 * random.unit(),
                _ => 1e-310 + 1e-300 * random.unit(),
            };
            let keys: Vec<f64> = (0..count).map(key).collect();
            let items = ranked(&keys);
            let mut ours = items.clone();
            sort_descending(&mut ours);
            prop_assert_eq!(ours, sorted(&items));
        }
    }
}
