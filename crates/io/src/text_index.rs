//! From texts to their numbers: the table behind names that are no integers.
//!
//! **Problem.** Among `n` texts in one buffer, find the number of a text, or of many at once, and
//! which texts appear more than once.
//! **Method.** Open addressing with linear probing, two thirds full. A slot has the number of a
//! text and 32 bits of its hash, so that a text is looked at only where it is nearly certain to be
//! the same; there its bytes are compared. Threads enter texts at the same time, each slot by one
//! exchange; of equal texts the slot keeps the least number. Random places cost little where many
//! are asked for together: texts are entered and found in blocks, step by step, with the places
//! of the next step asked for from memory.
//! **Cost.** Linear expected work; 12 bytes per text.
//! **Determinism.** Hashing is seedless. Which slot has which text depends on the threads; what is
//! found does not.

use crate::index::{hash_text, seconds};
use crate::texts::Texts;
use palmette_core::NONE;
use palmette_core::memory::{huge_vec, prefetch};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Debug)]
pub(crate) struct TextIndex {
    /// The hash above, the number below.
    slots: Vec<AtomicU64>,
}

/// No number is [`NONE`].
const EMPTY: u64 = u64::MAX;
/// Texts whose places are asked for together.
const BLOCK: usize = 64;
/// Texts that a thread takes at a time.
pub(crate) const STRETCH: usize = 1 << 14;

/// The bits of a hash that a slot keeps.
#[inline]
fn short_hash(text: &[u8]) -> u32 {
    (hash_text(text) >> 32) as u32
}

/// Whether two texts are the same. Most are short: two words that overlap are all of them.
#[inline]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    match a.len() {
        n if n != b.len() => false,
        0 => true,
        n @ 1..=3 => a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1],
        4..=7 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
        8..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
        _ => a == b,
    }
}

#[inline]
fn number_in(slot: u64) -> u32 {
    slot as u32
}

#[inline]
fn hash_in(slot: u64) -> u32 {
    (slot >> 32) as u32
}

impl TextIndex {
    /// Enters all texts but empty ones. Beside the index: the second text that is the same as the
    /// first one, by the first.
    pub(crate) fn new(texts: &Texts) -> (TextIndex, BTreeMap<u32, u32>) {
        let n = texts.len();
        let size = n + n / 2 + 1;
        // In place: the memory stays as it was asked for.
        let slots = huge_vec(size, EMPTY).into_iter().map(AtomicU64::new).collect();
        let index = TextIndex { slots };
        let alone = rayon::current_num_threads() == 1;
        let stretch = |k: usize| index.enter(texts, k * STRETCH..((k + 1) * STRETCH).min(n), alone);
        let again: Vec<Vec<u32>> = (0..n.div_ceil(STRETCH)).into_par_iter().map(stretch).collect();
        let first = |v: u32| index.find(texts, texts.bytes_of(v as usize));
        let ambiguous = seconds(again.into_iter().flatten(), first);
        (index, ambiguous)
    }

    /// Enters some texts; returns all but the first of those that are the same. Who is alone
    /// needs no exchanges.
    fn enter(&self, texts: &Texts, range: Range<usize>, alone: bool) -> Vec<u32> {
        let mut again = Vec::new();
        let mut hashes = [0; BLOCK];
        for start in range.clone().step_by(BLOCK) {
            let block = start..(start + BLOCK).min(range.end);
            for (v, hash) in block.clone().zip(&mut hashes) {
                *hash = short_hash(texts.bytes_of(v));
                prefetch(&self.slots, self.first_slot(*hash));
            }
            for (v, &hash) in block.zip(&hashes) {
                if !texts.bytes_of(v).is_empty() {
                    again.extend(self.enter_one(texts, v, hash, alone));
                }
            }
        }
        again
    }

    #[inline]
    fn enter_one(&self, texts: &Texts, v: usize, hash: u32, alone: bool) -> Option<u32> {
        let own = u64::from(hash) << 32 | v as u64;
        let mut at = self.first_slot(hash);
        loop {
            let slot = &self.slots[at];
            let mut there = slot.load(Relaxed);
            if there == EMPTY && alone {
                slot.store(own, Relaxed);
                return None;
            }
            if there == EMPTY {
                match slot.compare_exchange(EMPTY, own, Relaxed, Relaxed) {
                    Ok(_) => return None,
                    Err(other) => there = other,
                }
            }
            let same = |u: u32| same(texts.bytes_of(u as usize), texts.bytes_of(v));
            if hash_in(there) == hash && same(number_in(there)) {
                // The hashes are the same, so that the lesser slot is the lesser number.
                return Some(number_in(slot.fetch_min(own, Relaxed).max(own)));
            }
            at = self.next_slot(at);
        }
    }

