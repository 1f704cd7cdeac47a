//! The feGRASS rule: recovered edges spread over the graph, for preconditioning.
//!
//! **Problem.** Recover a given number of off-tree edges, critical ones first, without
//! taking many in one place.
//!
//! **Method.** Every vertex counts marks. An edge is recovered if the marks of both ends are
//! below a limit, which starts at 1; then the marks of both ends rise, and those of their
//! neighbours in the forest and the edges recovered so far. A neighbourhood ends at 0.6
//! times the number of vertices divided by the number of edges to recover. When all edges
//! were looked at, the limit rises by one and those left are looked at again; by more than
//! one after a pass that recovered next to nothing, so that a hub, whose marks rise with
//! every edge, does not take a pass per edge.
//!
//! **Cost.** Linear for each pass; a few passes. One thread.
//!
//! **Reference.** Liu, Yu, Feng, *feGRASS: fast and effective graph spectral sparsification
//! for scalable power grid analysis*, 2022.

use super::Recovery;
use super::skeleton::{OffEdge, Skeleton};
use palmette_core::{NONE, Tree};

/// Marks by position, and the sparsifier's edges as they come.
struct Marks<'a> {
    tree: &'a Tree,
    count: Vec<u32>,
    /// By position: the newest recovered edge there, in `links`.
    newest: Vec<u32>,
    /// The other end, and the recovered edge before it.
    links: Vec<(u32, u32)>,
    /// The most vertices of a neighbourhood.
    most: usize,
}

pub(super) fn recover(skeleton: &mut Skeleton, budget: usize) -> Recovery {
    let n = skeleton.tree.len();
    let candidates = &mut skeleton.candidates;
    let mut recovery = Recovery::new(budget);
    let most = (0.6 * n as f64 / budget.max(1) as f64).floor().max(1.0) as usize;
    let mut marks = Marks {
        tree: &skeleton.tree,
        count: vec![0; n],
        newest: vec![NONE; n],
        links: Vec::with_capacity(2 * budget),
        most,
    };
    let mut limit = 1;
    let mut passed = Vec::new();
    // The first pass, for which edges are sorted as they are needed.
    while !recovery.is_complete() {
        let batch = candidates.next(recovery.batch());
        if batch.is_empty() {
            break;
        }
        marks.pass(&candidates.off, &batch, limit, &mut recovery, &mut passed);
    }
    let mut step = 1;
    while !recovery.is_complete() && !passed.is_empty() {
        limit += step;
        let before = recovery.edges.len();
        let asking = std::mem::take(&mut passed);
        marks.pass(&candidates.off, &asking, limit, &mut recovery, &mut passed);
        let few = (recovery.edges.len() - before) * 64 < asking.len();
        step = if few { 2 * step } else { 1 };
    }
    recovery
}

impl Marks<'_> {
    /// Looks at edges in order; those that were not recovered go to `passed`.
    fn pass(
        &mut self,
        off: &[OffEdge],
        asking: &[u32],
        limit: u32,
        recovery: &mut Recovery,
        passed: &mut Vec<u32>,
    ) {
        for &index in asking {
            let edge = off[index as usize];
            if self.count[edge.p as usize] >= limit || self.count[edge.q as usize] >= limit {
                passed.push(index);
                continue;
            }
            self.mark_around(edge.p);
            self.mark_around(edge.q);
            for (at, other) in [(edge.p, edge.q), (edge.q, edge.p)] {
                let newest = &mut self.newest[at as usize];
                self.links.push((other, std::mem::replace(newest, self.links.len() as u32)));
            }
            if recovery.take(&edge) {
                return;
            }
        }
    }

    fn mark_around(&mut self, centre: u32) {
        let mut left = self.most;
        let count = &mut self.count;
        let mut mark = |v: u32| {
            count[v as usize] += 1;
            left -= 1;
            left > 0
        };
        if !mark(centre) {
            return;
        }
        let parent = self.tree.parents()[centre as usize];
        if parent != NONE && !mark(parent) {
            return;
        }
        for child in self.tree.children(centre) {
            if !mark(child) {
                return;
            }
        }
        let mut link = self.newest[centre as usize];
        while link != NONE {
            let (other, next) = self.links[link as usize];
            if !mark(other) {
                return;
            }
            link = next;
        }
    }
}
