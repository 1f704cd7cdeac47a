//! **Problem.** One leaffix from a bare parent array, with no tree made first.
//!
//! **Method.** The order of the input decides. Parents before children: one sweep
//! from the end. Parents after children: one sweep from the beginning. Else the
//! tree is [peeled](palmette_core::peel): leaves are folded into their parents in
//! the order of a queue that hides cache misses, and long chains are contracted.
//!
//! **Cost.** O(n); with shuffled labels about half of what making a tree costs.
//!
//! **Determinism.** The peeling runs as one task, so floats are summed in one order
//! whatever the threads; chains use all threads, cut at places that the input
//! decides.
//!
//! **When not to use.** For a second pass over the same tree: make the tree once.
//! For operators that are not commutative: children arrive in no particular order.

use super::parents_first;
use crate::Scope;
use palmette_core::memory::{huge_copy, huge_vec, prefetch};
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
        let mut sums = huge_vec(expected, op.identity());
        parents_first(parents, values, op, Scope::Inclusive, 0..expected, &mut sums);
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
    let mut entries = Entries::new(parents, values, &counts);
    drop(counts);
    let peeled = peel(parents, &Values::new(op, &mut entries), 1);
    if peeled.finished() < expected {
        // The builder names the cycle.
        let forest = palmette_core::TreeParams { forest: true, ..Default::default() };
        Tree::with_params(parents, forest)?;
    }
    drop(peeled);
    Ok(entries.sums())
}
