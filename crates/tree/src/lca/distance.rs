//! Distances between vertices: by edges or by lengths.
//!
//! The distance of `u` and `v` is `d(u) + d(v) − 2 d(lca)`, with `d` the distance
//! to the root. With lengths this is exact to about `3 d ε`: for two vertices that
//! are close together far from the root, absolute, not relative.

use super::Lca;
use palmette_core::NONE;
use rayon::prelude::*;

/// Distances on a tree. `depths` is indexed as the index is: by position or by
/// vertex.
#[derive(Debug)]
pub struct Distances<'a, D> {
    index: &'a Lca,
    depths: &'a [D],
}

impl<'a> Distances<'a, f64> {
    /// Distances by length, given every vertex's distance to its root (a rootfix
    /// of the edge lengths). None when the lengths differ.
    pub fn new(index: &'a Lca, depths: &'a [f64]) -> Option<Self> {
        (depths.len() == index.len()).then_some(Distances { index, depths })
    }

    /// The distance of each pair; NaN across trees.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist.
    pub fn batch(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        let depth = |v: u32| self.depths[v as usize];
        self.index.with_lca(pairs, |(u, v), l| match l {
            NONE => f64::NAN,
            l => (depth(u) - depth(l)) + (depth(v) - depth(l)),
        })
    }
}

impl Lca {
    /// The number of edges between each pair; [`NONE`] across trees.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist.
    pub fn edge_distances(&self, pairs: &[(u32, u32)]) -> Vec<u32> {
        self.with_lca(pairs, |(u, v), l| match l {
            NONE => NONE,
            l => self.depth(u) + self.depth(v) - 2 * self.depth(l),
        })
    }

    fn with_lca<T: Send>(
        &self,
        pairs: &[(u32, u32)],
        answer: impl Fn((u32, u32), u32) -> T + Sync,
    ) -> Vec<T> {
        let found = pairs.par_iter().zip(self.batch(pairs)).with_min_len(1 << 12);
        found.map(|(&pair, lca)| answer(pair, lca)).collect()
    }
}
