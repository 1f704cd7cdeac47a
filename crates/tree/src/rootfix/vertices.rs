//! **Problem.** Rootfix on one thread, with values and answers in the order of the user's vertices,
//! numbered in any way.
//!
//! **Method.** As [`sequential`](super::sequential): the parent's answer is there already. The sweep
//! goes by position and reads and writes at the vertex there, whose cache lines are asked for ahead.
//!
//! **Cost.** Two random cache lines per vertex; for wide elements one, after a copy.
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

/// How far ahead of its use an element is asked for.
const AHEAD: usize = 24;

/// Elements of so many bytes are copied first, then worked on in place: one random access of them is
/// worth a pass.
const WIDE: usize = 16;

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
    if scope == Scope::Inclusive && size_of::<W::Elem>() >= WIDE {
        out.iter_mut().zip(values).for_each(|(out, &value)| *out = value.into());
        return in_place(at, parents, op, out);
    }
    let mut notes = [W::Note::default()];
    for i in 0..n {
        if let Some(&far) = at.get(i + AHEAD) {
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

/// The rootfix of the values that `out` holds.
fn in_place<W: Watched>(at: &[u32], parents: &[u32], op: &W, out: &mut [W::Elem]) -> bool {
    let mut note = W::Note::default();
    for (i, &v) in at.iter().enumerate() {
        if let Some(&far) = at.get(i + AHEAD) {
            prefetch(out, far as usize);
        }
        let own = out[v as usize];
        match at.get(parents[i] as usize) {
            Some(&above) => out[v as usize] = op.noting(out[above as usize], own, &mut note),
            None => op.note(own, &mut note),
        }
    }
    W::noted(&[note])
}
