//! The index of Schieber and Vishkin, and batches of queries on it.
//!
//! Vertices are numbered from 2 in preorder; 1 is a root above all roots, so that a
//! forest is a tree. The *inlabel* of a vertex is the number in its subtree's
//! interval with the most trailing zeros. Vertices of equal inlabel form a path
//! downwards, and inlabels of descendants are descendants in the complete binary
//! tree on numbers. The *ascendant* of a vertex has a bit for each inlabel on its
//! way up. Two records therefore give the inlabel of the answer by bit operations;
//! where each side enters that path is the parent of the head of the path before it.

use palmette_core::memory::{SharedSlice, huge_collect, huge_copy, huge_zeroed, prefetch};
use palmette_core::{NONE, Tree, parallel};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// What a query reads of a vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(align(16))]
struct Record {
    number: u32,
    inlabel: u32,
    ascendant: u32,
    depth: u32,
}

/// How far ahead of its use a record is asked for while the index is made.
const AHEAD: usize = 24;

/// Positions of a stretch, at least.
const STRETCH: usize = 1 << 16;

/// Queries of one task.
pub(super) const TASK: usize = 1 << 13;

/// Queries whose cache misses overlap.
const GROUP: usize = 32;

/// An index for lowest common ancestors.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::lca::Lca;
/// let tree = Tree::from_parents(&[2, 0, NONE, 2]).unwrap();
/// let index = Lca::by_vertex(&tree);
/// assert_eq!(index.query(1, 3), Some(2));
/// assert_eq!(index.batch(&[(0, 1), (3, 3)]), [0, 3]);
/// ```
#[derive(Debug)]
pub struct Lca {
    records: Vec<Record>,
    /// By inlabel: the number of the parent of the path's head.
    enters: Vec<u32>,
    /// By position: what to answer; the position itself when empty.
    names: Vec<u32>,
}

/// The number with the most trailing zeros among `first ..= last`.
#[inline(always)]
fn inlabel(first: u32, last: u32) -> u32 {
    let zeros = 31 - ((first - 1) ^ last).leading_zeros();
    last >> zeros << zeros
}

#[inline(always)]
fn inlabel_at(tree: &Tree, position: usize) -> u32 {
    let number = position as u32 + 2;
    inlabel(number, number + (tree.sizes()[position] - 1))
}

impl Lca {
    /// An index that is asked and answers by position.
    pub fn new(tree: &Tree) -> Lca {
        Lca::build(tree, None)
    }

    /// An index that is asked and answers by the user's vertices.
    pub fn by_vertex(tree: &Tree) -> Lca {
        Lca::build(tree, Some(tree.vertices()))
    }

