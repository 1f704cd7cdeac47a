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
use crate::leaffix::cycle;
use crate::watched::Unwatched;
use palmette_core::memory::{check_room, huge_copy, huge_vec, prefetch};
use palmette_core::peel::{ChildCounts, Order, parents_come_first, peel};
use palmette_core::{Monoid, NONE, TreeError};

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
    if parents_come_first(parents) {
        let mut out = huge_vec(expected, op.identity());
        down(parents, values, &Unwatched(op), scope, &mut out);
        return Ok(out);
    }
    let counts = ChildCounts::new(parents)?;
    let settle = |out: &mut [M::Elem], v: usize| {
        let p = parents[v];
        // Answers begin as the values where these are wanted.
        let own = match scope {
            Scope::Inclusive => out[v],
            Scope::Exclusive => step(op, scope, values, v, p),
        };
        out[v] = if p == NONE { own } else { op.combine(out[p as usize], own) };
    };
    if counts.descending {
        let mut out = huge_copy(values);
        (0..expected).rev().for_each(|v| settle(&mut out, v));
        return Ok(out);
    }
    // Parents with what is pending, and the order.
    check_room(16 * expected as u64).map_err(TreeError::NoRoom)?;
    let store = Order::new(parents, &counts);
    drop(counts);
    let peeled = peel(parents, &store, 1);
    // Answers take its memory.
    drop(store);
    if peeled.finished() < expected {
        return Err(cycle(parents));
    }
    let mut out = huge_copy(values);
    for order in [&peeled.top].into_iter().chain(&peeled.queues) {
        for i in (0..order.len()).rev() {
            if let Some(&far) = order.get(i.wrapping_sub(2 * AHEAD)) {
                prefetch(parents, far as usize);
                prefetch(&out, far as usize);
            }
            if let Some(&near) = order.get(i.wrapping_sub(AHEAD)) {
                let p = parents[near as usize] as usize;
                prefetch(&out, p);
                if scope == Scope::Exclusive {
                    prefetch(values, p);
                }
            }
            settle(&mut out, order[i] as usize);
        }
    }
    Ok(out)
}
