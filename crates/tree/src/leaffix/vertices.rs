//! **Problem.** Leaffix on one thread, with values and answers in the order of the user's vertices.
//!
//! **Method.** As [`sequential`](super::sequential): when a vertex is reached, its children have been
//! multiplied into its place, the last child first. If vertices are numbered with parents first,
//! vertices from last to first are such an order, and no position is looked up. Otherwise the sweep
//! goes by position and reads and writes at the vertex there, whose cache lines are asked for ahead.
//!
//! **Cost.** With parents first, a random cache line per vertex; otherwise two. Both are fewer than
//! moving values to positions and answers back.
//!
//! **Determinism.** The association of `sequential`: the same answers, also for floats.
//!
//! **When not to use.** If vertices are numbered in preorder: `sequential` needs no random access.

use crate::Scope;
use palmette_core::memory::prefetch;
use palmette_core::{Monoid, Tree};
use std::ops::Range;

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// Below so many vertices answers are in a cache.
const IN_CACHE: usize = 1 << 16;

/// The leaffix of a range of vertices numbered with parents first, from the parent by vertex. `out`
/// holds the identity, and what vertices after the range put there. Slices must have one length.
pub(crate) fn parents_first<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    range: Range<usize>,
    out: &mut [M::Elem],
) {
    let n = out.len();
    let (parents, values) = (&parents[..n], &values[..n]);
    let step = |out: &mut [M::Elem], v: usize| {
        let total = op.combine(values[v], out[v]);
        if scope == Scope::Inclusive {
            out[v] = total;
        }
        let p = parents[v] as usize;
        // One comparison serves as the check of bounds, too: parents come before.
        if p < v {
            out[p] = op.combine(total, out[p]);
        }
    };
    // What fits a cache needs not be asked for.
    let end = range.end.min(n);
    let last = if n < IN_CACHE { end } else { AHEAD.clamp(range.start, end) };
    for v in (last..end).rev() {
        prefetch(out, parents[v - AHEAD] as usize);
        step(out, v);
    }
    (range.start..last).rev().for_each(|v| step(out, v));
}

/// The leaffix of vertices numbered in any way. Slices must have the tree's length.
pub(crate) fn placed<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let n = out.len();
    let (at, parents, values) = (&tree.vertices()[..n], &tree.parents()[..n], &values[..n]);
    out.fill(op.identity());
    for i in (0..n).rev() {
        if let Some(&far) = at.get(i.wrapping_sub(AHEAD)) {
            prefetch(values, far as usize);
            prefetch(out, far as usize);
        }
        let v = at[i] as usize;
        let total = op.combine(values[v], out[v]);
        if scope == Scope::Inclusive {
            out[v] = total;
        }
        if let Some(&above) = at.get(parents[i] as usize) {
            let above = &mut out[above as usize];
            *above = op.combine(total, *above);
        }
    }
}
