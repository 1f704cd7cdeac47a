//! Which edges a recovered edge marks, found without visiting neighbourhoods.
//!
//! **Problem.** A recovered edge `(u, v)` with lowest common ancestor `w` has the radius
//! `β = max(1, min(depth u, depth v) − depth w)`; it marks every later off-tree edge with
//! one end within `β` tree edges of `u` and the other within `β` of `v`. Given an edge and
//! those recovered so far: is it marked?
//!
//! **Method.** Edges ask instead of being told, so that no neighbourhood is ever listed.
//! * *Crossing edges* (no end is an ancestor of the other) mark crossing edges only of the
//!   same lowest common ancestor `w` (Lemma 3.1). If `(u, v)` marks `(x, y)` then `x` and
//!   `u` have a common ancestor at least half as deep below `w` as `x` is: the way from `u`
//!   to `x` has at most `β ≤ depth u − depth w` edges. The same holds for `y` and `v`. So
//!   recovered edges are kept by the pair of their ends' ancestors 1, 2, 3, 4, 6, 8, 12, …
//!   edges below `w`; an edge looks up one pair, for the largest of these depths that is at
//!   most half the depth of its shallower end, and compares itself with what it finds: by
//!   position with the subtrees of the ancestors at half the depth, then by two tree
//!   distances. With depth 1 alone these would be the pairs of subtrees of the paper; where
//!   trees are shallow and wide those are so few that their lists are long.
//! * A crossing edge marks an edge from `w` itself down into a child's subtree only if its
//!   ball reaches `w` from the other side. Those that reach it are also kept by the
//!   ancestors of the end that stays, at the same depths below `w`, for edges that hang from `w`.
//! * *Non-crossing edges* have `β = 1`. An end `x` is within one edge of `a` if `x = a`,
//!   `x = parent(a)` or `parent(x) = a`: four entries in a set of pairs for a recovered
//!   edge and eighteen look-ups for one that asks, whatever the degrees.
//!
//! **Cost.** A question costs the recovered edges in its list that come before one that
//! marks it; docs/benchmarks.md shows how this grows. A recovered edge makes at most
//! `4 log₂ n` entries.
//!
//! **Reference.** Paper 004, Lemmas 3.1 and 3.2 and Algorithms 4 and 5, whose sets of marks
//! at each vertex of a ball are turned round here.

use super::hashed_lists::HashedLists;
use super::skeleton::OffEdge;
use palmette_core::{NONE, Tree};
use palmette_tree::lca::Lca;
use rustc_hash::FxHashSet;

/// What questions about the forest need, beside it.
pub(super) struct Kin<'a> {
    tree: &'a Tree,
    lca: &'a Lca,
    /// By position: where its heavy path begins. Paths are runs of positions.
    heads: Vec<u32>,
    /// A bit a position: whether an off-tree edge hangs from it, down to a descendant.
    hangs: Vec<u64>,
    beta_cap: u32,
}

impl<'a> Kin<'a> {
    /// The tree has its largest subtrees first among siblings.
    pub(super) fn new(
        tree: &'a Tree,
        lca: &'a Lca,
        off: &[OffEdge],
        beta_cap: Option<u32>,
    ) -> Kin<'a> {
        let mut hangs = vec![0u64; tree.len().div_ceil(64)];
        for edge in off.iter().filter(|e| !e.is_crossing()) {
            hangs[edge.p as usize / 64] |= 1 << (edge.p % 64);
        }
        let mut heads: Vec<u32> = (0..tree.len() as u32).collect();
        for (i, &p) in tree.parents().iter().enumerate() {
            if p != NONE && p as usize + 1 == i {
                heads[i] = heads[i - 1];
            }
        }
        Kin { tree, lca, heads, hangs, beta_cap: beta_cap.unwrap_or(u32::MAX).max(1) }
    }

    #[inline]
    fn depth(&self, v: u32) -> u32 {
        self.lca.depth(v)
    }

    #[inline]
    fn parent(&self, v: u32) -> u32 {
        self.tree.parents()[v as usize]
    }

    /// The ancestor of `v` at a depth that is not below it.
    #[inline]
    fn ancestor(&self, mut v: u32, depth: u32) -> u32 {
        loop {
            let head = self.heads[v as usize];
            if self.depth(head) <= depth {
                return v - (self.depth(v) - depth);
            }
            v = self.parent(head);
        }
    }

    pub(super) fn radius(&self, edge: &OffEdge) -> u32 {
        let shallower = self.depth(edge.p).min(self.depth(edge.q));
        (shallower - self.depth(edge.lca)).clamp(1, self.beta_cap)
    }

    /// The positions of a subtree.
    #[inline]
    fn subtree(&self, v: u32) -> std::ops::Range<u32> {
        v..self.tree.end(v)
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

    /// The ancestors of both ends at a depth, as one number.
    #[inline]
    fn pair_at(&self, p: u32, q: u32, depth: u32) -> u64 {
        u64::from(self.ancestor(p, depth)) << 32 | u64::from(self.ancestor(q, depth))
    }

    /// A vertex and the ancestor of `v` that is `down` edges below it, as one number.
    #[inline]
    fn below(&self, vertex: u32, v: u32, down: u32) -> u64 {
        u64::from(vertex) << 32 | u64::from(self.ancestor(v, self.depth(vertex) + down))
    }

    /// The children of the lowest common ancestor on both sides of a crossing edge, as one
    /// number: only edges with equal numbers mark each other. `None` if it is not crossing.
    pub(super) fn pair(&self, edge: &OffEdge) -> Option<u64> {
        edge.is_crossing().then(|| self.pair_at(edge.p, edge.q, self.depth(edge.lca) + 1))
    }
}

