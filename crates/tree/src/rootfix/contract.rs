//! **Problem.** Rootfix by rake and compress, for any monoid and any shape.
//!
//! **Method.** In the binary form of the [`Contraction`] a first child takes its
//! parent's exclusive answer times the parent's value, and a sibling takes its
//! sibling's. Splicing a vertex out multiplies its factor into the one below.
//! Going through the rounds backwards, each removed vertex multiplies the answer
//! of the vertex above by its factor.
//!
//! **Cost.** At most 3 combinations per vertex, 2 per round as the longest chain.
//!
//! **Determinism.** The association is the plan's, so it depends on its seed.
//!
//! **Reference.** Miller and Reif, 1985.
//!
//! **When not to use.** For speed on a CPU: see `threads`.

use crate::{Contraction, Scope};
use palmette_core::memory::SharedSlice;
use palmette_core::{Monoid, NONE, Tree, parallel};

const GRAIN: usize = 1 << 11;

/// The rootfix by contraction. Slices must have the tree's length, and the plan
/// must be the tree's.
pub fn contract<M: Monoid>(
    plan: &Contraction,
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let parents = tree.parents();
    let factor = |i: usize| match i.checked_sub(1) {
        Some(before) if parents[i] as usize == before => values[before],
        _ => op.identity(),
    };
    // Factors first, answers in the end.
    parallel::for_each_mut(out, GRAIN, |i, f| *f = factor(i));
    let shared = SharedSlice::new(out);
    for round in &plan.rounds {
        // SAFETY: `below` is written by one splice, and it is not `out` of another:
        // the coin of its parent shows heads.
        parallel::for_each(round.splices.len(), GRAIN, |k| unsafe {
            let splice = &round.splices[k];
            let passed = shared.get(splice.out as usize);
            let below = shared.get(splice.below as usize);
            shared.set(splice.below as usize, op.combine(passed, below));
        });
    }
    for round in plan.rounds.iter().rev() {
        // SAFETY: what is above a vertex when it is removed was removed later, or
        // never, so its answer is there; each vertex is removed once.
        let settle = |above: u32, v: u32| unsafe {
            let answer = op.combine(shared.get(above as usize), shared.get(v as usize));
            shared.set(v as usize, answer);
        };
        parallel::for_each(round.splices.len(), GRAIN, |k| {
            let s = &round.splices[k];
            // The vertex below has been answered relative to `above` already.
            settle(s.above, s.out);
        });
        parallel::for_each(round.rakes.len(), GRAIN, |k| {
            let rake = &round.rakes[k];
            [rake.left, rake.right]
                .into_iter()
                .filter(|&v| v != NONE)
                .for_each(|v| settle(rake.parent, v));
        });
    }
    if scope == Scope::Inclusive {
        parallel::for_each_mut(out, GRAIN, |i, x| *x = op.combine(*x, values[i]));
    }
}
