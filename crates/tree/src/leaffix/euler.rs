//! **Problem.** Leaffix for groups by a scan over the Euler tour.
//!
//! **Method.** The paper's three kernels. Write: each value where its vertex is
//! opened, the identity where it is closed. Scan. Read: undo what came before the
//! opening, so that what remains is the subtree's product.
//!
//! **Cost.** 2n elements scanned, two scattered writes and two scattered reads a
//! vertex; the longest chain is logarithmic whatever the shape.
//!
//! **Determinism.** The scan's blocks have a fixed length. On floats the
//! difference of two prefix sums loses digits when the subtree's sum is small
//! against what came before it.
//!
//! **Reference.** Defour and Marin, 2013, section II-B, after Blelloch and
//! Tarjan–Vishkin.
//!
//! **When not to use.** On a CPU: `threads` needs no inverse and is faster.

use crate::{EulerTour, Scope};
use palmette_core::{Group, parallel};

/// The leaffix by a scan. Slices must have the length of the tour's tree.
pub fn euler<G: Group>(
    tour: &EulerTour,
    values: &[G::Elem],
    op: &G,
    scope: Scope,
    out: &mut [G::Elem],
) {
    let sums = tour.scan(op, |i| (values[i], op.identity()));
    let read = |i: usize, out: &mut G::Elem| {
        let (open, close) = (tour.open[i] as usize, tour.close[i] as usize);
        // `sums[k]` is the product before place k.
        let before = match scope {
            Scope::Inclusive => sums[open],
            Scope::Exclusive => sums[open + 1],
        };
        *out = op.combine(op.inverse(before), sums[close]);
    };
    parallel::for_each_mut(out, 1 << 12, read);
}
