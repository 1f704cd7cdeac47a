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

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// The leaffix of vertices numbered with parents first, from the parent by vertex. Slices must have
/// one length.
pub(crate) fn parents_first<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let n = out.len();
    let (parents, values) = (&parents[..n], &values[..n]);
    out.fill(op.identity());
    for v in (0..n).rev() {
        // Wraps to a large number below the first; asking for a place out of range does nothing.
        if let Some(&far) = parents.get(v.wrapping_sub(AHEAD)) {
            prefetch(out, far as usize);
        }
        let total = op.combine(values[v], out[v]);
        if scope == Scope::Inclusive {
            out[v] = total;
        }
        if let Some(above) = out.get_mut(parents[v] as usize) {
            *above = op.combine(total, *above);
        }
    }
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
