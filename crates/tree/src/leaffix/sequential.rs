//! **Problem.** Leaffix on one thread.
//!
//! **Method.** Positions from last to first: when a vertex is reached, its
//! children have already been multiplied into its place, the last child first;
//! its own value goes in front, and the product goes in front of what its parent
//! has so far.
//!
//! **Cost.** n steps, two combinations each, streaming: in preorder a parent is
//! near its child. 28 bytes moved a vertex for 8-byte values, and 8 more to clear
//! the output.
//!
//! **Determinism.** One association, whatever the machine.
//!
//! **When not to use.** With several threads and more than about 10^5 vertices; or
//! for operators that take several cycles, on deep trees: each step then waits for
//! the one before.

use crate::Scope;
use palmette_core::{Monoid, Tree};

/// The leaffix by one sweep. Slices must have the tree's length.
pub fn sequential<M: Monoid>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) {
    sweep(tree.parents(), values, 0, op, scope, out);
}

/// The sweep over an interval of the preorder that begins at `start`, as do
/// `parents` and `values`; children outside of it are left out. Returns the product
/// of the interval's values.
pub(super) fn sweep<M: Monoid>(
    parents: &[u32],
    values: &[M::Elem],
    start: usize,
    op: &M,
    scope: Scope,
    out: &mut [M::Elem],
) -> M::Elem {
    let (parents, values) = (&parents[..out.len()], &values[..out.len()]);
    out.fill(op.identity());
    let mut product = op.identity();
    for i in (0..out.len()).rev() {
        let total = op.combine(values[i], out[i]);
        if scope == Scope::Inclusive {
            out[i] = total;
        }
        // Wraps to a large number when the parent is before the interval or none; else it is
        // before the child, and the comparison serves as the check of bounds, too.
        let p = (parents[i] as usize).wrapping_sub(start);
        if p < i {
            out[p] = op.combine(total, out[p]);
        } else {
            product = op.combine(total, product);
        }
    }
    product
}
