//! The state of a vertex while a tree is peeled: its sum so far and its number of pending children.
//!
//! Peeling (see [`super`]) works on any [`Store`]. Subtree sizes keep count and size in one word,
//! so that one atomic addition updates both and tasks can share them; sums of any commutative
//! operator belong to one task.

use super::ChildCounts;
use crate::Commutative;
use crate::memory::{SharedSlice, huge_zeroed, prefetch};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Sums and pending children by vertex.
///
/// `fold` may be called by several threads at once when `SHARED`; `set` and `sum`
/// are called for vertices that no other thread uses at that time.
pub trait Store: Sync {
    /// What is summed.
    type Sum: Copy + Send + Sync;
    /// Asks for the cache lines of a vertex; out of range does nothing.
    fn prefetch(&self, v: usize);
    /// Whether a vertex had no children from the start. Each task asks this of all its
    /// vertices before it folds the first.
    fn is_leaf(&self, v: usize) -> bool;
    /// Whether exactly one child is pending and the vertex is not marked.
    fn is_link(&self, v: usize) -> bool;
    /// Whether any child is pending.
    fn is_open(&self, v: usize) -> bool;
    /// Marks a link, so that it no longer is one.
    fn mark(&self, v: usize);
    /// Removes the mark.
    fn unmark(&self, v: usize);
    /// The sum so far.
    fn sum(&self, v: usize) -> Self::Sum;
    /// Completes a vertex with its final sum.
    fn complete(&self, v: usize, sum: Self::Sum);
    /// Combines two sums.
    fn join(&self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Adds to a sum that no other thread uses; true when it was the last pending child.
    fn add(&self, v: usize, sum: Self::Sum) -> bool;
    /// Adds the sum of `child` to `parent`; true when it was the last pending child.
    fn fold<const SHARED: bool>(&self, parent: usize, child: usize) -> bool;
}

const ONE: u64 = 1 << 32;
const MARK: u64 = 1 << 63;

/// Subtree sizes: pending children and size in one word, so that one atomic
/// addition serves both.
pub struct Sizes {
    words: Vec<AtomicU64>,
}

impl Sizes {
    /// Every vertex counts one.
    pub fn new(counts: ChildCounts) -> Sizes {
        let mut words = huge_zeroed::<u64>(counts.low.len());
        words.par_chunks_mut(1 << 16).zip(counts.low.par_chunks(1 << 16)).for_each(|(to, from)| {
            to.iter_mut().zip(from).for_each(|(w, &c)| *w = u64::from(c) * ONE + 1)
        });
        for v in counts.carries {
            words[v as usize] += 256 * ONE;
        }
        // In place: both types have one layout, so the collect reuses the memory.
        Sizes { words: words.into_iter().map(AtomicU64::new).collect() }
    }

    /// The sizes, once all are complete.
    pub fn into_words(self) -> Vec<u64> {
        self.words.into_iter().map(AtomicU64::into_inner).collect()
    }

    #[inline(always)]
    fn size(&self, v: usize) -> u32 {
        self.words[v].load(Relaxed) as u32
    }
}

impl Store for Sizes {
    type Sum = u32;
    #[inline(always)]
    fn prefetch(&self, v: usize) {
        prefetch(&self.words, v);
    }
    #[inline(always)]
    fn is_leaf(&self, v: usize) -> bool {
        self.words[v].load(Relaxed) == 1
    }
    #[inline(always)]
    fn is_link(&self, v: usize) -> bool {
        self.words[v].load(Relaxed) >> 32 == 1
    }
    #[inline(always)]
    fn is_open(&self, v: usize) -> bool {
        self.words[v].load(Relaxed) >> 32 != 0
    }
    fn mark(&self, v: usize) {
        self.words[v].fetch_or(MARK, Relaxed);
    }
    fn unmark(&self, v: usize) {
        self.words[v].fetch_and(!MARK, Relaxed);
    }
    #[inline(always)]
    fn sum(&self, v: usize) -> u32 {
        self.size(v)
    }
    #[inline(always)]
    fn complete(&self, v: usize, sum: u32) {
        self.words[v].store(u64::from(sum), Relaxed);
    }
    #[inline(always)]
    fn join(&self, a: u32, b: u32) -> u32 {
        a + b
    }
    fn add(&self, v: usize, sum: u32) -> bool {
        self.words[v].fetch_add(u64::from(sum).wrapping_sub(ONE), Relaxed) >> 32 == 1
    }
    #[inline(always)]
    fn fold<const SHARED: bool>(&self, parent: usize, child: usize) -> bool {
        let step = u64::from(self.size(child)).wrapping_sub(ONE);
        let word = &self.words[parent];
        let old = if SHARED {
            word.fetch_add(step, Relaxed)
        } else {
            let old = word.load(Relaxed);
            word.store(old.wrapping_add(step), Relaxed);
            old
        };
        old >> 32 == 1
    }
}

const MARKED: u8 = 254;

/// How many children a heavy vertex gets into its counter at a time.
const REFILL: u32 = 200;

/// Sums of any commutative operator. One task only: `fold` is never shared.
pub struct Values<'a, M: Commutative> {
    op: M,
    sums: SharedSlice<'a, M::Elem>,
    /// Pending children. A vertex with more than a byte holds is *heavy*: its counter
    /// is refilled whenever it would fall to one.
    pending: Vec<AtomicU8>,
    /// A bit for each heavy vertex; empty when there is none.
    heavy: Vec<u64>,
    refills: Mutex<HashMap<usize, u32>>,
}

