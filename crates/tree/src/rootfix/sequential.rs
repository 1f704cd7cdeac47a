//! **Problem.** Rootfix on one thread.
//!
//! **Method.** Positions from first to last: the parent's answer is there already.
//!
//! **Cost.** n steps, streaming: in preorder a parent is near its child.
//!
//! **Determinism.** One association, from the root down.
//!
//! **When not to use.** With several threads and more than about 10^5 vertices.

use super::step;
use crate::Scope;
use palmette_core::{Monoid, NONE, Tree};

/// The rootfix by one sweep. Slices must have the tree's length.
pub fn sequential<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    for (i, &p) in tree.parents().iter().enumerate() {
        let own = step(op, scope, values, i, p);
        out[i] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    }
}
