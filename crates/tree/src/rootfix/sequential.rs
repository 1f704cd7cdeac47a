//! **Problem.** Rootfix on one thread.
//!
//! **Method.** Positions from first to last: the parent's answer is there already.
//!
//! **Cost.** n steps, streaming: in preorder a parent is near its child.
//!
//! **Determinism.** One association, from the root down.
//!
//! **When not to use.** With several threads and more than about 10^5 vertices; or
//! for operators that take several cycles, on deep trees: each step then waits for
//! the one before.

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
    let (parents, values) = (&tree.parents()[..out.len()], &values[..out.len()]);
    for i in 0..out.len() {
        let p = parents[i];
        let own = step(op, scope, values, i, p);
        out[i] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    }
}
