//! From labels to vertices.
//!
//! **Problem.** Find the vertex of an integer or a text among `n` labels.
//! **Method.** Integers whose range is at most four times their number get a table
//! indexed by the integer. Other integers get open addressing with linear probing over
//! a power-of-two table of vertices, at most two thirds full; the keys stay where
//! the labels are. Texts have tables of their own: `numbered.rs`, `text_index.rs`.
//! **Cost.** Linear expected work to build, sequential for integers; lookups are read-only and
//! run on any number of threads. 4 bytes per slot.
//! **Determinism.** The first vertex of a label wins; hashing is seedless.

use crate::numbered::Numbered;
use crate::text_index::TextIndex;
use crate::texts::Texts;
use palmette_core::NONE;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// One vertex.
    Vertex(u32),
    /// No vertex.
    Unknown,
    /// Several vertices; the first two.
    Ambiguous(u32, u32),
}

impl Lookup {
    /// The vertex, where it is one.
    pub(crate) fn vertex(self) -> Option<u32> {
        match self {
            Lookup::Vertex(vertex) => Some(vertex),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Index {
    slots: Slots,
    /// The second vertex with the label of the first one.
    pub(crate) ambiguous: BTreeMap<u32, u32>,
}

#[derive(Debug)]
enum Slots {
    Dense { least: i64, table: Vec<u32> },
    Hashed(Vec<u32>),
    Texts(TextIndex),
    Numbered(Numbered),
}

/// The least number of slots for which a dense table is always taken.
const SMALL: u64 = 1 << 16;

/// Whether a table over `least..=greatest` is worth it for `count` numbers.
pub(crate) fn is_dense(least: i64, greatest: i64, count: usize) -> bool {
    greatest.abs_diff(least) < (4 * count as u64).max(SMALL)
}

impl Index {
    pub(crate) fn of_integers(ids: &[i64]) -> Index {
        let (least, greatest) =
            ids.iter().fold((i64::MAX, i64::MIN), |(a, b), &id| (a.min(id), b.max(id)));
        if ids.is_empty() || is_dense(least, greatest, ids.len()) {
            let width = if ids.is_empty() { 0 } else { greatest.abs_diff(least) as usize + 1 };
            let mut table = vec![NONE; width];
            let mut ambiguous = BTreeMap::new();
            for (v, &id) in ids.iter().enumerate() {
                let slot = &mut table[id.abs_diff(least) as usize];
                if *slot == NONE {
                    *slot = v as u32;
                } else {
                    ambiguous.entry(*slot).or_insert(v as u32);
                }
            }
            return Index { slots: Slots::Dense { least, table }, ambiguous };
        }
        Index::hashed(ids.len(), |v| hash_integer(ids[v]), |u, v| ids[u] == ids[v])
    }

    /// Unlabelled vertices (empty texts) are not entered.
    pub(crate) fn of_texts(texts: &Texts) -> Index {
        if let Some((index, ambiguous)) = Numbered::new(texts) {
            return Index { slots: Slots::Numbered(index), ambiguous };
        }
        let (index, ambiguous) = TextIndex::new(texts);
        Index { slots: Slots::Texts(index), ambiguous }
    }

    fn hashed(n: usize, hash: impl Fn(usize) -> u64, same: impl Fn(usize, usize) -> bool) -> Index {
        let mut slots = vec![NONE; (n + n / 2 + 1).next_power_of_two()];
        let mut ambiguous = BTreeMap::new();
        for v in 0..n {
            let slot = probe(&slots, hash(v), |u| same(u as usize, v));
            match slots[slot] {
                NONE => slots[slot] = v as u32,
                first => {
                    ambiguous.entry(first).or_insert(v as u32);
                }
            }
        }
        Index { slots: Slots::Hashed(slots), ambiguous }
    }

    pub(crate) fn find_integer(&self, ids: &[i64], id: i64) -> Lookup {
        self.lookup(match &self.slots {
            Slots::Dense { least, table } if id >= *least => {
                table.get(id.abs_diff(*least) as usize).copied().unwrap_or(NONE)
            }
            Slots::Dense { .. } => NONE,
            Slots::Hashed(slots) => {
                slots[probe(slots, hash_integer(id), |u| ids[u as usize] == id)]
            }
            Slots::Texts(_) | Slots::Numbered(_) => NONE,
        })
    }

    pub(crate) fn find_text(&self, texts: &Texts, text: &str) -> Lookup {
        self.lookup(match &self.slots {
            Slots::Texts(index) => index.find(texts, text.as_bytes()),
            Slots::Numbered(index) => index.find(text.as_bytes()),
            _ => NONE,
        })
    }

    /// The first vertices of as many texts as `found` has places; [`NONE`] where there is none.
    pub(crate) fn find_texts<'a>(
        &self,
        texts: &Texts,
        text: impl Fn(usize) -> Cow<'a, [u8]>,
        found: &mut [u32],
    ) {
        match &self.slots {
            Slots::Texts(index) => index.find_each(texts, text, found),
            Slots::Numbered(index) => index.find_each(text, found),
            _ => found.fill(NONE),
        }
    }

    #[inline]
    fn lookup(&self, vertex: u32) -> Lookup {
        if vertex == NONE {
            return Lookup::Unknown;
        }
        if !self.ambiguous.is_empty()
            && let Some(&second) = self.ambiguous.get(&vertex)
        {
            return Lookup::Ambiguous(vertex, second);
        }
        Lookup::Vertex(vertex)
    }
}

/// By text that appears again, the first one that does so. `again` has all texts but the first
/// of those that are the same.
pub(crate) fn seconds(
    again: impl Iterator<Item = u32>,
    first: impl Fn(u32) -> u32,
) -> BTreeMap<u32, u32> {
    let mut seconds = BTreeMap::new();
    for later in again {
        let second = seconds.entry(first(later)).or_insert(later);
        *second = later.min(*second);
    }
    seconds
}

/// The slot that holds the key, or the empty slot where it would go.
#[inline]
pub(crate) fn probe(slots: &[u32], hash: u64, same: impl Fn(u32) -> bool) -> usize {
    let mask = slots.len() - 1;
    let mut slot = (hash as usize) & mask;
    while slots[slot] != NONE && !same(slots[slot]) {
        slot = (slot + 1) & mask;
    }
    slot
}

/// The two halves of a 128-bit product, folded.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
const SALT: u64 = 0xd1b5_4a32_d192_ed03;

#[inline]
fn hash_integer(id: i64) -> u64 {
    mix(id as u64 ^ SALT, ODD)
}

#[inline]
pub(crate) fn hash_text(text: &[u8]) -> u64 {
    hash_bytes(text, 0)
}

/// The same for texts that differ in the case of ASCII letters only.
#[inline]
pub(crate) fn hash_folded(text: &str) -> u64 {
    // The bit in which small and capital letters differ, in each byte.
    hash_bytes(text.as_bytes(), u64::from_ne_bytes([b'a' ^ b'A'; 8]))
}

/// Two words that overlap are a whole text of at most 16 bytes; longer ones are mixed in first,
/// 16 bytes at a time. `set` is set in all words.
#[inline]
fn hash_bytes(text: &[u8], set: u64) -> u64 {
    let n = text.len();
    let byte = |at: usize| u64::from(text[at]);
    let (mut hash, mut rest) = (SALT ^ n as u64, text);
    while rest.len() > 16 {
        let (first, after) = rest.split_at(16);
        hash = mix(hash ^ (word(first) | set), ODD ^ (word(&first[8..]) | set));
        rest = after;
    }
    let (first, last) = match n {
        0 => (0, 0),
        1..=3 => (byte(0) | byte(n / 2) << 8 | byte(n - 1) << 16, 0),
        4..=7 => (half(text), half(&text[n - 4..])),
        8..=16 => (word(text), word(&text[n - 8..])),
        _ => (word(&text[n - 16..]), word(&text[n - 8..])),
    };
    mix(mix(hash ^ (first | set), ODD ^ (last | set)) ^ SALT, ODD)
}

/// The first eight bytes.
#[inline]
fn word(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The first four bytes.
#[inline]
fn half(text: &[u8]) -> u64 {
    text.first_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes).into())
}
