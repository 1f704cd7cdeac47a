//! **Problem.** Leaffix on one thread, with values and answers in the order of the user's vertices.
//!
//! **Method.** As [`sequential`](super::sequential): when a vertex is reached, its children have been
//! multiplied into its place, the last child first. If vertices are numbered with parents first,
//! vertices from last to first are such an order, and no position is looked up. Otherwise the sweep
//! goes by position and reads and writes at the vertex there, whose cache lines are asked for ahead.
//! Operators that commute work in place ([`in_place`](super::in_place)).
//!
//! **Cost.** With parents first, a random cache line per vertex; otherwise two. Both are fewer than
//! moving values to positions and answers back.
//!
//! **Determinism.** The association of `sequential`: the same answers, also for floats.
//!
//! **When not to use.** If vertices are numbered in preorder: `sequential` needs no random access.

use crate::Scope;
use crate::watched::Watched;
use palmette_core::Tree;
use palmette_core::memory::prefetch;

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// Below so many vertices answers are in a cache.
const IN_CACHE: usize = 1 << 16;

/// The leaffix of vertices numbered with parents first, from the parent by vertex; says whether the
/// operator noted anything. Slices must have one length.
pub(crate) fn parents_first<W: Watched>(
    parents: &[u32],
    values: &[W::Elem],
    op: &W,
    scope: Scope,
    out: &mut [W::Elem],
) -> bool {
    let n = out.len();
    let (parents, values) = (&parents[..n], &values[..n]);
    out.fill(op.identity());
    let mut notes = [W::Note::default()];
    let mut step = |out: &mut [W::Elem], v: usize| {
        let total = op.noting(values[v], out[v], &mut notes[0]);
        if scope == Scope::Inclusive {
            out[v] = total;
        }
        let p = parents[v] as usize;
        // One comparison serves as the check of bounds, too: parents come before.
        if p < v {
            out[p] = op.noting(total, out[p], &mut notes[0]);
        }
    };
    // What fits a cache needs not be asked for.
    let last = if n < IN_CACHE { n } else { AHEAD };
    for v in (last..n).rev() {
        prefetch(out, parents[v - AHEAD] as usize);
        step(out, v);
    }
    (0..last).rev().for_each(|v| step(out, v));
    W::noted(&notes)
}

/// The leaffix of vertices numbered in any way, else as [`parents_first`].
pub(crate) fn placed<W: Watched>(
    tree: &Tree,
    values: &[W::Elem],
    op: &W,
    scope: Scope,
    out: &mut [W::Elem],
) -> bool {
    let n = out.len();
    let (at, parents, values) = (&tree.vertices()[..n], &tree.parents()[..n], &values[..n]);
    out.fill(op.identity());
    let mut notes = [W::Note::default()];
    for i in (0..n).rev() {
        if let Some(&far) = at.get(i.wrapping_sub(AHEAD)) {
            prefetch(values, far as usize);
            prefetch(out, far as usize);
        }
        let v = at[i] as usize;
        let total = op.noting(values[v], out[v], &mut notes[0]);
        if scope == Scope::Inclusive {
            out[v] = total;
        }
        if let Some(&above) = at.get(parents[i] as usize) {
            let above = &mut out[above as usize];
            *above = op.noting(total, *above, &mut notes[0]);
        }
    }
    W::noted(&notes)
}
