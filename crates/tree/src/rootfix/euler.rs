//! **Problem.** Rootfix for groups by a scan over the Euler tour.
//!
//! **Method.** The paper's three kernels. Write: each value where its vertex is
//! opened, its inverse where it is closed. Scan: whoever is closed has cancelled.
//! Read at the opening.
//!
//! **Cost.** 2n elements scanned, two scattered writes and one scattered read a
//! vertex; the longest chain is logarithmic whatever the shape.
//!
//! **Determinism.** The scan's blocks have a fixed length. On floats a value that
//! was added and taken away again leaves its rounding behind.
//!
//! **Reference.** Defour and Marin, 2013, Algorithm 2.
//!
//! **When not to use.** On a CPU: `threads` needs no inverse and is faster.

use crate::{EulerTour, Scope};
use palmette_core::{Group, parallel};

/// The rootfix by a scan. Slices must have the length of the tour's tree.
pub fn euler<G: Group>(
    tour: &EulerTour,
    values: &[G::Elem],
    op: &G,
    scope: Scope,
    out: &mut [G::Elem],
) {
    let sums = tour.scan(op, |i| (values[i], op.inverse(values[i])));
    // `sums[k]` is the product before place k.
    let later = usize::from(scope == Scope::Inclusive);
    parallel::for_each_mut(out, 1 << 12, |i, out| *out = sums[tour.open[i] as usize + later]);
}
