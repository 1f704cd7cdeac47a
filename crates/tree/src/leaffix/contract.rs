//! **Problem.** Leaffix by rake and compress, for any monoid and any shape.
//!
//! **Method.** In the binary form of the [`Contraction`], the product from a vertex
//! to its last later sibling is `U = first ⊕ U(left) ⊕ U(right) ⊕ last`, with `first` its
//! value and `last` the identity. Raking the left child appends its `U` to `first`,
//! raking the right one puts it before `last`; splicing moves both of the vertex
//! that goes to the vertex above. Going through the rounds backwards, each spliced
//! vertex gets its `U` from what was below it.
//!
//! **Cost.** At most 6 combinations per vertex, 4 per round on the longest chain.
//!
//! **Determinism.** The association is the plan's, so it depends on its seed.
//!
//! **Reference.** Miller and Reif, 1985; contexts with two sides because the
//! operator need not be commutative.
//!
//! **When not to use.** For speed on a CPU: see `threads`.

use super::with_own;
use crate::{Contraction, Scope};
use palmette_core::memory::{SharedSlice, huge_vec};
use palmette_core::{Monoid, NONE, Tree, parallel};

const GRAIN: usize = 1 << 11;

#[derive(Clone, Copy)]
struct Context<E> {
    first: E,
    last: E,
}

/// The leaffix by contraction. Slices must have the tree's length, and the plan
/// must be the tree's.
pub fn contract<M: Monoid>(
    plan: &Contraction,
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let n = tree.len();
    let unit = op.identity();
    let mut contexts = parallel::map(n, GRAIN, |i| Context { first: values[i], last: unit });
    let shared = SharedSlice::new(&mut contexts);
    for round in &plan.rounds {
        // SAFETY: a rake writes its own parent, and reads leaves, which no rake of this
        // round writes.
        parallel::for_each(round.rakes.len(), GRAIN, |k| unsafe {
            let rake = &round.rakes[k];
            let mut own = shared.get(rake.parent as usize);
            let whole = |leaf: u32| {
                let c = shared.get(leaf as usize);
                op.combine(c.first, c.last)
            };
            if rake.left != NONE {
                own.first = op.combine(own.first, whole(rake.left));
            }
            if rake.right != NONE {
                own.last = op.combine(whole(rake.right), own.last);
            }
            shared.set(rake.parent as usize, own);
        });
        // SAFETY: a splice writes `above` and reads `out`, which no splice of this round
        // writes.
        parallel::for_each(round.splices.len(), GRAIN, |k| unsafe {
            let splice = &round.splices[k];
            let (above, out) = (shared.get(splice.above as usize), shared.get(splice.out as usize));
            let first = op.combine(above.first, out.first);
            let last = op.combine(out.last, above.last);
            shared.set(splice.above as usize, Context { first, last });
        });
    }
    let mut reach = huge_vec(n, unit);
    let reach_of = SharedSlice::new(&mut reach);
    let contexts = &contexts;
    let closed = |v: u32| {
        let c = contexts[v as usize];
        op.combine(c.first, c.last)
    };
    if n > 0 {
        // SAFETY: no other thread runs here. The root is what is left at the end.
        unsafe { reach_of.set(0, closed(0)) };
    }
    for round in plan.rounds.iter().rev() {
        // SAFETY: each vertex is removed once; `below` was removed later, or never.
        parallel::for_each(round.splices.len(), GRAIN, |k| unsafe {
            let splice = &round.splices[k];
            let c = contexts[splice.out as usize];
            let below = op.combine(c.first, reach_of.get(splice.below as usize));
            reach_of.set(splice.out as usize, op.combine(below, c.last));
        });
        // SAFETY: as above.
        parallel::for_each(round.rakes.len(), GRAIN, |k| unsafe {
            let rake = &round.rakes[k];
            for leaf in [rake.left, rake.right] {
                if leaf != NONE {
                    reach_of.set(leaf as usize, closed(leaf));
                }
            }
        });
    }
    let answer = |i: usize, out: &mut M::Elem| {
        let below = if tree.is_leaf(i as u32) { unit } else { reach[i + 1] };
        *out = with_own(op, scope, values[i], below);
    };
    parallel::for_each_mut(out, GRAIN, answer);
}
