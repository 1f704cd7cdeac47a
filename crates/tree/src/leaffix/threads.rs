//! **Problem.** Leaffix on several threads, for any monoid and any shape.
//!
//! **Method.** The answer at `i` is the product of an interval of the preorder, so
//! cut the preorder into blocks. First pass, blocks in parallel: the sweep of the
//! sequential engine inside the block. That finishes every closed vertex; an open
//! one has the product up to the block's end. Each task sweeps four blocks in turn,
//! a step in each: on deep trees a step waits for the step before, and four chains
//! wait at the same time. Second pass, blocks in parallel: the
//! open vertices of a block, deepest first, have ends that only grow. One running
//! product over what lies behind the block, extended by whole blocks, whole
//! finished subtrees and single values, completes them all.
//!
//! Values and answers may be by vertex: a task then gathers the values of its blocks before it
//! sweeps them, and scatters what the sweep found.
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

use super::sequential::sweep;
use super::with_own;
use crate::Scope;
use crate::blocks::{Answers, BLOCK, Blocks, Spare, Values};
use palmette_core::memory::SharedSlice;
use palmette_core::{Monoid, Tree, parallel};
use std::ops::Range;

/// Blocks that a task sweeps at the same time.
const LANES: usize = 4;

/// Open vertices that are completed at once where that is possible.
const STRETCH: usize = 64;

/// The leaffix by blocks of the preorder. Slices must have the tree's length.
pub fn threads<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    Pass::run(tree, None, values, op, scope, out);
}

/// The same with values and `out` by vertex.
pub(crate) fn threads_by_vertex<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    Pass::run(tree, Some(tree.vertices()), values, op, scope, out);
}

struct Pass<'a, M: Monoid> {
    tree: &'a Tree,
    values: Values<'a, M::Elem>,
    op: &'a M,
    scope: Scope,
    blocks: Blocks<'a>,
    /// The product of each block; written by its sweep, read by completions.
    totals: SharedSlice<'a, M::Elem>,
    out: Answers<'a, M::Elem>,
    spare: Spare<M::Elem>,
}

