//! **Problem.** Rootfix on several threads, for any monoid and any shape.
//!
//! **Method.** Cut the preorder into blocks. What a block needs from before it are
//! answers at ancestors of its first position, and those are open in their own
//! blocks. So: the product of the chain of open vertices of every block, in
//! parallel; from these the answer above each chain, block after block; the answers
//! along the chains, in parallel. Then every block sweeps its closed vertices alone.
//!
//! Values and answers may be by vertex: see the leaffix.
//!
//! **Cost.** n combinations, and one more for each open vertex; hardly any vertex is
//! open on most shapes, all are on a path.
//!
//! **Determinism.** Blocks have a fixed length: the same answer on any number of
//! threads, also for floats.
//!
//! **Reference.** Ours.
//!
//! **When not to use.** On one thread `sequential` is a little faster.

use super::lanes;
use crate::Scope;
use crate::blocks::{Answers, BLOCK, Blocks, Values};
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
    let chains = parallel::map(count, 4, |block| Chain::new(blocks, block, op, own));
    // The vertex above a chain is open in an earlier block, or there is none.
    let tops: Vec<u32> =
        chains.iter().map(|c| c.runs.last().map_or(NONE, |r| parents[r.start])).collect();
    let parts = parallel::map(count, 4, |block| match tops[block] {
        NONE => op.identity(),
        top => chains[top as usize / BLOCK].product_to(op, top as usize, own),
    });
    let mut above: Vec<M::Elem> = Vec::with_capacity(chains.len());
    for (&top, &part) in tops.iter().zip(&parts) {
        let before = if top == NONE { op.identity() } else { above[top as usize / BLOCK] };
        above.push(op.combine(before, part));
    }
    parallel::for_each(count, 4, |block| {
        let mut answer = above[block];
        for run in chains[block].runs.iter().rev() {
            let scan = |out: &mut [M::Elem]| lanes::scan(op, answer, run.start, own, out);
            // SAFETY: an open vertex belongs to one block.
            answer = unsafe { out.write(run.clone(), answer, scan) };
        }
    });
    parallel::for_each(count, 4, |block| {
        let (range, chain) = (blocks.range(block), &chains[block]);
        let ends = chain.runs.iter().rev().map(|run| run.end);
        let starts = chain.runs.iter().rev().map(|run| run.start);
        let gaps = std::iter::once(range.start).chain(ends).zip(starts.chain([range.end]));
        for (from, to) in gaps {
            // SAFETY: closed vertices belong to their block, and what is above them is
            // closed in the same block and earlier, or open and complete.
            unsafe { sweep(parents, values, op, scope, out, from..to) };
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

/// The open vertices of a block, as runs of consecutive positions, deepest first,
/// and the product of their values from the top down.
struct Chain<E> {
    runs: Vec<Range<usize>>,
    product: E,
}

impl<E: Copy> Chain<E> {
    fn new<M: Monoid<Elem = E>>(
        blocks: Blocks<'_>,
        block: usize,
        op: &M,
        own: impl Fn(usize) -> E,
    ) -> Self {
        let runs: Vec<Range<usize>> = blocks.open_runs(block).collect();
        let mut product = op.identity();
        for run in runs.iter().rev() {
            product = op.combine(product, lanes::product(op, run.clone(), &own));
        }
        Chain { runs, product }
    }

    /// The product from the top of the chain down to one of its vertices.
    fn product_to<M: Monoid<Elem = E>>(&self, op: &M, last: usize, own: impl Fn(usize) -> E) -> E {
        if self.runs.first().is_some_and(|run| run.end == last + 1) {
            return self.product;
        }
        let upto = self.runs.iter().rev().flat_map(|run| run.clone()).take_while(|&i| i <= last);
        upto.fold(op.identity(), |product, i| op.combine(product, own(i)))
    }
}
