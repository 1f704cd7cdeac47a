//! **Problem.** Rootfix on one thread, with values and answers in the order of the user's vertices,
//! numbered in any way.
//!
//! **Method.** As [`sequential`](super::sequential): the parent's answer is there already. The sweep
//! goes by position and reads and writes at the vertex there, whose cache lines are asked for ahead.
//!
//! **Cost.** Two random cache lines per vertex.
//!
//! **Determinism.** The association of `sequential`: the same answers, also for floats.
//!
//! **When not to use.** If vertices are numbered in preorder or with parents first: they are an order
//! for `sequential` themselves, which needs no permutation.

use super::step;
use crate::Scope;
use crate::watched::Watched;
use palmette_core::memory::prefetch;
use palmette_core::{NONE, Tree};

/// How far ahead of its use an element is asked for: fewer where each has several cache lines.
const fn ahead<T>() -> usize {
    if size_of::<T>() > 64 { 8 } else { 24 }
}

/// The rootfix of vertices numbered in any way; says whether the operator noted anything. Slices must
/// have the tree's length; values may be narrower than answers.
pub(crate) fn placed<W: Watched, V: Copy + Into<W::Elem>>(
    tree: &Tree,
    values: &[V],
    op: &W,
    scope: Scope,
    out: &mut [W::Elem],
) -> bool {
    let n = out.len();
    let (at, parents, values) = (&tree.vertices()[..n], &tree.parents()[..n], &values[..n]);
    let mut notes = [W::Note::default()];
    for i in 0..n {
        if let Some(&far) = at.get(i + ahead::<W::Elem>()) {
            prefetch(values, far as usize);
            prefetch(out, far as usize);
        }
        let v = at[i] as usize;
        out[v] = match at.get(parents[i] as usize) {
            Some(&above) => {
                let own = step(op, scope, values, v, above);
                op.noting(out[above as usize], own, &mut notes[0])
            }
            None => {
                let own = step(op, scope, values, v, NONE);
                op.note(own, &mut notes[0]);
                own
            }
        };
    }
    W::noted(&notes)
}