impl<M: Monoid> Pass<'_, M> {
    fn run(
        tree: &Tree,
        at: Option<&[u32]>,
        values: &[M::Elem],
        op: &M,
        scope: Scope,
        out: &mut [M::Elem],
    ) {
        let blocks = Blocks::new(tree);
        let mut totals = vec![op.identity(); blocks.count()];
        let totals = SharedSlice::new(&mut totals);
        let (values, out) = (Values { values, at }, Answers { answers: SharedSlice::new(out), at });
        let spare = Spare::new();
        let pass = Pass { tree, values, op, scope, blocks, totals, out, spare };
        let groups = blocks.count().div_ceil(LANES);
        // The last share of the preorder has nothing unfinished behind it: one thread
        // takes it from its end, and completes blocks while they are in its cache.
        let split = groups - groups.div_ceil(rayon::current_num_threads());
        let members = |group: usize| group * LANES..((group + 1) * LANES).min(blocks.count());
        parallel::both(&|| parallel::for_each(split, 1, |group| pass.sweep(group)), &|| {
            for group in (split..groups).rev() {
                pass.sweep(group);
                members(group).rev().for_each(|block| pass.complete(block));
            }
        });
        parallel::for_each(split, 1, |group| members(group).for_each(|block| pass.complete(block)));
    }

    /// The first pass over a group of [`LANES`] blocks; the last may have fewer.
    fn sweep(&self, group: usize) {
        let start = group * LANES * BLOCK;
        let end = (start + LANES * BLOCK).min(self.tree.len());
        let parents = &self.tree.parents()[start..end];
        let first = group * LANES;
        let note = |k: usize, product| {
            // SAFETY: a group is swept by one task, before any of its blocks is completed
            // or read by a completion.
            unsafe { self.totals.set(first + k, product) };
        };
        let (op, scope) = (self.op, self.scope);
        self.values.read(start..end, &self.spare, |values| {
            let sweep = |out: &mut [M::Elem]| {
                if let (Ok(parents), Ok(values), Ok(out)) = (
                    parents.try_into(),
                    values.try_into(),
                    <&mut [M::Elem; LANES * BLOCK]>::try_from(&mut *out),
                ) {
                    let products = side_by_side(parents, values, start, op, scope, out);
                    products.into_iter().enumerate().for_each(|(k, product)| note(k, product));
                    return;
                }
                for (k, out) in out.chunks_mut(BLOCK).enumerate() {
                    let from = k * BLOCK;
                    note(k, sweep(&parents[from..], &values[from..], start + from, op, scope, out));
                }
            };
            // SAFETY: as above.
            unsafe { self.out.write(start..end, op.identity(), &self.spare, sweep) };
        });
    }

    /// Multiplies what lies behind the block into its open vertices.
    fn complete(&self, block: usize) {
        // Copies of what `self` refers to: the compiler cannot know that the writes
        // below leave them alone.
        let (op, sizes, out, blocks) = (self.op, self.tree.sizes(), self.out, self.blocks);
        // The product over what lies behind the block, up to `reached`; `limit` is the
        // end of the block in which that is.
        let mut behind = op.identity();
        let mut reached = blocks.range(block).end;
        let mut limit = reached;
        for Range { start, end } in blocks.open_runs(block) {
            let mut left = end;
            while left > start {
                // Ends only grow upwards: when the topmost of a stretch ends where the
                // running product does, so do all below it.
                let from = left.saturating_sub(STRETCH).max(start);
                if from + sizes[from] as usize <= reached {
                    for i in from..left {
                        // SAFETY: these are open in this block, and only this task uses them.
                        unsafe { out.set(i, op.combine(out.get(i), behind)) };
                    }
                    left = from;
                    continue;
                }
                left -= 1;
                let end = left + sizes[left] as usize;
                while reached < end {
                    if reached == limit {
                        // At the beginning of a block; perhaps all of it can be taken.
                        let block = reached / BLOCK;
                        limit = blocks.range(block).end;
                        if limit <= end {
                            // SAFETY: all blocks behind have been swept.
                            behind = op.combine(behind, unsafe { self.totals.get(block) });
                            reached = limit;
                            continue;
                        }
                    }
                    let after = reached + sizes[reached] as usize;
                    if after <= limit {
                        behind = op.combine(behind, self.closed(reached));
                        reached = after;
                    } else {
                        behind = op.combine(behind, self.values.get(reached));
                        reached += 1;
                    }
                }
                // SAFETY: as above.
                unsafe { out.set(left, op.combine(out.get(left), behind)) };
            }
        }
    }

    /// The product of a subtree that lies inside its block.
    #[inline(always)]
    fn closed(&self, i: usize) -> M::Elem {
        // SAFETY: `i` is closed in a block that has been swept; completions write open
        // vertices only.
        let product = unsafe { self.out.get(i) };
        match self.scope {
            Scope::Inclusive => product,
            Scope::Exclusive => with_own(self.op, Scope::Inclusive, self.values.get(i), product),
        }
    }
}

/// The sweeps of [`LANES`] blocks, a step in each in turn. Arrays of known length
/// let the blocks share their base addresses and need no bounds checks.
fn side_by_side<M: Monoid>(
    parents: &[u32; LANES * BLOCK],
    values: &[M::Elem; LANES * BLOCK],
    start: usize,
    op: &M,
    scope: Scope,
    out: &mut [M::Elem; LANES * BLOCK],
) -> [M::Elem; LANES] {
    out.fill(op.identity());
    let mut products = [op.identity(); LANES];
    for i in (0..BLOCK).rev() {
        for (lane, product) in products.iter_mut().enumerate() {
            let at = lane * BLOCK + i;
            let total = op.combine(values[at], out[at]);
            if scope == Scope::Inclusive {
                out[at] = total;
            }
            let p = (parents[at] as usize).wrapping_sub(start);
            if p.wrapping_sub(lane * BLOCK) < BLOCK {
                out[p] = op.combine(total, out[p]);
            } else {
                *product = op.combine(total, *product);
            }
        }
    }
    products
}
