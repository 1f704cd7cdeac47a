//! The preorder cut into blocks of fixed length, for the threads engines.
//!
//! A vertex is **open** in its block when its subtree goes on behind the block's
//! end. The open vertices of a block are the ancestors of the first position behind
//! it, so they form one chain, found by walking up from there. Everything else
//! in the block is closed: its subtree lies inside.

use palmette_core::Tree;
use palmette_core::memory::{SharedSlice, prefetch};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Positions per block; fixed, so that answers do not depend on the threads. Not a
/// power of two: blocks that are swept side by side would meet in the same lines of
/// the cache.
pub(crate) const BLOCK: usize = (1 << 13) + 160;

/// Values that are reached by position.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a, E> {
    /// By position, or by vertex.
    pub(crate) values: &'a [E],
    /// The vertex by position, if values are by vertex.
    pub(crate) at: Option<&'a [u32]>,
}

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

impl<'a, E: Copy> Values<'a, E> {
    #[inline(always)]
    pub(crate) fn get(&self, position: usize) -> E {
        match self.at {
            Some(at) => self.values[at[position] as usize],
            None => self.values[position],
        }
    }

    /// Calls `work` with the values of a stretch of positions.
    pub(crate) fn read<T>(
        &self,
        range: Range<usize>,
        spare: &Spare<E>,
        work: impl FnOnce(&[E]) -> T,
    ) -> T {
        let Some(at) = self.at else { return work(&self.values[range]) };
        let mut gathered = spare.take();
        gathered.extend(range.clone().map(|i| {
            if let Some(&far) = at[..range.end].get(i + AHEAD) {
                prefetch(self.values, far as usize);
            }
            self.values[at[i] as usize]
        }));
        let found = work(&gathered);
        spare.give(gathered);
        found
    }
}

/// Vectors that tasks use one after another: fresh pages cost more than what is done with them.
pub(crate) struct Spare<E>(Mutex<Vec<Vec<E>>>);

impl<E> Spare<E> {
    pub(crate) fn new() -> Spare<E> {
        Spare(Mutex::new(Vec::new()))
    }

    fn take(&self) -> Vec<E> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give(&self, mut vector: Vec<E>) {
        vector.clear();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(vector);
    }
}

/// Answers that are reached by position.
#[derive(Clone, Copy)]
pub(crate) struct Answers<'a, E> {
    /// By position, or by vertex.
    pub(crate) answers: SharedSlice<'a, E>,
    /// The vertex by position, if answers are by vertex.
    pub(crate) at: Option<&'a [u32]>,
}

impl<'a, E: Copy> Answers<'a, E> {
    #[inline(always)]
    fn place(&self, position: usize) -> usize {
        self.at.map_or(position, |at| at[position] as usize)
    }

    /// The answer at a position.
    ///
    /// # Safety
    /// As [`SharedSlice::get`].
    #[inline(always)]
    pub(crate) unsafe fn get(&self, position: usize) -> E {
        // SAFETY: as the caller promises; different positions have different places.
        unsafe { self.answers.get(self.place(position)) }
    }

    /// Writes the answer at a position.
    ///
    /// # Safety
    /// As [`SharedSlice::set`].
    #[inline(always)]
    pub(crate) unsafe fn set(&self, position: usize, answer: E) {
        // SAFETY: as above.
        unsafe { self.answers.set(self.place(position), answer) }
    }

    /// Calls `work` with a slice for a stretch of positions, all of which it writes.
    ///
    /// # Safety
    /// As [`SharedSlice::slice_mut`].
    pub(crate) unsafe fn write<T>(
        &self,
        range: Range<usize>,
        blank: E,
        spare: &Spare<E>,
        work: impl FnOnce(&mut [E]) -> T,
    ) -> T {
        let Some(at) = self.at else {
            // SAFETY: as the caller promises.
            return work(unsafe { self.answers.slice_mut(range) });
        };
        let mut answers = spare.take();
        answers.resize(range.len(), blank);
        let found = work(&mut answers);
        // Stores wait for each other: a cache line must be there when its turn comes.
        for (i, &answer) in range.clone().zip(&answers) {
            if let Some(&far) = at[..range.end].get(i + AHEAD) {
                self.answers.prefetch(far as usize);
            }
            let v = at[i];
            // SAFETY: as the caller promises; a vertex has one position.
            unsafe { self.answers.set(v as usize, answer) };
        }
        spare.give(answers);
        found
    }
}

/// The blocks of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    tree: &'a Tree,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(tree: &'a Tree) -> Self {
        Blocks { tree }
    }

    pub(crate) fn parents(self) -> &'a [u32] {
        self.tree.parents()
    }

    pub(crate) fn count(self) -> usize {
        self.tree.len().div_ceil(BLOCK)
    }

    pub(crate) fn range(self, block: usize) -> Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.tree.len())
    }

    /// The open vertices of a block as runs of consecutive positions, each the
    /// parent of the next; the deepest run first.
    ///
    /// Runs let a long chain be walked without waiting for each parent to be loaded.
    pub(crate) fn open_runs(self, block: usize) -> impl Iterator<Item = Range<usize>> + 'a {
        let parents = self.tree.parents();
        let Range { start, end } = self.range(block);
        let mut at = parents.get(end).map_or(usize::MAX, |&p| p as usize);
        std::iter::from_fn(move || {
            if at < start || at >= end {
                return None;
            }
            let first = start + run_start(&parents[start..=at], start as u32);
            let run = first..at + 1;
            at = parents[first] as usize;
            Some(run)
        })
    }

    /// How the open vertices lie, as far as a sample of blocks tells.
    pub(crate) fn grain(self) -> Grain {
        const SAMPLE: usize = 16;
        const MANY: usize = 64;
        let step = self.count().div_ceil(SAMPLE).max(1);
        let sampled = (0..self.count()).step_by(step);
        let (mut ragged, mut deep) = (0, 0);
        for block in sampled.clone() {
            let (mut runs, mut open) = (0, 0);
            for run in self.open_runs(block).take(MANY) {
                runs += 1;
                open += run.len();
            }
            ragged += usize::from(runs == MANY);
            deep += usize::from(open > BLOCK / 2);
        }
        match sampled.count() {
            count if 4 * ragged > count => Grain::Ragged,
            count if 4 * deep > count => Grain::Deep,
            _ => Grain::Fine,
        }
    }
}

/// How the open vertices of blocks lie. The threads engines treat an open vertex
/// twice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grain {
    /// Few vertices are open.
    Fine,
    /// Many are, in long runs, as on a path.
    Deep,
    /// Many are, in short runs between which the engines must jump.
    Ragged,
}

/// Where the last run of consecutive positions begins in a slice of parents that
/// itself begins at position `start`.
fn run_start(parents: &[u32], start: u32) -> usize {
    const STEP: usize = 16;
    let mut first = parents.len() - 1;
    // Sixteen comparisons without a branch: the compiler makes them a few vectors.
    while first > STEP {
        let from = first - STEP;
        let expected = start + from as u32;
        let stretch = parents[from + 1..=first].iter().zip(expected..);
        if stretch.fold(0, |differ, (&p, e)| differ | (p ^ e)) != 0 {
            break;
        }
        first = from;
    }
    while first > 0 && parents[first] == start + first as u32 - 1 {
        first -= 1;
    }
    first
}
