//! Distances between vertices: by edges or by lengths.
//!
//! The distance of `u` and `v` is `d(u) + d(v) − 2 d(lca)`, with `d` the distance
//! to the root. With lengths this is exact to about `3 d ε`: for two vertices that
//! are close together far from the root, absolute, not relative.

use super::Lca;
use super::inlabel::TASK;
use palmette_core::{NONE, parallel};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A number is not a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a number is not a vertex")]
pub struct NoSuchVertex;

fn to_signed(x: u32) -> i64 {
    if x == NONE { -1 } else { x.into() }
}

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

    /// The distance of each pair of numbers in two arrays; NaN across trees.
    ///
    /// # Errors
    /// As [`Lca::batch_signed`].
    pub fn batch_signed(
        &self,
        u: &[i64],
        v: &[i64],
        answers: &mut [f64],
    ) -> Result<(), NoSuchVertex> {
        self.index.signed(u, v, answers, |(u, v), l| self.between(u, v, l))
    }

    #[inline(always)]
    fn between(&self, u: u32, v: u32, l: u32) -> f64 {
        let depth = |v: u32| self.depths[v as usize];
        match l {
            NONE => f64::NAN,
            l => (depth(u) - depth(l)) + (depth(v) - depth(l)),
        }
    }

    /// The distance of each pair; NaN across trees.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist.
    pub fn batch(&self, pairs: &[(u32, u32)]) -> Vec<f64> {
        self.index.with_lca(pairs, |(u, v), l| self.between(u, v, l))
    }
}

impl Lca {
    /// The number of edges between each pair; [`NONE`] across trees.
    ///
    /// # Panics
    /// When a pair names a vertex that does not exist.
    pub fn edge_distances(&self, pairs: &[(u32, u32)]) -> Vec<u32> {
        self.with_lca(pairs, |(u, v), l| self.edges(u, v, l))
    }

    #[inline(always)]
    fn edges(&self, u: u32, v: u32, l: u32) -> u32 {
        match l {
            NONE => NONE,
            l => self.depth(u) + self.depth(v) - 2 * self.depth(l),
        }
    }

    /// The lowest common ancestor of each pair of numbers in two arrays, as languages have them that
    /// know no unsigned numbers; −1 across trees.
    ///
    /// # Errors
    /// A number that is not a vertex; `answers` then holds anything.
    ///
    /// # Panics
    /// When lengths differ.
    pub fn batch_signed(
        &self,
        u: &[i64],
        v: &[i64],
        answers: &mut [i64],
    ) -> Result<(), NoSuchVertex> {
        self.signed(u, v, answers, |_, l| to_signed(l))
    }

    /// The number of edges between each pair of numbers in two arrays; −1 across trees.
    ///
    /// # Errors
    /// As [`Lca::batch_signed`].
    pub fn edge_distances_signed(
        &self,
        u: &[i64],
        v: &[i64],
        answers: &mut [i64],
    ) -> Result<(), NoSuchVertex> {
        self.signed(u, v, answers, |(u, v), l| to_signed(self.edges(u, v, l)))
    }

    /// Stretch by stretch, so that pairs and ancestors stay in the cache.
    fn signed<T: Send + Sync>(
        &self,
        u: &[i64],
        v: &[i64],
        answers: &mut [T],
        answer: impl Fn((u32, u32), u32) -> T + Sync,
    ) -> Result<(), NoSuchVertex> {
        assert!(u.len() == answers.len() && v.len() == answers.len(), "one answer per pair");
        let wrong = AtomicBool::new(false);
        let limit = self.len() as u64;
        parallel::chunks_mut(answers, TASK, |start, answers| {
            let range = start..start + answers.len();
            let (u, v) = (&u[range.clone()], &v[range]);
            let inside = |x: &[i64]| x.iter().fold(true, |all, &x| all & ((x as u64) < limit));
            if !inside(u) || !inside(v) {
                wrong.store(true, Relaxed);
                return;
            }
            let pairs: Vec<(u32, u32)> =
                u.iter().zip(v).map(|(&u, &v)| (u as u32, v as u32)).collect();
            let mut found = [NONE; TASK];
            let found = &mut found[..pairs.len()];
            self.stretch(&pairs, found);
            for ((to, &pair), &lca) in answers.iter_mut().zip(&pairs).zip(&*found) {
                *to = answer(pair, lca);
            }
        });
        if wrong.into_inner() { Err(NoSuchVertex) } else { Ok(()) }
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
