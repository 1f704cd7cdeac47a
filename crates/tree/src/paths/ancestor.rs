//! Ancestor queries by climbing heavy paths.
//!
//! **Problem.** Input: heavy paths and positions. Output: lowest common
//! ancestors, the vertex k edges up, distances in edges.
//!
//! **Method.** Climb from a path to the vertex its head hangs from; within a path
//! the rank is arithmetic. For two positions on different paths, climb from the
//! path with the *larger number*: paths are numbered by their heads' positions.
//! Were the LCA on that path, its head would be an ancestor of the other
//! position but not on its path, so the other head would lie below it and have a
//! larger position. So no depth is compared, and a step reads one record. In a
//! forest the same argument says that there is no LCA when that path hangs from
//! nothing.
//!
//! **Cost.** A way to the root meets at most log₂ n + 1 paths (proved), so a
//! query for one position takes as many steps and one for two positions twice as
//! many; a step reads one record. A batch is split over rayon's current threads:
//! work O(q log n), depth O(log n + log q). For many pairs [`crate::lca`] is faster.
//!
//! **Determinism.** Exact integers, whatever the number of threads.
//!
//! **Reference.** D. Sleator, R. Tarjan, JCSS 26 (1983), section 5.
//!
//! **When not to use.** For very many LCAs a constant-time engine wins; on a
//! path-like tree with k of 1 or 2, walking up the parents does.

use super::heavy::{HeavyPaths, PathPlace};
use palmette_core::{NONE, parallel};

/// Queries below this number are not worth another thread.
pub(super) const BATCH: usize = 1 << 10;

impl HeavyPaths {
    /// The lowest common ancestor; `None` when the positions are in different
    /// components.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree};
    /// use palmette_tree::paths::HeavyPaths;
    /// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
    /// let paths = HeavyPaths::new(&tree);
    /// assert_eq!(paths.lca(2, 3), Some(1));
    /// assert_eq!(paths.lca(2, 4), Some(0));
    /// ```
    pub fn lca(&self, u: u32, v: u32) -> Option<u32> {
        let (mut a, mut b) = (self.place(u), self.place(v));
        while a.path != b.path {
            let lower = if a.path > b.path { &mut a } else { &mut b };
            *lower = self.above(*lower)?;
        }
        Some(self.position_at(a.rank.min(b.rank)))
    }

    /// The number of edges between two positions; `None` across components.
    pub fn distance(&self, u: u32, v: u32) -> Option<u32> {
        let (mut a, mut b) = (self.place(u), self.place(v));
        let mut edges = 0;
        while a.path != b.path {
            let lower = if a.path > b.path { &mut a } else { &mut b };
            edges += lower.rank - self.heavy_path(lower.path).start + 1;
            *lower = self.above(*lower)?;
        }
        Some(edges + a.rank.abs_diff(b.rank))
    }

    /// The vertex `k` edges up (the position itself for 0); `None` above the root.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree};
    /// use palmette_tree::paths::HeavyPaths;
    /// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
    /// let paths = HeavyPaths::new(&tree);
    /// assert_eq!(paths.kth_ancestor(3, 2), Some(0));
    /// assert_eq!(paths.kth_ancestor(3, 3), None);
    /// ```
    pub fn kth_ancestor(&self, position: u32, mut k: u32) -> Option<u32> {
        let mut at = self.place(position);
        loop {
            let on_path = at.rank - self.heavy_path(at.path).start;
            if k <= on_path {
                return Some(self.position_at(at.rank - k));
            }
            k -= on_path + 1;
            at = self.above(at)?;
        }
    }

    /// [`HeavyPaths::kth_ancestor`] of many pairs (position, k), in parallel.
    pub fn ancestor_batch(&self, pairs: &[(u32, u32)]) -> Vec<Option<u32>> {
        batch(pairs, |position, k| self.kth_ancestor(position, k))
    }

    /// The place a path hangs from; `None` for a root's path.
    #[inline]
    pub(super) fn above(&self, place: PathPlace) -> Option<PathPlace> {
        let above = self.heavy_path(place.path).above;
        (above.path != NONE).then_some(above)
    }
}

/// Answers pairs in parallel, in their order.
pub(super) fn batch<T: Send + Sync>(
    pairs: &[(u32, u32)],
    query: impl Fn(u32, u32) -> T + Sync,
) -> Vec<T> {
    parallel::map(pairs.len(), BATCH, |i| query(pairs[i].0, pairs[i].1))
}
