//! From labels to vertices.
//!
//! **Problem.** Find the vertex of an integer or a text among `n` labels.
//! **Method.** Integers whose range is at most four times their number get a table
//! indexed by the integer. All others get open addressing with linear probing over
//! a power-of-two table of vertices, at most two thirds full; the keys stay where
//! the labels are.
//! **Cost.** Linear expected work to build, sequential; lookups are read-only and
//! run on any number of threads. 4 bytes per slot.
//! **Determinism.** The first vertex of a label wins; hashing is seedless.

use crate::texts::Texts;
use palmette_core::NONE;
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
        Index::hashed(ids.len(), |v| Some(hash_integer(ids[v])), |u, v| ids[u] == ids[v])
    }

    /// Unlabelled vertices (empty texts) are not entered.
    pub(crate) fn of_texts(texts: &Texts) -> Index {
        let hash = |v| match texts.get(v) {
            "" => None,
            text => Some(hash_text(text)),
        };
        Index::hashed(texts.len(), hash, |u, v| texts.get(u) == texts.get(v))
    }

    /// What has no hash is not entered.
    fn hashed(
        n: usize,
        hash: impl Fn(usize) -> Option<u64>,
        same: impl Fn(usize, usize) -> bool,
    ) -> Index {
        let mut slots = vec![NONE; (n + n / 2 + 1).next_power_of_two()];
        let mut ambiguous = BTreeMap::new();
        for v in 0..n {
            let Some(hash) = hash(v) else { continue };
            let slot = probe(&slots, hash, |u| same(u as usize, v));
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
        })
    }

    pub(crate) fn find_text(&self, texts: &Texts, text: &str) -> Lookup {
        self.lookup(match &self.slots {
            Slots::Hashed(slots) => {
                slots[probe(slots, hash_text(text), |u| texts.get(u as usize) == text)]
            }
            Slots::Dense { .. } => NONE,
        })
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
pub(crate) fn hash_text(text: &str) -> u64 {
    hash_bytes(text, 0)
}

/// The same for texts that differ in the case of ASCII letters only.
#[inline]
pub(crate) fn hash_folded(text: &str) -> u64 {
    // The bit in which small and capital letters differ, in each byte.
    hash_bytes(text, u64::from_ne_bytes([b'a' ^ b'A'; 8]))
}

#[inline]
fn hash_bytes(text: &str, set: u64) -> u64 {
    let mut hash = SALT ^ text.len() as u64;
    let mut words = text.as_bytes().chunks_exact(8);
    for word in &mut words {
        let word = word.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
        hash = mix(hash ^ (word | set), ODD);
    }
    let last = words.remainder().iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
    mix(hash ^ (last | set), ODD ^ SALT)
}
