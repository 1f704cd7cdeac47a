//! The Euler tour of a tree, and scans over it.
//!
//! **Problem.** Find where each vertex is opened and closed on the walk around the tree, and the
//! exclusive scan of elements written there. **Method.** In preorder no list ranking is needed:
//! with depth d, position i is opened at 2i − d. The scan goes in chunks of fixed length, so that
//! answers do not depend on threads. **Cost.** Linear work; two elements per vertex. **Reference.**
//! Defour and Marin, *Regularity versus Load-Balancing on GPU for treefix computations*, 2013.

use palmette_core::memory::{SharedSlice, huge_vec};
use palmette_core::operator::Operator;
use palmette_core::parallel;
use palmette_core::{Group, Monoid, Tree};
use rayon::prelude::*;

/// Elements that one task scans.
const CHUNK: usize = 1 << 15;

/// Where each vertex is opened and closed on the walk around the tree: the paper's
/// arrays `(V` and `V)`, by position.
///
/// In preorder no list need be ranked: with depth `d`, position `i` is opened at
/// `2i − d` and closed `2 size − 1` later.
#[derive(Debug, Clone)]
pub struct EulerTour {
    pub(crate) open: Vec<u32>,
    pub(crate) close: Vec<u32>,
}

impl EulerTour {
    /// The tour of a tree of at most 2^31 vertices.
    ///
    /// # Panics
    /// When the tour is longer than `u32` indices reach.
    pub fn new(tree: &Tree) -> EulerTour {
        assert!(tree.len() <= 1 << 31, "an Euler tour has two entries per vertex");
        let open: Vec<u32> =
            tree.depths().par_iter().enumerate().map(|(i, &d)| 2 * i as u32 - d).collect();
        let close = open.par_iter().zip(tree.sizes()).map(|(&o, &s)| o + 2 * s - 1).collect();
        EulerTour { open, close }
    }

    /// Where each position is opened and closed.
    pub fn arrays(&self) -> (&[u32], &[u32]) {
        (&self.open, &self.close)
    }

    /// Writes a pair of elements for every position at its two places, and returns
    /// the exclusive scan: entry `k` is the product of all places before `k`.
    pub(crate) fn scan<M: Monoid>(
        &self,
        op: &M,
        pair: impl Fn(usize) -> (M::Elem, M::Elem) + Sync,
    ) -> Vec<M::Elem> {
        let n = self.open.len();
        let mut line = huge_vec(2 * n + 1, op.identity());
        let shared = SharedSlice::new(&mut line);
        parallel::for_each(n, 1 << 12, |i| {
            let (opening, closing) = pair(i);
            // SAFETY: the places of all openings and closings differ.
            unsafe {
                shared.set(self.open[i] as usize, opening);
                shared.set(self.close[i] as usize, closing);
            }
        });
        let chunks = line.len().div_ceil(CHUNK);
        let chunk = |k: usize| &line[k * CHUNK..((k + 1) * CHUNK).min(line.len())];
        let sum = |k| chunk(k).iter().fold(op.identity(), |s, &x| op.combine(s, x));
        let sums = parallel::map(chunks, 1, sum);
        let mut before = huge_vec(sums.len(), op.identity());
        for k in 1..sums.len() {
            before[k] = op.combine(before[k - 1], sums[k - 1]);
        }
        parallel::chunks_mut(&mut line, CHUNK, |start, chunk| {
            let mut product = before[start / CHUNK];
            for x in chunk {
                let own = std::mem::replace(x, product);
                product = op.combine(product, own);
            }
        });
        line
    }
}

/// An operator with inverses, seen as a group.
pub(crate) struct Undoing<'a, M>(&'a M);

impl<'a, M: Operator> Undoing<'a, M> {
    pub(crate) fn new(op: &'a M) -> Option<Self> {
        op.undo(op.identity()).map(|_| Undoing(op))
    }
}

impl<M: Operator> Monoid for Undoing<'_, M> {
    type Elem = M::Elem;
    #[inline(always)]
    fn identity(&self) -> M::Elem {
        self.0.identity()
    }
    #[inline(always)]
    fn combine(&self, left: M::Elem, right: M::Elem) -> M::Elem {
        self.0.combine(left, right)
    }
}

impl<M: Operator> Group for Undoing<'_, M> {
    #[inline(always)]
    fn inverse(&self, x: M::Elem) -> M::Elem {
        self.0.undo(x).unwrap_or(x)
    }
}
