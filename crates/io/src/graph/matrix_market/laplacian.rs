//! The diagonal of a Laplacian.
//!
//! **Problem.** A matrix `L + D`, whose entries off the diagonal are the negatives of
//! weights, to the conductances `D` to ground: what the diagonal has in excess of the
//! weights in its row.
//! **Method.** Files round, so an excess within `SLACK` of the diagonal in every row is
//! taken for none at all. If a row has more, each excess above the rounding of sums
//! counts.

use palmette_core::Graph;

/// Parts of the diagonal: what a file may have rounded away, and what sums round.
const SLACK: f64 = 1e-6;
const ROUNDING: f64 = 1e-12;

/// Conductances to ground, if there are any, and how many entries were added to an
/// earlier one. An error is the row (from 0) whose diagonal is too small or infinite.
pub(crate) fn ground(
    graph: &Graph,
    entries: &[(u32, f64)],
) -> Result<(Option<Vec<f64>>, usize), u32> {
    let mut diagonal = vec![0.0; graph.len()];
    let mut present = vec![false; graph.len()];
    let mut repeated = 0;
    for &(row, value) in entries {
        diagonal[row as usize] += value;
        repeated += usize::from(std::mem::replace(&mut present[row as usize], true));
    }
    let mut any = false;
    // The diagonal turns into the excess.
    let mut excess = diagonal;
    for (row, place) in excess.iter_mut().enumerate() {
        let whole = *place;
        let more = whole - graph.weights(row as u32).iter().sum::<f64>();
        let enough = whole.is_finite() && whole >= 0.0 && more >= -SLACK * whole;
        if !enough {
            return Err(row as u32);
        }
        any |= more > SLACK * whole;
        *place = if more > ROUNDING * whole { more } else { 0.0 };
    }
    Ok((any.then_some(excess), repeated))
}
