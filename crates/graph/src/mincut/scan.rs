//! Edges that no better cut has, by one scan over all vertices.
//!
//! **Problem.** A bound on the minimum cut; sets of vertices that no cut below the bound separates,
//! and lighter cuts that are met on the way.
//!
//! **Method.** Maximum adjacency order, with sums capped at the bound: next comes a vertex with the
//! most weight `r` to those before. The edge that takes `r` of its far end to the bound or beyond
//! joins vertices that as many disjoint ways connect. The vertices so far are one side of a cut,
//! whose value is kept up to date.
//!
//! **Cost.** O(m) with buckets for bounds up to [`BUCKETS`]; a heap, hence O(m log n), above. At
//! least one edge is found in a connected graph.
//!
//! **Reference.** Nagamochi, Ono, Ibaraki, *Implementing an efficient minimum capacity cut
//! algorithm*, 1994; Henzinger, Noe, Schulz, *Shared-memory exact minimum cuts*, 2019 (the cap).

use super::kernel::Kernel;
use super::rules::Keep;
use palmette_core::graph::Sets;
use std::collections::BinaryHeap;

/// The largest bound for which there are buckets.
const BUCKETS: u64 = 1 << 12;

/// A scan's better cut: its value, and the vertices on one side.
pub(super) type Prefix = (u64, Vec<u32>);

/// Unites vertices. If one cut is enough, also the lightest that is met below the bound, which is
/// the bound from then on.
pub(super) fn unite(
    kernel: &Kernel,
    bound: u64,
    keep: Keep,
    start: u32,
    sets: &mut Sets,
) -> Option<Prefix> {
    if bound <= BUCKETS {
        walk(kernel, bound, keep, start, sets, Buckets::new(bound))
    } else {
        walk(kernel, bound, keep, start, sets, BinaryHeap::new())
    }
}

trait Queue {
    fn insert(&mut self, key: u64, vertex: u32);
    fn take(&mut self) -> Option<u32>;
}

impl Queue for BinaryHeap<(u64, u32)> {
    fn insert(&mut self, key: u64, vertex: u32) {
        self.push((key, vertex));
    }

    fn take(&mut self) -> Option<u32> {
        self.pop().map(|(_, vertex)| vertex)
    }
}

/// One stack for each key. Vertices stay behind under their old keys; who takes them sees that
/// they have been taken.
struct Buckets {
    stacks: Vec<Vec<u32>>,
    top: usize,
}

impl Buckets {
    fn new(bound: u64) -> Buckets {
        Buckets { stacks: vec![Vec::new(); bound as usize + 1], top: 0 }
    }
}

impl Queue for Buckets {
    #[inline]
    fn insert(&mut self, key: u64, vertex: u32) {
        self.stacks[key as usize].push(vertex);
        self.top = self.top.max(key as usize);
    }

    #[inline]
    fn take(&mut self) -> Option<u32> {
        loop {
            if let Some(vertex) = self.stacks[self.top].pop() {
                return Some(vertex);
            }
            self.top = self.top.checked_sub(1)?;
        }
    }
}

fn walk<Q: Queue>(
    kernel: &Kernel,
    bound: u64,
    keep: Keep,
    start: u32,
    sets: &mut Sets,
    mut queue: Q,
) -> Option<Prefix> {
    let n = kernel.len();
    let cap = bound;
    let mut bound = bound;
    // By vertex, its weight to those before.
    let mut joined = vec![0u64; n];
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut best = None;
    let mut cut = 0u64;
    queue.insert(0, start);
    while let Some(v) = queue.take() {
        if seen[v as usize] {
            continue;
        }
        seen[v as usize] = true;
        order.push(v);
        // Never below 0: all of `joined` is in the cut, and all edges of `v` are in its degree.
        cut = cut + kernel.degrees()[v as usize] - 2 * joined[v as usize];
        if keep == Keep::One && cut < bound && order.len() < n {
            bound = cut;
            best = Some((cut, order.len()));
        }
        for (u, w) in kernel.row(v) {
            if seen[u as usize] {
                continue;
            }
            let before = joined[u as usize];
            joined[u as usize] = before + w;
            if before < bound && before + w >= bound {
                sets.link(u, v);
            }
            if before < cap {
                queue.insert((before + w).min(cap), u);
            }
        }
    }
    best.map(|(value, count)| {
        order.truncate(count);
        (value, order)
    })
}
