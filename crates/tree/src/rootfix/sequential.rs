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
use palmette_core::memory::SharedSlice;
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
    let (parents, values) = (&tree.parents()[..out.len()], &values[..out.len()]);
    for i in 0..out.len() {
        let p = parents[i];
        let own = step(op, scope, values, i, p);
        out[i] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    }
}

/// The sweep over an interval of positions, as one of several threads.
///
/// # Safety
/// Answers at parents before the interval must be there, nobody may write them,
/// and nobody else may use the interval.
#[inline(always)]
pub(super) unsafe fn sweep<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: SharedSlice<'_, M::Elem>,
    range: Range<usize>,
) {
    let parents = &tree.parents()[..range.end];
    let values = &values[..range.end];
    for i in range {
        let p = parents[i];
        let own = step(op, scope, values, i, p);
        // SAFETY: as the caller promises.
        unsafe {
            let answer = if p == NONE { own } else { op.combine(out.get(p as usize), own) };
            out.set(i, answer);
        }
    }
}
