//! **Problem.** Rootfix on one thread, with values and answers in the order of the user's vertices.
//!
//! **Method.** As [`sequential`](super::sequential): the parent's answer is there already. If vertices
//! are numbered with parents first, they are such an order themselves. Otherwise the sweep goes by
//! position and reads and writes at the vertex there, whose cache lines are asked for ahead.
//!
//! **Cost.** With parents first, a random cache line per vertex; otherwise two.
//!
//! **Determinism.** The association of `sequential`: the same answers, also for floats.
//!
//! **When not to use.** If vertices are numbered in preorder: `sequential` needs no random access.

use super::sequential::{down, exclusive};
use super::step;
use crate::Scope;
use palmette_core::memory::prefetch;
use palmette_core::{Monoid, NONE, Tree};
use std::ops::Range;

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// Below so many vertices answers are in a cache.
const IN_CACHE: usize = 1 << 16;

/// The rootfix of a range of vertices numbered with parents first, from the parent by vertex; answers
/// before the range are there. Slices must have one length.
pub(crate) fn parents_first<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    range: Range<usize>,
    out: &mut [M::Elem],
) {
    match scope {
        // What fits a cache needs not be asked for.
        Scope::Inclusive if out.len() < IN_CACHE => down::<M, 0>(parents, values, op, range, out),
        Scope::Inclusive => down::<M, AHEAD>(parents, values, op, range, out),
        Scope::Exclusive => exclusive(parents, values, op, range, out),
    }
}

/// The rootfix of vertices numbered in any way. Slices must have the tree's length.
pub(crate) fn placed<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    let n = out.len();
    let (at, parents, values) = (&tree.vertices()[..n], &tree.parents()[..n], &values[..n]);
    for i in 0..n {
        if let Some(&far) = at.get(i + AHEAD) {
            prefetch(values, far as usize);
            prefetch(out, far as usize);
        }
        let v = at[i] as usize;
        out[v] = match at.get(parents[i] as usize) {
            Some(&above) => {
                let own = step(op, scope, values, v, above);
                op.combine(out[above as usize], own)
            }
            None => step(op, scope, values, v, NONE),
        };
    }
}
