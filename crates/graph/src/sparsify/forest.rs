//! The spanning forest of largest effective weight.
//!
//! **Problem.** The forest that Kruskal's algorithm builds when it looks at edges by
//! falling effective weight, ties by number; its edges in that order, and the same as a
//! rooted [`Tree`].
//!
//! **Method.** Filter-Kruskal: about as many edges as there are vertices are taken from the
//! top, sorted and looked at; of the rest, those whose ends are linked by now are dropped
//! unsorted, on all threads; and again. Most edges of a dense graph are never sorted.
//!
//! **Cost.** Linear work, but for the sorting of what is looked at; 24 bytes per edge while
//! it runs.
//!
//! **Determinism.** The forest and its order are those of a plain Kruskal.
//!
//! **Reference.** Osipov, Sanders, Singler, *The filter-Kruskal minimum spanning tree
//! algorithm*, 2009.

use super::Edge;
use super::rank::{Ranked, discard, sort_descending, split_top};
use palmette_core::graph::Sets;
use palmette_core::tree::{SiblingOrder, TreeParams};
use palmette_core::{Lists, NONE, Tree};
use rayon::prelude::*;

/// The numbers of the edges of the forest, by falling key. The keys are given up.
pub(super) fn spanning_forest(n: usize, edges: &[Edge], mut left: Vec<Ranked>) -> Vec<u32> {
    let mut parts = Sets::new(n);
    let mut chosen = Vec::with_capacity(n.saturating_sub(1));
    while !left.is_empty() && chosen.len() + 1 < n {
        let mut top = split_top(&mut left, n);
        sort_descending(&mut top);
        for item in &top {
            let Edge { a, b, .. } = edges[item.number as usize];
            if parts.link(a, b) {
                chosen.push(item.number);
            }
        }
        drop(top);
        if !left.is_empty() {
            let part = parts.settled();
            let linked = |item: &Ranked| {
                let Edge { a, b, .. } = edges[item.number as usize];
                part[a as usize] == part[b as usize]
            };
            discard(&mut left, linked);
        }
    }
    chosen
}

/// The forest as a tree with the given roots, the largest subtree first among siblings.
pub(super) fn rooted(n: usize, edges: &[Edge], forest: &[u32], roots: &[u32]) -> Tree {
    let ends = |&number: &u32| (edges[number as usize].a, edges[number as usize].b);
    let parents = parents(n, forest.iter().map(ends), roots);
    let params = TreeParams { forest: true, siblings: SiblingOrder::HeavyFirst };
    Tree::with_params(&parents, params).expect("a breadth-first search makes a forest")
}

/// By vertex, its parent, found by breadth-first search.
pub(super) fn parents(
    n: usize,
    forest: impl Iterator<Item = (u32, u32)> + Clone,
    roots: &[u32],
) -> Vec<u32> {
    let links = Lists::by_key(n, forest.flat_map(|(a, b)| [(a, b), (b, a)]));
    breadth_first(n, |v| links.of(v), roots)
}

/// As [`parents`], by the neighbours of each vertex in the forest.
pub(crate) fn breadth_first<'a>(
    n: usize,
    neighbours: impl Fn(u32) -> &'a [u32],
    roots: &[u32],
) -> Vec<u32> {
    let mut parents = vec![NONE; n];
    let mut queue = Vec::with_capacity(n);
    queue.extend_from_slice(roots);
    let mut next = 0;
    while let Some(&v) = queue.get(next) {
        next += 1;
        let above = parents[v as usize];
        for &u in neighbours(v) {
            if u != above {
                parents[u as usize] = v;
                queue.push(u);
            }
        }
    }
    debug_assert_eq!(queue.len(), n);
    parents
}

/// By edge number, whether it is in the forest.
pub(super) fn membership(edges: usize, forest: &[u32]) -> Vec<bool> {
    let mut inside = vec![false; edges];
    forest.iter().for_each(|&number| inside[number as usize] = true);
    inside
}

/// Makes ranked items of all edges, in the order of their numbers.
pub(super) fn ranked(edges: &[Edge], key: impl Fn(&Edge) -> f64 + Sync) -> Vec<Ranked> {
    let item =
        |(number, edge): (usize, &Edge)| Ranked { key: key(edge).to_bits(), number: number as u32 };
    edges.par_iter().enumerate().with_min_len(1 << 12).map(item).collect()
}