/// Depths at which ancestors serve as keys: 1, 2, 3, 4, 6, 8, 12, ….
#[inline]
fn levels(deepest: u32) -> impl Iterator<Item = u32> {
    let next = |&at: &u32| {
        let power = 1 << at.ilog2();
        let next = if at > power { 2 * power } else { at + (at / 2).max(1) };
        Some(next)
    };
    std::iter::successors(Some(1), next).take_while(move |&at| at <= deepest)
}

/// The largest of these depths that is at most half of `depth`, rounded up.
#[inline]
fn level(depth: u32) -> u32 {
    let half = depth.div_ceil(2);
    let power = 1 << half.ilog2();
    if half >= power + power / 2 { power + power / 2 } else { power }
}

/// Recovered crossing edges, and which crossing edges they mark.
#[derive(Debug, Default)]
pub(super) struct Crossings {
    lists: HashedLists<Listed>,
    /// By recovered edge.
    markers: Vec<Marker>,
}

/// An entry of a list: the ends are here so that most comparisons look no further.
#[derive(Debug, Clone, Copy)]
struct Listed {
    p: u32,
    q: u32,
    marker: u32,
}

#[derive(Debug, Clone, Copy)]
struct Marker {
    /// 0 when it was withdrawn.
    radius: u32,
    /// When it was recovered.
    order: u32,
}

impl Crossings {
    pub(super) fn insert(&mut self, kin: &Kin<'_>, edge: &OffEdge, order: u32) {
        let marker = self.markers.len() as u32;
        let base = kin.depth(edge.lca);
        let deepest = kin.depth(edge.p).min(kin.depth(edge.q)) - base;
        let listed = Listed { p: edge.p, q: edge.q, marker };
        for at in levels(deepest) {
            self.lists.insert(kin.pair_at(edge.p, edge.q, base + at), listed);
        }
        self.markers.push(Marker { radius: kin.radius(edge), order });
    }

    /// Whether a recovered crossing edge marks this one.
    pub(super) fn covers(&mut self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        let Crossings { lists, markers } = self;
        let base = kin.depth(edge.lca);
        let (left, right) = (kin.depth(edge.p) - base, kin.depth(edge.q) - base);
        let key = kin.pair_at(edge.p, edge.q, base + level(left.min(right)));
        if !lists.has(key) {
            return false;
        }
        // Whoever marks this edge has its ends below these.
        let left = kin.subtree(kin.ancestor(edge.p, base + left.div_ceil(2)));
        let right = kin.subtree(kin.ancestor(edge.q, base + right.div_ceil(2)));
        lists.find(key, |listed| {
            if !left.contains(&listed.p) || !right.contains(&listed.q) {
                return false;
            }
            let Marker { radius, .. } = markers[listed.marker as usize];
            radius > 0 && kin.near(edge.p, listed.p, radius) && kin.near(edge.q, listed.q, radius)
        })
    }

    /// Forgets those of a pair of children that were recovered at `order` or later.
    pub(super) fn withdraw(&mut self, pair: u64, order: u32) {
        let Crossings { lists, markers } = self;
        // Nothing is found: all are looked at.
        lists.find(pair, |listed| {
            let marker = &mut markers[listed.marker as usize];
            if marker.order >= order {
                marker.radius = 0;
            }
            false
        });
    }
}

/// What edges of different pairs do to each other: all that involves edges between a
/// vertex and an ancestor of it.
#[derive(Debug, Default)]
pub(super) struct Aftereffects {
    /// By lowest common ancestor and ancestor of the end that stays: crossing edges whose
    /// ball reaches the former from the other side.
    hanging: HashedLists<u32>,
    /// The end that stays, and the radius.
    hangers: Vec<(u32, u32)>,
    /// Pairs of ends of recovered non-crossing edges; bit 0 of the index: the first is the
    /// parent of an end, bit 1: the second is.
    pairs: [FxHashSet<u64>; 4],
    /// Positions that occur in `pairs`.
    seen: Vec<bool>,
}

impl Aftereffects {
    /// Notes a recovered edge of either kind.
    pub(super) fn insert(&mut self, kin: &Kin<'_>, edge: &OffEdge) {
        if edge.is_crossing() {
            self.insert_crossing(kin, edge);
        } else {
            self.insert_non_crossing(kin, edge);
        }
    }

    fn insert_crossing(&mut self, kin: &Kin<'_>, edge: &OffEdge) {
        if kin.hangs[edge.lca as usize / 64] >> (edge.lca % 64) & 1 == 0 {
            return;
        }
        let radius = kin.radius(edge);
        let base = kin.depth(edge.lca);
        for (reaches, stays) in [(edge.p, edge.q), (edge.q, edge.p)] {
            if kin.depth(reaches) - base > radius {
                continue;
            }
            let hanger = self.hangers.len() as u32;
            self.hangers.push((stays, radius));
            for at in levels(kin.depth(stays) - base) {
                self.hanging.insert(kin.below(edge.lca, stays, at), hanger);
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
    pub(super) fn covers(&mut self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        self.covers_narrowly(kin, edge)
            || (!edge.is_crossing() && self.covered_by_hanging(kin, edge))
    }

    fn covered_by_hanging(&mut self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
        let base = kin.depth(edge.p);
        let key = kin.below(edge.p, edge.q, level(kin.depth(edge.q) - base));
        let hangers = &self.hangers;
        self.hanging.find(key, |hanger| {
            let (stays, radius) = hangers[hanger as usize];
            kin.near(edge.q, stays, radius)
        })
    }

    /// Whether a recovered non-crossing edge marks this one.
    pub(super) fn covers_narrowly(&self, kin: &Kin<'_>, edge: &OffEdge) -> bool {
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
