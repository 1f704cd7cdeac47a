//! Which edges a recovered edge marks, found without visiting neighbourhoods.
//!
//! **Problem.** A recovered edge `(u, v)` with lowest common ancestor `w` has the radius
//! `β = max(1, min(depth u, depth v) − depth w)`; it marks every later off-tree edge with
//! one end within `β` tree edges of `u` and the other within `β` of `v`. Given an edge and
//! those recovered so far: is it marked?
//!
//! **Method.** Edges ask instead of being told, so that no neighbourhood is ever listed.
//! * *Crossing edges* (no end is an ancestor of the other) mark crossing edges only of the
//!   same lowest common ancestor `w` (Lemma 3.1), and since a ball of radius `β` around
//!   `u` does not leave the subtree of `w`'s child above `u` but for `w` itself, only those
//!   between the same two children's subtrees. Recovered edges are therefore kept by that
//!   pair of children; an edge compares itself with the few under its own pair, by two
//!   tree distances each.
//! * A crossing edge marks an edge from `w` itself down into a child's subtree only if its
//!   ball reaches `w` from the other side: recovered edges are also kept by the child above
//!   their deeper end.
//! * *Non-crossing edges* have `β = 1`. An end `x` is within one edge of `a` if `x = a`,
//!   `x = parent(a)` or `parent(x) = a`: four entries in a set of pairs for a recovered
//!   edge and eighteen look-ups for one that asks, whatever the degrees.
//!
//! **Cost.** A question costs the recovered edges under its pair of children that come
//! before one that marks it; see `docs/benchmarks.md` for how few these are.
//!
//! **Reference.** Paper 004, Lemmas 3.1 and 3.2 and Algorithms 4 and 5, whose sets of marks
//! at each vertex of a ball are turned round here.

use super::skeleton::OffEdge;
use palmette_core::{NONE, Tree};
use palmette_tree::lca::Lca;
use rustc_hash::{FxHashMap, FxHashSet};

/// What questions about the forest need, beside it.
pub(super) struct Kin<'a> {
    tree: &'a Tree,
    lca: &'a Lca,
    /// By position: where its children begin in `children`; ascending.
    starts: Vec<u32>,
    children: Vec<u32>,
    beta_cap: u32,
}

impl<'a> Kin<'a> {
    pub(super) fn new(tree: &'a Tree, lca: &'a Lca, beta_cap: Option<u32>) -> Kin<'a> {
        let n = tree.len();
        let mut starts = vec![0u32; n + 2];
        for &p in tree.parents().iter().filter(|&&p| p != NONE) {
            starts[p as usize + 2] += 1;
        }
        for v in 1..n + 2 {
            starts[v] += starts[v - 1];
        }
        let mut children = vec![0u32; n - tree.roots()];
        for (i, &p) in tree.parents().iter().enumerate().filter(|e| *e.1 != NONE) {
            let place = &mut starts[p as usize + 1];
            children[*place as usize] = i as u32;
            *place += 1;
        }
        let beta_cap = beta_cap.unwrap_or(u32::MAX).max(1);
        Kin { tree, lca, starts, children, beta_cap }
    }

    fn depth(&self, v: u32) -> u32 {
        self.lca.depth(v)
    }

    fn parent(&self, v: u32) -> u32 {
        self.tree.parents()[v as usize]
    }

    /// The child of `above` whose subtree has `below`.
    fn child_towards(&self, above: u32, below: u32) -> u32 {
        let row = self.starts[above as usize] as usize..self.starts[above as usize + 1] as usize;
        let row = &self.children[row];
        row[row.partition_point(|&child| child <= below) - 1]
    }

    pub(super) fn radius(&self, edge: &OffEdge) -> u32 {
        let shallower = self.depth(edge.p).min(self.depth(edge.q));
        (shallower - self.depth(edge.lca)).clamp(1, self.beta_cap)
    }

    /// Whether two vertices of one tree are at most `radius` tree edges apart.
    #[inline]
    fn near(&self, x: u32, y: u32, radius: u32) -> bool {
        let (dx, dy) = (self.depth(x), self.depth(y));
        if dx.abs_diff(dy) > radius {
            return false;
        }
        match self.lca.query(x, y) {
            Some(top) => dx + dy - 2 * self.depth(top) <= radius,
            None => false,
        }
    }

    /// The children of the lowest common ancestor on both sides of a crossing edge, as one
    /// number: edges with equal numbers may mark each other. `None` for a non-crossing edge.
    pub(super) fn pair(&self, edge: &OffEdge) -> Option<u64> {
        edge.is_crossing().then(|| {
            let left = self.child_towards(edge.lca, edge.p);
            let right = self.child_towards(edge.lca, edge.q);
            u64::from(left) << 32 | u64::from(right)
        })
    }
}

/// A recovered crossing edge in a list.
#[derive(Debug, Clone, Copy)]
struct Marker {
    p: u32,
    q: u32,
    radius: u32,
    /// When it was recovered.
    order: u32,
    /// The one before it in its list.
    next: u32,
}

/// Recovered crossing edges by pair of children.
#[derive(Debug, Default)]
pub(super) struct Crossings {
    /// By pair: the newest.
    newest: FxHashMap<u64, u32>,
    markers: Vec<Marker>,
}

