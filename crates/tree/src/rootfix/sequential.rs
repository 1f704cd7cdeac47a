//! **Problem.** Rootfix on one thread.
//!
//! **Method.** Positions from first to last: the parent's answer is there already. Where the tree is
//! a path for a while, the answer stays in a register instead of going through memory.
//!
//! **Cost.** n steps, streaming: in preorder a parent is near its child. Four steps at a time, each
//! with its own note of what went wrong: as fast as the plain loop, which notes nothing.
//!
//! **Determinism.** One association, from the root down.
//!
//! **When not to use.** With several threads and more than about 10^5 vertices; or
//! for operators that take several cycles, on deep trees: each step then waits for
//! the one before.

use super::step;
use crate::Scope;
use crate::watched::{Unwatched, Watched};
use palmette_core::memory::prefetch;
use palmette_core::{Monoid, NONE, Tree};
use std::ops::Range;

/// Vertices of which it is asked whether they are a path.
const STRETCH: usize = 512;

/// Elements of so many bytes are asked for ahead: smaller ones are mostly in a cache.
const WIDE: usize = 32;

/// How far ahead of its use a wide element is asked for.
const WIDE_AHEAD: usize = 12;

/// Steps at a time.
const LANES: usize = 4;

/// The rootfix by one sweep. Slices must have the tree's length.
pub fn sequential<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    down(tree.parents(), values, &Unwatched(op), scope, out);
}

/// The rootfix of vertices, or positions, where every parent comes before its children; says whether
/// the operator noted anything. Values may be narrower than answers; slices must have one length.
pub(crate) fn down<W: Watched, V: Copy + Into<W::Elem>>(
    parents: &[u32],
    values: &[V],
    op: &W,
    scope: Scope,
    out: &mut [W::Elem],
) -> bool {
    let n = out.len();
    let (parents, values) = (&parents[..n], &values[..n]);
    let mut notes = [W::Note::default(); LANES];
    if scope == Scope::Exclusive {
        for (v, &p) in parents.iter().enumerate() {
            let own = step(op, scope, values, v, p);
            out[v] = if p == NONE { own } else { op.noting(out[p as usize], own, &mut notes[0]) };
        }
        return W::noted(&notes);
    }
    let mut start = 0;
    while start < n {
        let range = start..(start + STRETCH).min(n);
        start = range.end;
        if is_path(&parents[range.clone()], range.start) {
            along(values, op, range, out, &mut notes);
        } else {
            steps(parents, values, op, range, out, &mut notes);
        }
    }
    W::noted(&notes)
}

/// Whether each of these vertices, of which the first is `start`, is the child of the one before.
#[inline(always)]
pub(crate) fn is_path(parents: &[u32], start: usize) -> bool {
    let (n, first) = (parents.len(), (start as u32).wrapping_sub(1));
    let is = |k: usize| parents[k] == first.wrapping_add(k as u32);
    // As a rule the first few say no; looking at all is for vectors.
    start > 0
        && [0, n / 3, n / 2, n - 1].into_iter().all(is)
        && parents.iter().zip(first..).fold(true, |all, (&p, before)| all & (p == before))
}

/// Steps along a path.
fn along<W: Watched, V: Copy + Into<W::Elem>>(
    values: &[V],
    op: &W,
    range: Range<usize>,
    out: &mut [W::Elem],
    notes: &mut [W::Note; LANES],
) {
    let mut last = out[range.start - 1];
    for (k, (out, &own)) in out[range.clone()].iter_mut().zip(&values[range]).enumerate() {
        last = op.noting(last, own.into(), &mut notes[k % LANES]);
        *out = last;
    }
}

/// Steps one after another.
fn steps<W: Watched, V: Copy + Into<W::Elem>>(
    parents: &[u32],
    values: &[V],
    op: &W,
    range: Range<usize>,
    out: &mut [W::Elem],
    notes: &mut [W::Note; LANES],
) {
    let mut v = range.start;
    let all = parents;
    let (parents, values) = (&parents[range.clone()], &values[range.clone()]);
    let out = &mut out[..range.end];
    let mut step = |v: usize, p: u32, own: W::Elem, note: &mut W::Note| {
        if size_of::<W::Elem>() >= WIDE
            && let Some(&far) = all.get(v + WIDE_AHEAD)
        {
            prefetch(out, far as usize);
        }
        let p = p as usize;
        // SAFETY: `v` is in `range`, which ends where `out` does, and `p` is used if it is less.
        unsafe {
            let answer = if p < v {
                op.noting(*out.get_unchecked(p), own, note)
            } else {
                op.note(own, note);
                own
            };
            *out.get_unchecked_mut(v) = answer;
        }
    };
    let (rows, rest) = parents.as_chunks::<LANES>();
    let (owns, last) = values.as_chunks::<LANES>();
    for (row, own) in rows.iter().zip(owns) {
        for lane in 0..LANES {
            step(v + lane, row[lane], own[lane].into(), &mut notes[lane]);
        }
        v += LANES;
    }
    for (&p, &own) in rest.iter().zip(last) {
        step(v, p, own.into(), &mut notes[0]);
        v += 1;
    }
}
