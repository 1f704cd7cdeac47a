//! The state of a vertex while a tree is peeled: its sum so far and its number of pending children.
//!
//! Peeling (see [`super`]) works on any [`Store`]. Subtree sizes keep count and size in one word,
//! so that one atomic addition updates both and tasks can share them; sums of any commutative
//! operator belong to one task, and have the parent beside them.

use super::ChildCounts;
use crate::Commutative;
use crate::memory::{SharedSlice, huge_collect, huge_zeroed, prefetch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Sums and pending children by vertex.
///
/// `fold` may be called by several threads at once when `SHARED`; `set` and `sum`
/// are called for vertices that no other thread uses at that time.
pub trait Store: Sync {
    /// What is summed.
    type Sum: Copy + Send + Sync;
    /// Whether the store has parents itself, beside its sums.
    const HAS_PARENTS: bool = false;
    /// The parent of a vertex, from `parents` unless the store has it.
    #[inline(always)]
    fn parent(&self, parents: &[u32], v: usize) -> u32 {
        parents[v]
    }
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

/// Nothing but an order: the parent and the number of pending children in one word, so that a vertex costs
/// one cache line.
pub struct Order {
    words: Vec<AtomicU64>,
}

impl Order {
    /// An order in which children come before parents is wanted, and no sums.
    pub fn new(parents: &[u32], counts: &ChildCounts) -> Order {
        let word = |v: usize| u64::from(parents[v]) * ONE + u64::from(counts.low[v]);
        let mut words = huge_collect(parents.len(), word);
        for &v in &counts.carries {
            words[v as usize] += 256;
        }
        // In place: both types have one layout, so the collect reuses the memory.
        Order { words: words.into_iter().map(AtomicU64::new).collect() }
    }

    #[inline(always)]
    fn pending(&self, v: usize) -> u32 {
        self.words[v].load(Relaxed) as u32
    }
}

/// No vertex has so many children.
const ORDER_MARK: u64 = 1 << 31;

impl Store for Order {
    type Sum = ();
    const HAS_PARENTS: bool = true;
    #[inline(always)]
    fn parent(&self, _parents: &[u32], v: usize) -> u32 {
        (self.words[v].load(Relaxed) >> 32) as u32
    }
    #[inline(always)]
    fn prefetch(&self, v: usize) {
        prefetch(&self.words, v);
    }
    #[inline(always)]
    fn is_leaf(&self, v: usize) -> bool {
        self.pending(v) == 0
    }
    #[inline(always)]
    fn is_link(&self, v: usize) -> bool {
        self.pending(v) == 1
    }
    #[inline(always)]
    fn is_open(&self, v: usize) -> bool {
        self.pending(v) != 0
    }
    fn mark(&self, v: usize) {
        self.words[v].fetch_or(ORDER_MARK, Relaxed);
    }
    fn unmark(&self, v: usize) {
        self.words[v].fetch_and(!ORDER_MARK, Relaxed);
    }
    #[inline(always)]
    fn sum(&self, _v: usize) {}
    #[inline(always)]
    fn complete(&self, _v: usize, _sum: ()) {}
    #[inline(always)]
    fn join(&self, _a: (), _b: ()) {}
    #[inline(always)]
    fn add(&self, v: usize, _sum: ()) -> bool {
        self.words[v].fetch_sub(1, Relaxed) as u32 == 1
    }
    #[inline(always)]
    fn fold<const SHARED: bool>(&self, parent: usize, _child: usize) -> bool {
        if SHARED {
            return self.add(parent, ());
        }
        let word = &self.words[parent];
        let old = word.load(Relaxed);
        word.store(old.wrapping_sub(1), Relaxed);
        old as u32 == 1
    }
}

/// What is known of a vertex while values are peeled: in one place, so that a vertex costs one cache
/// line.
#[derive(Clone, Copy)]
#[repr(C)]
struct Entry<E> {
    sum: E,
    parent: u32,
    /// Pending children, or [`MARKED`].
    pending: u32,
}

/// No vertex has so many children.
const MARKED: u32 = u32::MAX;

/// Sums of any commutative operator. One task only: `fold` is never shared.
pub struct Values<'a, M: Commutative> {
    op: M,
    entries: SharedSlice<'a, Entry<M::Elem>>,
}

/// Memory for [`Values`].
pub struct Entries<E>(Vec<Entry<E>>);

impl<E: Copy + Send + Sync> Entries<E> {
    /// Every vertex has its own value.
    pub fn new(parents: &[u32], values: &[E], counts: &ChildCounts) -> Entries<E> {
        let mut entries = huge_collect(parents.len(), |v| Entry {
            sum: values[v],
            parent: parents[v],
            pending: counts.low[v].into(),
        });
        for &v in &counts.carries {
            entries[v as usize].pending += 256;
        }
        Entries(entries)
    }

    /// The sums, once all are complete.
    pub fn sums(&self) -> Vec<E> {
        huge_collect(self.0.len(), |v| self.0[v].sum)
    }
}

impl<'a, M: Commutative> Values<'a, M> {
    /// The store of these entries, which receive the sums.
    pub fn new(op: M, entries: &'a mut Entries<M::Elem>) -> Self {
        Values { op, entries: SharedSlice::new(&mut entries.0) }
    }

    #[inline(always)]
    fn get(&self, v: usize) -> Entry<M::Elem> {
        // SAFETY: the caller is the only user of `v`, or all only read (see `Store`).
        unsafe { self.entries.get(v) }
    }

    #[inline(always)]
    fn set(&self, v: usize, entry: Entry<M::Elem>) {
        // SAFETY: the caller is the only user of `v` (see `Store`).
        unsafe { self.entries.set(v, entry) }
    }
}

impl<M: Commutative> Store for Values<'_, M> {
    type Sum = M::Elem;
    const HAS_PARENTS: bool = true;
    #[inline(always)]
    fn parent(&self, _parents: &[u32], v: usize) -> u32 {
        self.get(v).parent
    }
    #[inline(always)]
    fn prefetch(&self, v: usize) {
        self.entries.prefetch(v);
    }
    #[inline(always)]
    fn is_leaf(&self, v: usize) -> bool {
        // Asked before the only task begins to fold.
        self.get(v).pending == 0
    }
    #[inline(always)]
    fn is_link(&self, v: usize) -> bool {
        self.get(v).pending == 1
    }
    #[inline(always)]
    fn is_open(&self, v: usize) -> bool {
        self.get(v).pending != 0
    }
    fn mark(&self, v: usize) {
        self.set(v, Entry { pending: MARKED, ..self.get(v) });
    }
    fn unmark(&self, v: usize) {
        self.set(v, Entry { pending: 1, ..self.get(v) });
    }
    #[inline(always)]
    fn sum(&self, v: usize) -> M::Elem {
        self.get(v).sum
    }
    #[inline(always)]
    fn complete(&self, v: usize, sum: M::Elem) {
        self.set(v, Entry { sum, pending: 0, ..self.get(v) });
    }
    #[inline(always)]
    fn join(&self, a: M::Elem, b: M::Elem) -> M::Elem {
        self.op.combine(a, b)
    }
    #[inline(always)]
    fn add(&self, v: usize, sum: M::Elem) -> bool {
        let entry = self.get(v);
        let pending = entry.pending - 1;
        self.set(v, Entry { sum: self.op.combine(entry.sum, sum), pending, ..entry });
        pending == 0
    }
    #[inline(always)]
    fn fold<const SHARED: bool>(&self, parent: usize, child: usize) -> bool {
        assert!(!SHARED, "values are peeled by one task");
        self.add(parent, self.sum(child))
    }
}