    #[inline]
    fn first_slot(&self, hash: u32) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 32) as usize
    }

    #[inline]
    fn next_slot(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() { 0 } else { at + 1 }
    }

    /// The first number of a text; [`NONE`] where there is no such text.
    pub(crate) fn find(&self, texts: &Texts, text: &[u8]) -> u32 {
        self.search(short_hash(text), |u| same(texts.bytes_of(u as usize), text))
    }

    /// The number of a text with such a hash for which `same` holds.
    #[inline]
    fn search(&self, hash: u32, same: impl Fn(u32) -> bool) -> u32 {
        let mut at = self.first_slot(hash);
        loop {
            let slot = self.slots[at].load(Relaxed);
            if slot == EMPTY {
                return NONE;
            }
            if hash_in(slot) == hash && same(number_in(slot)) {
                return number_in(slot);
            }
            at = self.next_slot(at);
        }
    }

    /// As [`TextIndex::find`] for as many texts as `found` has places, on this thread.
    pub(crate) fn find_each<'a>(
        &self,
        texts: &Texts,
        text: impl Fn(usize) -> Cow<'a, [u8]>,
        found: &mut [u32],
    ) {
        let mut hashes = [0; BLOCK];
        for (k, found) in found.chunks_mut(BLOCK).enumerate() {
            let text = |i: usize| text(k * BLOCK + i);
            for (i, hash) in hashes[..found.len()].iter_mut().enumerate() {
                *hash = short_hash(&text(i));
                prefetch(&self.slots, self.first_slot(*hash));
            }
            for (number, &hash) in found.iter_mut().zip(&hashes) {
                *number = self.search(hash, |_| true);
                texts.prefetch_end(*number);
            }
            found.iter().for_each(|&number| texts.prefetch_text(number));
            for (i, number) in found.iter_mut().enumerate() {
                let text = text(i);
                if *number != NONE && !same(texts.bytes_of(*number as usize), &text) {
                    *number = self.find(texts, &text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::hash_text;
    use proptest::prelude::*;
    use std::collections::HashMap;
    use std::collections::HashSet;

    fn texts_of<S: AsRef<str>>(all: &[S]) -> Texts {
        let mut texts = Texts::default();
        all.iter().for_each(|text| texts.push(text.as_ref()));
        texts
    }

    /// What a map of the standard library says, against the index on one thread and on four.
    fn check(all: &[String], asked: &[String]) {
        let mut first: HashMap<&str, u32> = HashMap::new();
        let mut second: BTreeMap<u32, u32> = BTreeMap::new();
        for (v, text) in all.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let &mut before = first.entry(text).or_insert(v as u32);
            if before != v as u32 {
                second.entry(before).or_insert(v as u32);
            }
        }
        let texts = texts_of(all);
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let (index, ambiguous) = pool.expect("threads").install(|| TextIndex::new(&texts));
            assert_eq!(ambiguous, second);
            let mut found = vec![0; asked.len()];
            index.find_each(&texts, |i| Cow::Borrowed(asked[i].as_bytes()), &mut found);
            for (text, &number) in asked.iter().zip(&found) {
                assert_eq!(number, first.get(text.as_str()).copied().unwrap_or(NONE), "{text:?}");
                assert_eq!(number, index.find(&texts, text.as_bytes()));
            }
        }
    }

    #[test]
    fn many_texts_are_found_as_by_a_map() {
        // Every seventh is there twice; lengths from 1 to 40.
        let name = |v: usize| format!("{}{}", "x".repeat(v % 33), v - v % 7);
        let all: Vec<String> = (0..150_000).map(name).collect();
        let asked: Vec<String> = (0..200_000).rev().map(|v| name(v ^ 1)).collect();
        check(&all, &asked);
    }

    #[test]
    fn hashes_of_like_texts_differ() {
        let mut all: Vec<String> = (0..200_000).map(|v| format!("v{v}")).collect();
        all.extend((0..200_000).map(|v| format!("OTU_{v:09}")));
        all.extend((0..200_000).map(|v| format!("{v}-of-a-long-name-{}", v % 10)));
        all.extend((1..300).map(|n| "a".repeat(n)));
        let high: HashSet<u32> = all.iter().map(|text| short_hash(text.as_bytes())).collect();
        // So many of 32 random bits have 42 pairs in expectation.
        assert!(all.len() - high.len() < 100, "{} collide", all.len() - high.len());
        let full: HashSet<u64> = all.iter().map(|text| hash_text(text.as_bytes())).collect();
        assert_eq!(full.len(), all.len());
    }

    proptest! {
        #[test]
        fn texts_of_every_length(
            all in prop::collection::vec("[ab\u{e9}]{0,20}", 0..300),
            asked in prop::collection::vec("[ab\u{e9}]{0,20}", 1..100),
        ) {
            let asked: Vec<String> = asked.into_iter().chain(all.iter().cloned()).collect();
            check(&all, &asked);
        }
    }
}