    fn build(tree: &Tree, names: Option<&[u32]>) -> Lca {
        let n = tree.len();
        let top = inlabel(1, n as u32 + 1);
        let mut records: Vec<Record> = huge_zeroed(n);
        let sweep = Sweep::new(tree, top, names, &mut records);
        sweep.run(n.div_ceil(rayon::current_num_threads()).max(STRETCH));
        let enters = sweep.done();
        Lca { records, enters, names: names.map_or_else(Vec::new, huge_copy) }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The number of edges to the root.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn depth(&self, u: u32) -> u32 {
        self.records[u as usize].depth
    }

    /// The lowest common ancestor of one pair.
    ///
    /// # Panics
    /// When there is no such vertex.
    pub fn query(&self, u: u32, v: u32) -> Option<u32> {
        let (a, b) = Side::both(self.records[u as usize], self.records[v as usize]);
        let number = a.number(&self.enters).min(b.number(&self.enters));
        (number > 1).then(|| self.name(number))
    }

    #[inline(always)]
    fn name(&self, number: u32) -> u32 {
        if self.names.is_empty() { number - 2 } else { self.names[number as usize - 2] }
    }

    /// The lowest common ancestors of many pairs, on the threads of the current
    /// pool; [`NONE`] across trees.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist.
    pub fn batch(&self, pairs: &[(u32, u32)]) -> Vec<u32> {
        let mut answers = vec![NONE; pairs.len()];
        self.batch_into(pairs, &mut answers);
        answers
    }

    /// As [`Lca::batch`], into a slice of the caller's.
    ///
    /// # Panics
    /// Also when the lengths differ.
    pub fn batch_into(&self, pairs: &[(u32, u32)], answers: &mut [u32]) {
        assert_eq!(pairs.len(), answers.len(), "one answer per pair");
        let tasks = answers.par_chunks_mut(TASK).zip(pairs.par_chunks(TASK));
        tasks.for_each(|(to, pairs)| self.stretch(pairs, to));
    }

    /// The queries of one task.
    pub(super) fn stretch(&self, pairs: &[(u32, u32)], answers: &mut [u32]) {
        pairs.iter().take(GROUP).for_each(|&pair| self.ask(pair));
        for (k, (to, group)) in answers.chunks_mut(GROUP).zip(pairs.chunks(GROUP)).enumerate() {
            let next = pairs.get((k + 1) * GROUP..).unwrap_or_default();
            self.group(group, next, to);
        }
    }

    #[inline(always)]
    fn ask(&self, (u, v): (u32, u32)) {
        prefetch(&self.records, u as usize);
        prefetch(&self.records, v as usize);
    }

    /// One group, while the records of the next are on their way.
    #[inline(always)]
    fn group(&self, pairs: &[(u32, u32)], next: &[(u32, u32)], answers: &mut [u32]) {
        let mut sides = [(Side::default(), Side::default()); GROUP];
        for (k, (side, &(u, v))) in sides.iter_mut().zip(pairs).enumerate() {
            if let Some(&pair) = next.get(k) {
                self.ask(pair);
            }
            let (a, b) = Side::both(self.records[u as usize], self.records[v as usize]);
            prefetch(&self.enters, a.path as usize);
            prefetch(&self.enters, b.path as usize);
            *side = (a, b);
        }
        for ((a, b), answer) in sides.iter().zip(answers.iter_mut()) {
            *answer = a.number(&self.enters).min(b.number(&self.enters));
            prefetch(&self.names, (*answer).wrapping_sub(2) as usize);
        }
        for answer in answers {
            *answer = if *answer > 1 { self.name(*answer) } else { NONE };
        }
    }
}

/// What is known of positions from above, in one sweep: what is above a position comes before it.
///
/// Threads sweep a stretch each. What is above a stretch, but not in it, is above its first position:
/// that path is swept first. Another thread may do the same; both write the same words.
struct Sweep<'a> {
    tree: &'a Tree,
    top: u32,
    /// The vertex by position, where records are by vertex.
    names: Option<&'a [u32]>,
    records: SharedSlice<'a, Record>,
    /// Ascendants in the low half, depths in the high one.
    descent: Vec<AtomicU64>,
    enters: Vec<AtomicU32>,
}

impl<'a> Sweep<'a> {
    fn new(tree: &'a Tree, top: u32, names: Option<&'a [u32]>, records: &'a mut [Record]) -> Self {
        let n = tree.len();
        let descent = huge_collect(n, |_| 0).into_iter().map(AtomicU64::new).collect();
        let enters = huge_collect(n + 2, |_| 0).into_iter().map(AtomicU32::new).collect();
        Sweep { tree, top, names, records: SharedSlice::new(records), descent, enters }
    }

    /// The inlabel of a position, with what is known from above.
    #[inline(always)]
    fn visit(&self, i: usize) -> (u32, u64) {
        let label = inlabel_at(self.tree, i);
        let (above, parent_label, parent_number) = match self.tree.parents()[i] {
            NONE => (u64::from(self.top), self.top, 1),
            p => {
                let above = self.descent[p as usize].load(Relaxed) + (1 << 32);
                (above, inlabel_at(self.tree, p as usize), p + 2)
            }
        };
        let word = above | u64::from(label & label.wrapping_neg());
        self.descent[i].store(word, Relaxed);
        if label != parent_label {
            self.enters[label as usize].store(parent_number, Relaxed);
        }
        (label, word)
    }

