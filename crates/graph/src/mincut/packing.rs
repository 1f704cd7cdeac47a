//! Spanning trees that share the edges of a graph fairly.
//!
//! **Problem.** Spanning trees, one after another, such that no edge is in more of them than its
//! weight deserves.
//!
//! **Method.** Each tree is a minimum spanning tree by `(load + 1) / weight`; the load of an edge
//! is how many trees it is in. Edges stay sorted: only those of the last tree have new keys.
//!
//! **What for.** Let `L` be the largest load divided by weight, over all edges, of `k` trees. A cut
//! of value `c` has edges of total load at most `L c`. If no tree crosses it only once, that is at
//! least `2 k`; if `t` of them do not cross it only twice either, `2 k + t`. So when all cuts that
//! one edge of a tree decides have been looked at, and in `t` of the trees all that two edges
//! decide, then no cut that was not seen is below `(2 k + t) / L`. Nothing about that is random.
//! For many trees `k / L` tends to at least half of the minimum cut, so `t = k` always ends it.
//!
//! **Cost.** O(m) and a sort of n edges per tree.
//!
//! **Determinism.** Ties are broken by an order drawn from the seed.
//!
//! **Reference.** Nash-Williams 1961; Thorup and Karger, *Dynamic graph algorithms with
//! applications*, 2000; Karger, *Minimum cuts in near-linear time*, 2000.

use super::kernel::Kernel;
use palmette_core::graph::Sets;
use palmette_core::random::{Purpose, Random};
use palmette_core::tree::{SiblingOrder, TreeParams};
use palmette_core::{Lists, Tree};

use crate::sparsify::breadth_first;

/// The edges of a kernel.
pub(super) struct Edges {
    pub(super) ends: Vec<(u32, u32)>,
    pub(super) weights: Vec<u64>,
}

impl Edges {
    pub(super) fn of(kernel: &Kernel) -> Edges {
        let m = kernel.edge_count();
        let (mut ends, mut weights) = (Vec::with_capacity(m), Vec::with_capacity(m));
        for (a, b, w) in kernel.edges() {
            ends.push((a, b));
            weights.push(w);
        }
        Edges { ends, weights }
    }
}

pub(super) struct Packing<'a> {
    edges: &'a Edges,
    loads: Vec<u32>,
    /// Numbers of edges by rising key.
    order: Vec<u32>,
    vertices: usize,
    pub(super) trees: usize,
}

impl Packing<'_> {
    pub(super) fn new(edges: &Edges, vertices: usize, seed: u64) -> Packing<'_> {
        let m = edges.ends.len();
        let mut order: Vec<u32> = (0..m as u32).collect();
        Random::new(seed, Purpose::Shuffle).shuffle(&mut order);
        order.sort_by_key(|&e| std::cmp::Reverse(edges.weights[e as usize]));
        Packing { edges, loads: vec![0; m], order, vertices, trees: 0 }
    }

    fn key(&self, edge: u32) -> f64 {
        f64::from(self.loads[edge as usize] + 1) / self.edges.weights[edge as usize] as f64
    }

    /// The next tree, by its edges. The graph is connected.
    pub(super) fn next_tree(&mut self) -> Vec<u32> {
        let mut sets = Sets::new(self.vertices);
        let mut chosen = Vec::with_capacity(self.vertices - 1);
        let mut left = Vec::with_capacity(self.order.len());
        let mut looked = 0;
        for &edge in &self.order {
            if chosen.len() + 1 == self.vertices {
                break;
            }
            looked += 1;
            let (a, b) = self.edges.ends[edge as usize];
            if sets.link(a, b) {
                self.loads[edge as usize] += 1;
                chosen.push(edge);
            } else {
                left.push(edge);
            }
        }
        left.extend_from_slice(&self.order[looked..]);
        let key = |packing: &Packing<'_>, edge: u32| packing.key(edge).to_bits();
        let mut moved: Vec<(u64, u32)> = chosen.iter().map(|&e| (key(self, e), e)).collect();
        moved.sort_by_key(|item| item.0);
        let mut into = 0;
        let mut next = 0;
        for (moved_key, edge) in moved {
            while next < left.len() && key(self, left[next]) <= moved_key {
                self.order[into] = left[next];
                (into, next) = (into + 1, next + 1);
            }
            self.order[into] = edge;
            into += 1;
        }
        self.order[into..].copy_from_slice(&left[next..]);
        self.trees += 1;
        chosen
    }

    /// How much `2 k + t` must be for all cuts below `bound` to have been seen.
    pub(super) fn needed(&self, bound: u64) -> u64 {
        let pairs = self.loads.iter().zip(&self.edges.weights);
        let most =
            pairs.map(|(&load, &w)| u128::from(load) * u128::from(bound - 1) / u128::from(w));
        most.max().map_or(0, |most| u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1))
    }
}

/// The tree of these edges, its root vertex 0, heavy children first.
pub(super) fn rooted(n: usize, edges: &Edges, tree: &[u32]) -> Tree {
    let both =
        tree.iter().map(|&edge| edges.ends[edge as usize]).flat_map(|(a, b)| [(a, b), (b, a)]);
    let links = Lists::by_key(n, both);
    let parents = breadth_first(n, |v| links.of(v), &[0]);
    let params = TreeParams { siblings: SiblingOrder::HeavyFirst, ..Default::default() };
    Tree::with_params(&parents, params).expect("a spanning tree")
}
