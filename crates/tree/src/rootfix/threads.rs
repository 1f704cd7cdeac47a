//! **Problem.** Rootfix on several threads, for any monoid and any shape.
//!
//! **Method.** Cut the preorder into blocks. What a block needs from before it are
//! answers at ancestors of its first position, and those are open in their own
//! blocks. On most shapes these are few, and answered first, one after another. Where they
//! are many: the product of the chain of open vertices of every block, in
//! parallel; from these the answer above each chain, block after block; the answers
//! along the chains, in parallel. Then every block sweeps its closed vertices alone.
//!
//! Values and answers may be by vertex: see the leaffix.
//!
//! **Cost.** n combinations, and one more for each open vertex; hardly any vertex is
//! open on most shapes, all are on a path.
//!
//! **Determinism.** Blocks have a fixed length: the same answer on any number of
//! threads, also for floats. Where few vertices are open it is the sequential engine's.
//!
//! **Reference.** Ours.
//!
//! **When not to use.** On one thread `sequential` is a little faster.

use super::lanes;
use crate::Scope;
use crate::blocks::{Answers, BLOCK, Blocks, Grain, Spare, Values};
use palmette_core::memory::SharedSlice;
use palmette_core::{Monoid, NONE, Tree, parallel};
use std::ops::Range;

/// The rootfix by blocks of the preorder. Slices must have the tree's length.
pub fn threads<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    pass(tree, None, values, op, scope, out);
}

/// The same with values and `out` by vertex.
pub(crate) fn threads_by_vertex<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    pass(tree, Some(tree.vertices()), values, op, scope, out);
}

fn pass<M: Monoid>(
    tree: &Tree,
    at: Option<&[u32]>,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let (values, out) = (Values { values, at }, Answers { answers: SharedSlice::new(out), at });
    let parents = tree.parents();
    let blocks = Blocks::new(tree);
    let own = |i: usize| own(op, scope, values, i, parents[i]);
    let count = blocks.count();
    let runs: Vec<Vec<Range<usize>>> =
        parallel::map(count, 4, |block| blocks.open_runs(block).collect());
    if blocks.grain() == Grain::Fine {
        // They are few: one after another, in the association of the sequential engine.
        for run in runs.iter().flat_map(|runs| runs.iter().rev()) {
            // SAFETY: nothing else runs; what is above an open vertex is open, and earlier.
            unsafe { sweep(parents, values, op, scope, out, run.clone()) };
        }
    } else {
        chains(blocks, &runs, op, own, out);
    }
    parallel::for_each(count, 4, |block| {
        let (range, runs) = (blocks.range(block), &runs[block]);
        let ends = runs.iter().rev().map(|run| run.end);
        let starts = runs.iter().rev().map(|run| run.start);
        let gaps = std::iter::once(range.start).chain(ends).zip(starts.chain([range.end]));
        for (from, to) in gaps {
            // SAFETY: closed vertices belong to their block, and what is above them is
            // closed in the same block and earlier, or open and complete.
            unsafe { sweep(parents, values, op, scope, out, from..to) };
        }
    });
}

/// The answers at open vertices, where these are many.
fn chains<M: Monoid>(
    blocks: Blocks<'_>,
    runs: &[Vec<Range<usize>>],
    op: &M,
    own: impl Fn(usize) -> M::Elem + Sync + Copy,
    out: Answers<'_, M::Elem>,
) {
    let (count, parents) = (blocks.count(), blocks.parents());
    let products = parallel::map(count, 4, |block| {
        let top_down = runs[block].iter().rev();
        top_down.fold(op.identity(), |product, run| {
            op.combine(product, lanes::product(op, run.clone(), own))
        })
    });
    // The vertex above a chain is open in an earlier block, or there is none.
    let tops: Vec<u32> =
        runs.iter().map(|runs| runs.last().map_or(NONE, |run| parents[run.start])).collect();
    // The product from the top of the chain of that block down to that vertex.
    let parts = parallel::map(count, 4, |block| match tops[block] {
        NONE => op.identity(),
        top => {
            let (block, top) = (top as usize / BLOCK, top as usize);
            if runs[block].first().is_some_and(|run| run.end == top + 1) {
                return products[block];
            }
            let chain = runs[block].iter().rev().flat_map(|run| run.clone());
            let upto = chain.take_while(|&i| i <= top);
            upto.fold(op.identity(), |product, i| op.combine(product, own(i)))
        }
    });
    let mut above: Vec<M::Elem> = Vec::with_capacity(count);
    for (&top, &part) in tops.iter().zip(&parts) {
        let before = if top == NONE { op.identity() } else { above[top as usize / BLOCK] };
        above.push(op.combine(before, part));
    }
    let spare = Spare::new();
    parallel::for_each(count, 4, |block| {
        let mut answer = above[block];
        for run in runs[block].iter().rev() {
            let scan = |out: &mut [M::Elem]| lanes::scan(op, answer, run.start, own, out);
            // SAFETY: an open vertex belongs to one block.
            answer = unsafe { out.write(run.clone(), answer, &spare, scan) };
        }
    });
}

/// As [`step`](super::step).
#[inline(always)]
fn own<M: Monoid>(
    op: &M,
    scope: Scope,
    values: Values<'_, M::Elem>,
    i: usize,
    parent: u32,
) -> M::Elem {
    match scope {
        Scope::Inclusive => values.get(i),
        Scope::Exclusive if parent == NONE => op.identity(),
        Scope::Exclusive => values.get(parent as usize),
    }
}

/// The sweep over an interval of positions, as one of several threads.
///
/// # Safety
/// Answers at parents before the interval must be there, nobody may write them,
/// and nobody else may use the interval.
#[inline(always)]
unsafe fn sweep<M: Monoid>(
    parents: &[u32],
    values: Values<'_, M::Elem>,
    op: &M,
    scope: Scope,
    out: Answers<'_, M::Elem>,
    range: Range<usize>,
) {
    for i in range {
        let p = parents[i];
        let own = own(op, scope, values, i, p);
        // SAFETY: as the caller promises.
        unsafe {
            let answer = if p == NONE { own } else { op.combine(out.get(p as usize), own) };
            out.set(i, answer);
        }
    }
}