    /// Visits a stretch and writes its records, whose cache lines are asked for ahead.
    ///
    /// # Safety
    /// No other thread has positions of this stretch in its own.
    unsafe fn stretch(&self, stretch: Range<usize>) {
        for i in stretch {
            let at = match self.names {
                Some(names) => {
                    if let Some(&far) = names.get(i + AHEAD) {
                        self.records.prefetch(far as usize);
                    }
                    names[i] as usize
                }
                None => i,
            };
            let (inlabel, word) = self.visit(i);
            let (ascendant, depth) = (word as u32, (word >> 32) as u32);
            let record = Record { number: i as u32 + 2, inlabel, ascendant, depth };
            // SAFETY: a position has one vertex, and is in one stretch only.
            unsafe { self.records.set(at, record) };
        }
    }

    /// Sweeps in stretches of `length`, or in one where a stretch begins so deep that sweeping the
    /// path to it would take a large part of the time.
    fn run(&self, length: usize) {
        let n = self.tree.len();
        let path = |start: usize| {
            let above = |&i: &u32| self.tree.parent(i);
            let path = std::iter::successors(self.tree.parent(start as u32), above);
            let path: Vec<u32> = path.take(length / 4).collect();
            (path.len() < length / 4).then_some(path)
        };
        let starts = (length..n).step_by(length);
        let Some(paths) = starts.map(path).collect::<Option<Vec<Vec<u32>>>>() else {
            // SAFETY: there is no other stretch.
            return unsafe { self.stretch(0..n) };
        };
        for path in paths {
            path.iter().rev().for_each(|&i| _ = self.visit(i as usize));
        }
        // SAFETY: stretches do not overlap.
        parallel::stretches(n, length, &|stretch| unsafe { self.stretch(stretch) });
    }

    fn done(self) -> Vec<u32> {
        self.enters.into_iter().map(AtomicU32::into_inner).collect()
    }
}

/// Where one vertex's way up enters the answer's path: at its own number, or from
/// the head of a path.
#[derive(Clone, Copy, Default)]
struct Side {
    own: u32,
    /// The inlabel of the last path before the answer's; 0 when already on it.
    path: u32,
}

impl Side {
    #[inline(always)]
    fn number(self, enters: &[u32]) -> u32 {
        if self.path == 0 { self.own } else { enters[self.path as usize] }
    }

    #[inline(always)]
    fn both(u: Record, v: Record) -> (Side, Side) {
        let differ = u.inlabel ^ v.inlabel;
        // Bits at and above the highest difference; all bits when there is none.
        let high = if differ == 0 { !0 } else { !0 << (31 - differ.leading_zeros()) };
        let common = u.ascendant & v.ascendant & high;
        // With equal inlabels both are on the answer's path: nothing lies below it.
        let below = if differ == 0 { 0 } else { (common & common.wrapping_neg()) - 1 };
        (Side::new(u, below), Side::new(v, below))
    }

    #[inline(always)]
    fn new(r: Record, below: u32) -> Side {
        let bits = r.ascendant & below;
        // The highest of these bits ends the path's inlabel.
        let bit = 1u32 << (31 - (bits | 1).leading_zeros());
        let path = r.inlabel & !(bit | (bit - 1)) | bit;
        Side { own: r.number, path: if bits == 0 { 0 } else { path } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::TreeParams;
    use palmette_core::generate::{Shape, generate, shuffle};

    #[test]
    fn stretches_of_any_length_give_one_index() {
        for shape in Shape::FREE {
            for roots in [1, 40] {
                let mut parents = shuffle(&generate(shape, 3000, 3).expect("any size"), 4);
                (1..roots).for_each(|k| parents[k * 70] = NONE);
                let forest = TreeParams { forest: true, ..Default::default() };
                let tree = Tree::with_params(&parents, forest).expect("a forest");
                let top = inlabel(1, tree.len() as u32 + 1);
                for names in [None, Some(tree.vertices())] {
                    let swept = |length: usize| {
                        let mut records = vec![Record::default(); tree.len()];
                        let sweep = Sweep::new(&tree, top, names, &mut records);
                        sweep.run(length);
                        (sweep.done(), records)
                    };
                    let whole = swept(3000);
                    for length in [1, 64, 500, 1000, 1500, 2999] {
                        assert!(swept(length) == whole, "{shape}, {roots} roots, {length}");
                    }
                }
            }
        }
    }
}