impl Crossings {
    pub(super) fn insert(&mut self, kin: &Kin<'_>, pair: u64, edge: &OffEdge, order: u32) {
        let newest = self.newest.entry(pair).or_insert(NONE);
        let next = std::mem::replace(newest, self.markers.len() as u32);
        self.markers.push(Marker { p: edge.p, q: edge.q, radius: kin.radius(edge), order, next });
    }

    /// Whether a recovered edge of the same pair marks this one.
    pub(super) fn covers(&self, kin: &Kin<'_>, pair: u64, edge: &OffEdge) -> bool {
        let mut at = self.newest.get(&pair).copied().unwrap_or(NONE);
        while at != NONE {
            let m = self.markers[at as usize];
            if kin.near(edge.p, m.p, m.radius) && kin.near(edge.q, m.q, m.radius) {
                return true;
            }
            at = m.next;
        }
        false
    }

    /// Forgets those of a pair that were recovered at `order` or later.
    pub(super) fn withdraw(&mut self, pair: u64, order: u32) {
        if let Some(newest) = self.newest.get_mut(&pair) {
            while *newest != NONE && self.markers[*newest as usize].order >= order {
                *newest = self.markers[*newest as usize].next;
            }
        }
    }
}

/// What edges of different pairs do to each other: all that involves edges between a
/// vertex and an ancestor of it.
#[derive(Debug, Default)]
pub(super) struct Aftereffects {
    /// By child: the newest crossing edge whose ball reaches the child's parent from the
    /// other side.
    hanging: FxHashMap<u32, u32>,
    hangers: Vec<Marker>,
    /// Pairs of ends of recovered non-crossing edges; bit 0 of the index: the first is the
    /// parent of an end, bit 1: the second is.
    pairs: [FxHashSet<u64>; 4],
    /// Positions that occur in `pairs`.
    seen: Vec<bool>,
}

impl Aftereffects {
    /// Notes a recovered edge of either kind.
    pub(super) fn insert(&mut self, kin: &Kin<'_>, edge: &OffEdge, pair: Option<u64>) {
        match pair {
            Some(pair) => self.insert_crossing(kin, edge, pair),
            None => self.insert_non_crossing(kin, edge),
        }
    }

    fn insert_crossing(&mut self, kin: &Kin<'_>, edge: &OffEdge, pair: u64) {
        let radius = kin.radius(edge);
        let (left, right) = ((pair >> 32) as u32, pair as u32);
        for (reaches, stays, child) in [(edge.p, edge.q, right), (edge.q, edge.p, left)] {
            if kin.depth(reaches) - kin.depth(edge.lca) <= radius {
                let newest = self.hanging.entry(child).or_insert(NONE);
                let next = std::mem::replace(newest, self.hangers.len() as u32);
                self.hangers.push(Marker { p: reaches, q: stays, radius, order: 0, next });
            }
        }
    }

    fn insert_non_crossing(&mut self, kin: &Kin<'_>, edge: &OffEdge) {
        self.seen.resize(kin.tree.len(), false);
        let ends = [[edge.p, kin.parent(edge.p)], [edge.q, kin.parent(edge.q)]];
        for (i, &a) in ends[0].iter().enumerate() {
            for (j, &b) in ends[1].iter().enumerate() {
                if a != NONE && b != NONE {
                    self.pairs[i | j << 1].insert(u64::from(a) << 32 | u64::from(b));
                    self.seen[a as usize] = true;
                    self.seen[b as usize] = true;
                }
            }
        }
    }

    /// Whether a recovered edge marks this one, leaving aside crossing edges that mark
    /// crossing ones.
    pub(super) fn covers(&self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        self.covered_by_non_crossing(kin, edge)
            || (!edge.is_crossing() && self.covered_by_hanging(kin, edge))
    }

    fn covered_by_hanging(&self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        let child = kin.child_towards(edge.p, edge.q);
        let mut at = self.hanging.get(&child).copied().unwrap_or(NONE);
        while at != NONE {
            let m = self.hangers[at as usize];
            if kin.near(edge.q, m.q, m.radius) {
                return true;
            }
            at = m.next;
        }
        false
    }

    pub(super) fn covered_by_non_crossing(&self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        if self.seen.is_empty() {
            return false;
        }
        let (x, y) = (edge.p, edge.q);
        let (px, py) = (kin.parent(x), kin.parent(y));
        let seen = |v: u32| v != NONE && self.seen[v as usize];
        if !(seen(x) || seen(px)) || !(seen(y) || seen(py)) {
            return false;
        }
        // An end itself matches an end or the parent of one; its parent matches an end.
        let ways = |v: u32, parent: u32| [(v, 0), (v, 1), (parent, 0)];
        let ordered = |first: [(u32, usize); 3], second: [(u32, usize); 3]| {
            first.iter().any(|&(a, i)| {
                a != NONE
                    && second.iter().any(|&(b, j)| {
                        b != NONE
                            && self.pairs[i | j << 1].contains(&(u64::from(a) << 32 | u64::from(b)))
                    })
            })
        };
        ordered(ways(x, px), ways(y, py)) || ordered(ways(y, py), ways(x, px))
    }
}
