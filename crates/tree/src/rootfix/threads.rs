//! **Problem.** Rootfix on several threads, for any monoid and any shape.
//!
//! **Method.** Cut the preorder into blocks. What a block needs from before it are
//! answers at ancestors of its first position, and those are open in their own
//! blocks. So: the chain of open vertices of every block, in parallel, up to an
//! unknown factor in front; that factor, block after block; the factor put in
//! front, in parallel. Then every block sweeps its closed vertices alone.
//!
//! **Cost.** n combinations, and two for each open vertex; hardly any vertex is
//! open on most shapes, all are on a path.
//!
//! **Determinism.** Blocks have a fixed length: the same answer on any number of
//! threads, also for floats.
//!
//! **Reference.** Ours.
//!
//! **When not to use.** On one thread `sequential` is a little faster.

use super::step;
use crate::Scope;
use crate::blocks::{BLOCK, Blocks};
use palmette_core::memory::SharedSlice;
use palmette_core::{Monoid, NONE, Tree};
use rayon::prelude::*;

/// The rootfix by blocks of the preorder. Slices must have the tree's length.
pub fn threads<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let parents = tree.parents();
    let blocks = Blocks::new(tree);
    let own = |i: usize| step(op, scope, values, i, parents[i]);
    let shared = SharedSlice::new(out);
    let chains: Vec<Vec<u32>> = (0..blocks.count())
        .into_par_iter()
        .map(|block| {
            let mut chain: Vec<u32> = blocks.open(block).map(|i| i as u32).collect();
            chain.reverse();
            let mut product = op.identity();
            for &i in &chain {
                product = op.combine(product, own(i as usize));
                // SAFETY: an open vertex belongs to one block.
                unsafe { shared.set(i as usize, product) };
            }
            chain
        })
        .collect();
    // The factor in front of a chain is the answer above it, at a vertex that is
    // open in an earlier block.
    let mut front = vec![op.identity(); chains.len()];
    for (block, chain) in chains.iter().enumerate() {
        if let Some(&first) = chain.first()
            && parents[first as usize] != NONE
        {
            let p = parents[first as usize] as usize;
            // SAFETY: no other thread runs here.
            front[block] = op.combine(front[p / BLOCK], unsafe { shared.get(p) });
        }
    }
    chains.par_iter().zip(&front).filter(|(chain, _)| !chain.is_empty()).for_each(
        |(chain, &front)| {
            if parents[chain[0] as usize] == NONE {
                return;
            }
            for &i in chain {
                // SAFETY: an open vertex belongs to one block.
                unsafe { shared.set(i as usize, op.combine(front, shared.get(i as usize))) };
            }
        },
    );
    chains.par_iter().enumerate().for_each(|(block, chain)| {
        let range = blocks.range(block);
        let mut from = range.start;
        for to in chain.iter().map(|&i| i as usize).chain([range.end]) {
            for i in from..to {
                let p = parents[i];
                // SAFETY: `i` is closed and belongs to this block. Its parent is
                // closed in this block and earlier, or open and complete.
                unsafe {
                    let answer = match p {
                        NONE => own(i),
                        p => op.combine(shared.get(p as usize), own(i)),
                    };
                    shared.set(i, answer);
                }
            }
            from = to + 1;
        }
    });
}
