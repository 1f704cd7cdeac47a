//! **Problem.** Leaffix on one thread, for operators that commute, with a vertex's own value included.
//!
//! **Method.** Answers begin as the values. From the last vertex to the first, each is combined into
//! its parent's: one combination per vertex, where [`parents_first`](super::parents_first) needs two, and values are not
//! reached at random. Where the tree is a path for a while, or all have one parent, what is combined
//! stays in a register instead of going through memory.
//!
//! **Cost.** One copy, then one random cache line per vertex, none if vertices are in preorder.
//!
//! **Determinism.** One association: a vertex's own value, its last child, …, its first child.
//!
//! **When not to use.** For other operators.

use crate::rootfix::is_path;
use crate::watched::Watched;
use palmette_core::Tree;
use palmette_core::memory::prefetch;
use std::ops::Range;

/// How far ahead of its use an element is asked for.
const AHEAD: usize = 24;

/// Elements of so many bytes are asked for where parents come first, too: smaller ones are mostly in a
/// cache.
const WIDE: usize = 32;

/// How far ahead of its use a wide element is asked for.
const WIDE_AHEAD: usize = 12;

/// Vertices of which it is asked whether they are a path or have one parent.
const STRETCH: usize = 512;

/// Steps at a time.
const LANES: usize = 4;

/// The leaffix of vertices, or positions, where every parent comes before its children, whose values
/// `out` holds; says whether the operator noted anything. Slices must have one length.
pub(crate) fn in_place<W: Watched>(parents: &[u32], op: &W, out: &mut [W::Elem]) -> bool {
    let parents = &parents[..out.len()];
    let mut note = W::Note::default();
    let mut end = out.len();
    while end > 0 {
        let range = end.saturating_sub(STRETCH)..end;
        end = range.start;
        let above = &parents[range.clone()];
        if is_path(above, range.start) {
            along(op, range, out, &mut note);
        } else if have_one_parent(above, range.start) {
            let p = above[0] as usize;
            out[p] = range.rev().fold(out[p], |sum, v| up(op, sum, out[v], &mut note));
        } else {
            steps(parents, op, range, out, &mut note);
        }
    }
    W::noted(&[note])
}

/// What lasts is seen at the roots.
#[inline(always)]
fn up<W: Watched>(op: &W, above: W::Elem, below: W::Elem, note: &mut W::Note) -> W::Elem {
    if W::LASTS { op.combine(above, below) } else { op.noting(above, below, note) }
}

/// Whether these vertices, of which the first is `start`, have one parent, which is before them.
#[inline(always)]
fn have_one_parent(parents: &[u32], start: usize) -> bool {
    let (n, p) = (parents.len(), parents[0]);
    (p as usize) < start
        && [n / 3, n / 2, n - 1].into_iter().all(|k| parents[k] == p)
        && parents.iter().fold(true, |all, &other| all & (other == p))
}

/// Steps one after another.
fn steps<W: Watched>(
    parents: &[u32],
    op: &W,
    range: Range<usize>,
    out: &mut [W::Elem],
    note: &mut W::Note,
) {
    let mut v = range.end;
    let (rest, rows) = parents[range.clone()].as_rchunks::<LANES>();
    let out = &mut out[..range.end];
    let mut step = |v: usize, p: u32| {
        if size_of::<W::Elem>() >= WIDE
            && let Some(&far) = parents.get(v.wrapping_sub(WIDE_AHEAD))
        {
            prefetch(out, far as usize);
        }
        let p = p as usize;
        // SAFETY: `v` is in `range`, which ends where `out` does, and `p` is used if it is less.
        unsafe {
            let below = *out.get_unchecked(v);
            if p < v {
                let above = out.get_unchecked_mut(p);
                *above = up(op, *above, below, note);
            } else {
                op.note(below, note);
            }
        }
    };
    for row in rows.iter().rev() {
        v -= LANES;
        for lane in (0..LANES).rev() {
            step(v + lane, row[lane]);
        }
    }
    for &p in rest.iter().rev() {
        v -= 1;
        step(v, p);
    }
}

/// Up along a path, whose first vertex has its parent before it.
fn along<W: Watched>(op: &W, range: Range<usize>, out: &mut [W::Elem], note: &mut W::Note) {
    let mut below = out[range.end - 1];
    for above in out[range.start - 1..range.end - 1].iter_mut().rev() {
        below = up(op, *above, below, note);
        *above = below;
    }
}

/// The leaffix of vertices numbered in any way, whose values `out` holds. It must have the tree's
/// length.
pub(crate) fn placed_in_place<W: Watched>(tree: &Tree, op: &W, out: &mut [W::Elem]) -> bool {
    let n = out.len();
    let (at, parents) = (&tree.vertices()[..n], &tree.parents()[..n]);
    let mut note = W::Note::default();
    let mut end = n;
    while end > 0 {
        let range = end.saturating_sub(STRETCH)..end;
        end = range.start;
        let above = &parents[range.clone()];
        let one = have_one_parent(above, range.start).then(|| at[above[0] as usize] as usize);
        let mut sum = one.map_or(op.identity(), |p| out[p]);
        for i in range.rev() {
            if let Some(&far) = at.get(i.wrapping_sub(AHEAD)) {
                prefetch(out, far as usize);
            }
            let below = out[at[i] as usize];
            if one.is_some() {
                sum = up(op, sum, below, &mut note);
                continue;
            }
            match at.get(parents[i] as usize) {
                Some(&above) => {
                    let above = &mut out[above as usize];
                    *above = up(op, *above, below, &mut note);
                }
                None => op.note(below, &mut note),
            }
        }
        if let Some(p) = one {
            out[p] = sum;
        }
    }
    W::noted(&[note])
}
