//! The index of Schieber and Vishkin, and batches of queries on it.
//!
//! Vertices are numbered from 2 in preorder; 1 is a root above all roots, so that a
//! forest is a tree. The *inlabel* of a vertex is the number in its subtree's
//! interval with the most trailing zeros. Vertices of equal inlabel form a path
//! downwards, and inlabels of descendants are descendants in the complete binary
//! tree on numbers. The *ascendant* of a vertex has a bit for each inlabel on its
//! way up. Two records therefore give the inlabel of the answer by bit operations;
//! where each side enters that path is the parent of the head of the path before it.

use palmette_core::memory::{huge_copy, huge_zeroed, prefetch};
use palmette_core::{NONE, Tree};
use rayon::prelude::*;

/// What a query reads of a vertex.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(16))]
struct Record {
    number: u32,
    inlabel: u32,
    ascendant: u32,
    depth: u32,
}

/// How far ahead a record's parts are asked for while the index is made.
const AHEAD: usize = 16;

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
        // Ascendants in the low half, depths in the high one. One sweep: what is above a
        // position comes before it.
        let mut descent: Vec<u64> = huge_zeroed(n);
        let mut enters: Vec<u32> = huge_zeroed(n + 2);
        for i in 0..n {
            let label = inlabel_at(tree, i);
            let (above, parent_label, parent_number) = match tree.parents()[i] {
                NONE => (u64::from(top), top, 1),
                p => (descent[p as usize] + (1 << 32), inlabel_at(tree, p as usize), p + 2),
            };
            descent[i] = above | u64::from(label & label.wrapping_neg());
            if label != parent_label {
                enters[label as usize] = parent_number;
            }
        }
        let mut records: Vec<Record> = huge_zeroed(n);
        let places = names.map(|_| tree.positions());
        let chunks = records.par_chunks_mut(1 << 14).enumerate();
        chunks.for_each(|(chunk, records)| {
            let place = |at: usize| places.map_or(at, |p| p.get(at).map_or(n, |&i| i as usize));
            for (k, record) in records.iter_mut().enumerate() {
                let at = (chunk << 14) + k;
                prefetch(&descent, place(at + AHEAD));
                prefetch(tree.sizes(), place(at + AHEAD));
                let i = place(at);
                let (ascendant, depth) = (descent[i] as u32, (descent[i] >> 32) as u32);
                let inlabel = inlabel_at(tree, i);
                *record = Record { number: i as u32 + 2, inlabel, ascendant, depth };
            }
        });
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
