//! **Problem.** One rootfix from a bare parent array, with no tree made first.
//!
//! **Method.** The order of the input decides. Parents before children: one sweep from the
//! beginning. Parents after children: one sweep from the end. Else the tree is
//! [peeled](palmette_core::peel), which leaves an order with children before parents, and the sweep
//! goes through it from its end; the order says which cache lines come next.
//!
//! **Cost.** O(n); with shuffled labels about half of what making a tree costs.
//!
//! **Determinism.** From the root down there is one association, whatever the order.
//!
//! **When not to use.** For a second pass over the same tree: make the tree once.

use super::{down, step};
use crate::Scope;
use crate::watched::Unwatched;
use palmette_core::memory::{check_room, huge_vec, prefetch};
use palmette_core::peel::{ChildCounts, Sizes, parents_come_first, peel};
use palmette_core::{Monoid, NONE, Tree, TreeError};

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// The rootfix by the user's vertices.
///
/// ```
/// use palmette_core::{NONE, operator::Sum};
/// use palmette_tree::{Scope, rootfix::from_parents};
/// let sums = from_parents(&[2, 0, NONE, 2], &[1i64, 10, 100, 1000], &Sum::new(), Scope::Inclusive).unwrap();
/// assert_eq!(sums, [101, 111, 100, 1100]);
/// ```
///
/// # Errors
/// A wrong number of values, a parent out of range, or a cycle. Several roots are allowed.
pub fn from_parents<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    op: &M,
    scope: Scope,
) -> Result<Vec<M::Elem>, TreeError> {
    let (expected, actual) = (parents.len(), values.len());
    if expected != actual {
        return Err(TreeError::Length { what: "values", expected, actual });
    }
    let mut out = huge_vec(expected, op.identity());
    if parents_come_first(parents) {
        down(parents, values, &Unwatched(op), scope, &mut out);
        return Ok(out);
    }
    let counts = ChildCounts::new(parents)?;
    let settle = |out: &mut [M::Elem], v: usize| {
        let p = parents[v];
        let own = step(op, scope, values, v, p);
        out[v] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    };
    if counts.descending {
        (0..expected).rev().for_each(|v| settle(&mut out, v));
    } else {
        // Sizes, parents and the order.
        check_room(16 * expected as u64).map_err(TreeError::NoRoom)?;
        let peeled = peel(parents, &Sizes::new(counts), 1);
        if peeled.finished() < expected {
            // The builder names the cycle.
            let forest = palmette_core::TreeParams { forest: true, ..Default::default() };
            Tree::with_params(parents, forest)?;
        }
        for order in [&peeled.top].into_iter().chain(&peeled.queues) {
            for i in (0..order.len()).rev() {
                if let Some(&far) = order.get(i.wrapping_sub(2 * AHEAD)) {
                    prefetch(parents, far as usize);
                    prefetch(values, far as usize);
                    prefetch(&out, far as usize);
                }
                if let Some(&near) = order.get(i.wrapping_sub(AHEAD)) {
                    prefetch(&out, parents[near as usize] as usize);
                }
                settle(&mut out, order[i] as usize);
            }
        }
    }
    Ok(out)
}
