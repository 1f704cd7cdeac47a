//! Heavy-path decomposition.
//!
//! **Problem.** Input: a tree or forest. Output: its vertices split into
//! downward paths such that every way to the root meets at most log₂ n + 1 of
//! them, and an order of the vertices (`rank`) in which each path is contiguous,
//! from its head down.
//!
//! **Method.** The heavy child of a vertex is its child with the largest subtree
//! (the first one on ties); an edge to any other child halves the subtree, hence
//! the logarithm. A scan from the last position to the first finds heavy
//! children; a scan forwards numbers the paths by the position of their heads and
//! counts them; another hands out ranks, path after path. Depths follow from the
//! depth of a path's head and need no array.
//!
//! **Cost.** Three linear scans, O(n) work, sequential. 12 bytes per vertex and 16
//! bytes per path are kept (there are as many paths as leaves); nothing else is
//! allocated. No recursion.
//!
//! **Determinism.** A function of the tree alone.
//!
//! **Reference.** D. Sleator, R. Tarjan, *A data structure for dynamic trees*,
//! JCSS 26 (1983), section 5; ranks in one array as in D. Harel, R. Tarjan,
//! *Fast algorithms for finding nearest common ancestors*, SIAM J. Comput. 13 (1984).
//!
//! **When not to use.** For LCAs alone, a constant-time engine of
//! the LCA module answers faster; for sums over *all* root paths a rootfix is one
//! linear pass.

use palmette_core::{NONE, Tree};

/// Where a position lies: the number of its path and its place in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PathPlace {
    pub(super) path: u32,
    pub(super) rank: u32,
}

/// A heavy path: ranks `start ..` up to the next path's start. It hangs from
/// `above`, whose path is [`NONE`] at a root. Climbing goes from record to
/// record and touches nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeavyPath {
    pub(super) start: u32,
    pub(super) depth: u32,
    pub(super) above: PathPlace,
}

/// The heavy paths of a tree; see the opening of `heavy.rs` for the method.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::HeavyPaths;
/// //   0
/// //  / \
/// // 1   2
/// //     |
/// //     3
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2]).unwrap();
/// let heavy = HeavyPaths::new(&tree);
/// assert_eq!(heavy.paths().collect::<Vec<_>>(), [&[0, 2, 3][..], &[1]]);
/// assert_eq!(heavy.heavy_child(0), Some(2));
/// assert_eq!(heavy.head(3), 0);
/// assert_eq!(heavy.rank(1), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeavyPaths {
    place: Vec<PathPlace>,
    position_at: Vec<u32>,
    path: Vec<HeavyPath>,
}

impl HeavyPaths {
    /// Decomposes a tree or forest.
    pub fn new(tree: &Tree) -> HeavyPaths {
        let (n, parents, sizes) = (tree.len(), tree.parents(), tree.sizes());
        // Until ranks are known, their array holds the heavy child of each position.
        let mut place = vec![PathPlace { path: NONE, rank: NONE }; n];
        for i in (0..n).rev() {
            if let Some(p) = tree.parent(i as u32) {
                let heavy = &mut place[p as usize].rank;
                if *heavy == NONE || sizes[i] >= sizes[*heavy as usize] {
                    *heavy = i as u32;
                }
            }
        }
        // `start` counts the vertices of the path until all of them are counted.
        let mut path: Vec<HeavyPath> = Vec::with_capacity(tree.leaves());
        for i in 0..n {
            let p = parents[i];
            let inherits = p != NONE && place[p as usize].rank == i as u32;
            place[i].path = if inherits { place[p as usize].path } else { path.len() as u32 };
            if inherits {
                path[place[i].path as usize].start += 1;
            } else {
                path.push(HeavyPath {
                    start: 1,
                    depth: 0,
                    above: PathPlace { path: NONE, rank: NONE },
                });
            }
        }
        let mut next = 0;
        for path in &mut path {
            next += std::mem::replace(&mut path.start, next);
        }
        // Parents come first, so that their ranks and their paths' depths are final.
        let mut position_at = vec![0; n];
        for i in 0..n {
            let own = place[i].path as usize;
            place[i].rank = path[own].start;
            if parents[i] != NONE {
                let above = place[parents[i] as usize];
                if above.path as usize == own {
                    place[i].rank = above.rank + 1;
                } else {
                    let from = path[above.path as usize];
                    path[own].above = above;
                    path[own].depth = from.depth + (above.rank - from.start) + 1;
                }
            }
            position_at[place[i].rank as usize] = i as u32;
        }
        HeavyPaths { place, position_at, path }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.place.is_empty()
    }

    /// The number of heavy paths, which is the number of leaves.
    pub fn count(&self) -> usize {
        self.path.len()
    }

    /// The number of a position's heavy path. Paths are numbered by the
    /// positions of their heads.
    pub fn path_of(&self, position: u32) -> u32 {
        self.place(position).path
    }

    /// The positions of one heavy path, from its head down to a leaf.
    pub fn path(&self, number: u32) -> &[u32] {
        &self.position_at[self.start(number) as usize..self.start(number + 1) as usize]
    }

    /// All heavy paths, each from its head down.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &[u32]> + '_ {
        (0..self.count()).map(|number| self.path(number as u32))
    }

    /// The top of a position's heavy path.
    pub fn head(&self, position: u32) -> u32 {
        self.position_at(self.heavy_path(self.path_of(position)).start)
    }

    /// The next vertex down a position's heavy path; `None` at a leaf.
    pub fn heavy_child(&self, position: u32) -> Option<u32> {
        let PathPlace { path, rank } = self.place(position);
        (rank + 1 < self.start(path + 1)).then(|| self.position_at(rank + 1))
    }

    /// A position's place in the order that keeps heavy paths contiguous.
    pub fn rank(&self, position: u32) -> u32 {
        self.place(position).rank
    }

    /// The positions by rank: all heavy paths, one after the other.
    pub fn order(&self) -> &[u32] {
        &self.position_at
    }

    /// The number of edges from a position to its root.
    pub fn depth(&self, position: u32) -> u32 {
        let PathPlace { path, rank } = self.place(position);
        let path = self.heavy_path(path);
        path.depth + (rank - path.start)
    }

    #[inline]
    pub(super) fn place(&self, position: u32) -> PathPlace {
        self.place[position as usize]
    }

    #[inline]
    pub(super) fn heavy_path(&self, number: u32) -> HeavyPath {
        self.path[number as usize]
    }

    #[inline]
    pub(super) fn position_at(&self, rank: u32) -> u32 {
        self.position_at[rank as usize]
    }

    /// Where a path starts; the number of vertices for the one past the last.
    fn start(&self, number: u32) -> u32 {
        self.path.get(number as usize).map_or(self.len() as u32, |path| path.start)
    }
}
