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
use palmette_core::memory::prefetch;
use palmette_core::{Monoid, NONE, Tree};
use std::ops::Range;

/// The rootfix by one sweep. Slices must have the tree's length.
pub fn sequential<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    match scope {
        // In preorder a parent is near.
        Scope::Inclusive => down::<M, 0>(tree.parents(), values, op, 0..out.len(), out),
        Scope::Exclusive => exclusive(tree.parents(), values, op, 0..out.len(), out),
    }
}

/// The inclusive rootfix of a range, where every parent comes before its children and answers
/// before the range are there. Answers at parents are asked for `AHEAD` vertices before they are
/// needed. Slices must have one length.
pub(super) fn down<M: Monoid, const AHEAD: usize>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    range: Range<usize>,
    out: &mut [M::Elem],
) {
    let n = out.len();
    let (parents, values) = (&parents[..n], &values[..n]);
    let step = |out: &mut [M::Elem], v: usize| {
        let p = parents[v] as usize;
        // One comparison serves as the check of bounds, too: parents come before.
        out[v] = if p < v { op.combine(out[p], values[v]) } else { values[v] };
    };
    // The compiler sees that everything up to `end` is inside.
    let end = range.end.min(n);
    let ahead = n.saturating_sub(AHEAD).min(end);
    for v in range.start..ahead {
        if AHEAD > 0 {
            prefetch(out, parents[v + AHEAD] as usize);
        }
        step(out, v);
    }
    (ahead.max(range.start)..end).for_each(|v| step(out, v));
}

/// The exclusive rootfix of a range, else as [`down`].
pub(super) fn exclusive<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    range: Range<usize>,
    out: &mut [M::Elem],
) {
    for v in range {
        let p = parents[v];
        let own = step(op, Scope::Exclusive, values, v, p);
        out[v] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    }
}