fn bit(bits: &[u64], v: usize) -> bool {
    bits[v / 64] >> (v % 64) & 1 == 1
}

impl<'a, M: Commutative> Values<'a, M> {
    /// `sums` holds every vertex's own value and receives the result.
    pub fn new(op: M, sums: &'a mut [M::Elem], counts: ChildCounts) -> Self {
        let mut low = counts.low;
        let mut full: HashMap<usize, u32> = HashMap::new();
        for v in counts.carries {
            *full.entry(v as usize).or_default() += 256;
        }
        let large = |&c: &u8| u32::from(c) > REFILL;
        for (k, chunk) in low.chunks(1 << 12).enumerate() {
            // Few chunks have one: asking for the maximum first is a vector operation.
            if chunk.iter().max().is_some_and(large) {
                let found = chunk.iter().enumerate().filter(|(_, c)| large(c));
                found.for_each(|(j, _)| *full.entry((k << 12) + j).or_default() += 0);
            }
        }
        let mut heavy = vec![0u64; if full.is_empty() { 0 } else { low.len().div_ceil(64) }];
        let mut refills = HashMap::with_capacity(full.len());
        for (v, carried) in full {
            let count = carried + u32::from(low[v]);
            refills.insert(v, (count - 2) / REFILL);
            low[v] = (2 + (count - 2) % REFILL) as u8;
            heavy[v / 64] |= 1 << (v % 64);
        }
        let pending = low.into_iter().map(AtomicU8::new).collect();
        let (sums, refills) = (SharedSlice::new(sums), Mutex::new(refills));
        Values { op, sums, pending, heavy, refills }
    }

    /// A counter fell to one: refills it if more children are to come.
    #[cold]
    fn refill(&self, v: usize) {
        let mut refills = self.refills.lock().expect("no holder panics");
        if let Some(left) = refills.get_mut(&v).filter(|left| **left > 0) {
            *left -= 1;
            self.pending[v].store(1 + REFILL as u8, Relaxed);
        }
    }
}

impl<M: Commutative> Store for Values<'_, M> {
    type Sum = M::Elem;
    #[inline(always)]
    fn prefetch(&self, v: usize) {
        self.sums.prefetch(v);
        prefetch(&self.pending, v);
    }
    #[inline(always)]
    fn is_leaf(&self, v: usize) -> bool {
        // Asked before the only task begins to fold.
        self.pending[v].load(Relaxed) == 0
    }
    #[inline(always)]
    fn is_link(&self, v: usize) -> bool {
        self.pending[v].load(Relaxed) == 1
    }
    #[inline(always)]
    fn is_open(&self, v: usize) -> bool {
        self.pending[v].load(Relaxed) != 0
    }
    fn mark(&self, v: usize) {
        self.pending[v].store(MARKED, Relaxed);
    }
    fn unmark(&self, v: usize) {
        self.pending[v].store(1, Relaxed);
    }
    #[inline(always)]
    fn sum(&self, v: usize) -> M::Elem {
        // SAFETY: the caller is the only user of `v` (see `Store`).
        unsafe { self.sums.get(v) }
    }
    #[inline(always)]
    fn complete(&self, v: usize, sum: M::Elem) {
        self.pending[v].store(0, Relaxed);
        // SAFETY: the caller is the only user of `v`.
        unsafe { self.sums.set(v, sum) }
    }
    #[inline(always)]
    fn join(&self, a: M::Elem, b: M::Elem) -> M::Elem {
        self.op.combine(a, b)
    }
    #[inline(always)]
    fn add(&self, v: usize, sum: M::Elem) -> bool {
        // SAFETY: the caller is the only user of `v`.
        unsafe { self.sums.set(v, self.op.combine(self.sums.get(v), sum)) };
        let left = self.pending[v].load(Relaxed) - 1;
        self.pending[v].store(left, Relaxed);
        if left == 1 && !self.heavy.is_empty() && bit(&self.heavy, v) {
            self.refill(v);
        }
        left == 0
    }
    #[inline(always)]
    fn fold<const SHARED: bool>(&self, parent: usize, child: usize) -> bool {
        assert!(!SHARED, "values are peeled by one task");
        self.add(parent, self.sum(child))
    }
}
