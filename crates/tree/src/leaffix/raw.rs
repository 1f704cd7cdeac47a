//! **Problem.** One leaffix from a bare parent array, with no tree made first.
//!
//! **Method.** The order of the input decides. Parents before children: one sweep
//! from the end. Parents after children: one sweep from the beginning. Else the
//! tree is [peeled](palmette_core::peel): leaves are folded into their parents in
//! the order of a queue that hides cache misses, and long chains are contracted. Where nearly
//! all are leaves, these need no queue.
//!
//! **Cost.** O(n); with shuffled labels about half of what making a tree costs.
//!
//! **Determinism.** The peeling runs as one task, so floats are summed in one order
//! whatever the threads; chains use all threads, cut at places that the input
//! decides.
//!
//! **When not to use.** For a second pass over the same tree: make the tree once.
//! For operators that are not commutative: children arrive in no particular order.

use super::in_place;
use crate::watched::Unwatched;
use palmette_core::memory::{check_room, huge_copy, huge_zeroed, prefetch};
use palmette_core::peel::{ChildCounts, Entries, Values, parents_come_first, peel};
use palmette_core::{Commutative, NONE, Tree, TreeError};

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// The inclusive leaffix by the user's vertices.
///
/// ```
/// use palmette_core::{NONE, operator::Sum};
/// use palmette_tree::leaffix::from_parents;
/// let sums = from_parents(&[2, 0, NONE, 2], &[1i64, 10, 100, 1000], &Sum::new()).unwrap();
/// assert_eq!(sums, [11, 10, 1111, 1000]);
/// ```
///
/// # Errors
/// A wrong number of values, a parent out of range, or a cycle. Several roots are
/// allowed.
pub fn from_parents<M: Commutative>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
) -> Result<Vec<M::Elem>, TreeError> {
    let (expected, actual) = (parents.len(), values.len());
    if expected != actual {
        return Err(TreeError::Length { what: "values", expected, actual });
    }
    if parents_come_first(parents) {
        let mut sums = huge_copy(values);
        in_place(parents, &Unwatched(op), &mut sums);
        return Ok(sums);
    }
    let counts = ChildCounts::new(parents)?;
    if counts.descending {
        let mut sums = huge_copy(values);
        for v in 0..expected {
            if let Some(&far) = parents.get(v + AHEAD) {
                prefetch(&sums, far as usize);
            }
            if parents[v] != NONE {
                let p = parents[v] as usize;
                sums[p] = op.combine(sums[p], sums[v]);
            }
        }
        return Ok(sums);
    }
    if let Some(inner) = few_inner(&counts) {
        return flat(parents, values, op, &counts, inner);
    }
    // What is peeled, and the answers beside it.
    let bytes = 2 * size_of::<M::Elem>() + 8;
    check_room((bytes * expected) as u64).map_err(TreeError::NoRoom)?;
    let mut entries = Entries::new(parents, values, &counts);
    drop(counts);
    let peeled = peel(parents, &Values::new(op, &mut entries), 1);
    if peeled.finished() < expected {
        return Err(cycle(parents));
    }
    drop(peeled);
    Ok(entries.sums())
}

/// The builder names the cycle.
#[cold]
pub(crate) fn cycle(parents: &[u32]) -> TreeError {
    let forest = palmette_core::TreeParams { forest: true, ..Default::default() };
    match Tree::with_params(parents, forest) {
        Err(error) => error,
        Ok(_) => TreeError::Cycle { vertices: Vec::new(), length: 0 },
    }
}

/// The vertices with children, where these are few: as in a star.
fn few_inner(counts: &ChildCounts) -> Option<Vec<u32>> {
    if !counts.few_have_children() {
        return None;
    }
    let n = counts.low.len();
    let mut inner: Vec<u32> = (0..n as u32)
        .filter(|&v| counts.low[v as usize] != 0)
        .chain(counts.carries.iter().copied())
        .collect();
    inner.sort_unstable();
    inner.dedup();
    Some(inner)
}

/// Leaves one after another as they are numbered: their parents are few and in the cache. Then the
/// others, children first.
fn flat<M: Commutative>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    counts: &ChildCounts,
    inner: Vec<u32>,
) -> Result<Vec<M::Elem>, TreeError> {
    let mut sums = huge_copy(values);
    // Untouched pages cost nothing.
    let mut pending: Vec<u32> = huge_zeroed(parents.len());
    for &v in &inner {
        if let Some(above) = pending.get_mut(parents[v as usize] as usize) {
            *above += 1;
        }
    }
    // A vertex whose number of children is a multiple of 256 has none in its byte.
    let mut wide = counts.carries.clone();
    wide.sort_unstable();
    wide.dedup();
    let is_leaf = |v: usize| {
        counts.low[v] == 0 && (wide.is_empty() || wide.binary_search(&(v as u32)).is_err())
    };
    for (v, &p) in parents.iter().enumerate() {
        if is_leaf(v)
            && let Some(&above) = sums.get(p as usize)
        {
            sums[p as usize] = op.combine(above, sums[v]);
        }
    }
    let count = inner.len();
    let mut queue: Vec<u32> = inner.into_iter().filter(|&v| pending[v as usize] == 0).collect();
    let mut head = 0;
    while let Some(&v) = queue.get(head) {
        head += 1;
        let p = parents[v as usize] as usize;
        if p < parents.len() {
            sums[p] = op.combine(sums[p], sums[v as usize]);
            pending[p] -= 1;
            if pending[p] == 0 {
                queue.push(p as u32);
            }
        }
    }
    if head < count {
        return Err(cycle(parents));
    }
    Ok(sums)
}
