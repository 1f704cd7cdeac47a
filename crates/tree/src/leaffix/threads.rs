//! **Problem.** Leaffix on several threads, for any monoid and any shape.
//!
//! **Method.** The answer at `i` is the product of an interval of the preorder, so
//! cut the preorder into blocks. First pass, blocks in parallel: the sweep of the
//! sequential engine inside the block. That finishes every closed vertex; an open
//! one has the product up to the block's end. Second pass, blocks in parallel: the
//! open vertices of a block, deepest first, have ends that only grow. One running
//! product over what lies behind the block, extended by whole blocks, whole
//! finished subtrees and single values, completes them all.
//!
//! **Cost.** At most 2n combinations in the first pass, and in the second one for
//! each open vertex plus at most 2n for the running products, since the stretches
//! that different blocks walk nest like parentheses. On most shapes hardly any
//! vertex is open; on a path all are, and the second pass is one addition each.
//!
//! **Determinism.** Blocks have a fixed length: the same answer on any number of
//! threads, also for floats.
//!
//! **Reference.** Ours; the idea that subtree products are interval products of
//! the preorder is folklore.
//!
//! **When not to use.** On one thread `sequential` is a little faster.

use super::with_own;
use crate::Scope;
use crate::blocks::Blocks;
use palmette_core::memory::SharedSlice;
use palmette_core::{Monoid, Tree};
use rayon::prelude::*;

/// The leaffix by blocks of the preorder. Slices must have the tree's length.
pub fn threads<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let blocks = Blocks::new(tree);
    let totals: Vec<M::Elem> = out
        .par_chunks_mut(crate::blocks::BLOCK)
        .enumerate()
        .map(|(block, out)| {
            let start = blocks.range(block).start;
            inside(&tree.parents()[start..], &values[start..], start, op, scope, out)
        })
        .collect();
    let pass = Completion { tree, values, op, scope, totals: &totals, out: SharedSlice::new(out) };
    (0..blocks.count()).into_par_iter().for_each(|block| pass.complete(blocks, block));
}

/// The sweep inside one block; returns the product of the block's values.
fn inside<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    start: usize,
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) -> M::Elem {
    out.fill(op.identity());
    let mut product = op.identity();
    for i in (0..out.len()).rev() {
        let total = op.combine(values[i], out[i]);
        if scope == Scope::Inclusive {
            out[i] = total;
        }
        // Wraps to a large number when the parent is before the block or none.
        let p = (parents[i] as usize).wrapping_sub(start);
        match out.get_mut(p) {
            Some(above) => *above = op.combine(total, *above),
            None => product = op.combine(total, product),
        }
    }
    product
}

struct Completion<'a, M: Monoid> {
    tree: &'a Tree,
    values: &'a [M::Elem],
    op: &'a M,
    scope: Scope,
    totals: &'a [M::Elem],
    out: SharedSlice<'a, M::Elem>,
}

impl<M: Monoid> Completion<'_, M> {
    /// Multiplies what lies behind the block into its open vertices.
    fn complete(&self, blocks: Blocks<'_>, block: usize) {
        let mut behind = self.op.identity();
        let mut reached = blocks.range(block).end;
        for i in blocks.open(block) {
            let end = i + self.tree.sizes()[i] as usize;
            while reached < end {
                let (factor, next) = self.stretch(blocks, reached, end);
                behind = self.op.combine(behind, factor);
                reached = next;
            }
            // SAFETY: `i` is open in this block, and only this task uses it.
            unsafe { self.out.set(i, self.op.combine(self.out.get(i), behind)) };
        }
    }

    /// The longest stretch from `at` on whose product is known: a block, a closed
    /// subtree, or one vertex.
    #[inline]
    fn stretch(&self, blocks: Blocks<'_>, at: usize, end: usize) -> (M::Elem, usize) {
        let block = at / crate::blocks::BLOCK;
        let range = blocks.range(block);
        if at == range.start && range.end <= end {
            return (self.totals[block], range.end);
        }
        let after = at + self.tree.sizes()[at] as usize;
        if after > range.end {
            return (self.values[at], at + 1);
        }
        // SAFETY: `at` is closed in its block; the second pass writes open ones only.
        let product = unsafe { self.out.get(at) };
        let whole = match self.scope {
            Scope::Inclusive => product,
            Scope::Exclusive => with_own(self.op, Scope::Inclusive, self.values[at], product),
        };
        (whole, after)
    }
}
