//! Shape, balance and time of one tree.
//!
//! | measure | answer | file |
//! |---|---|---|
//! | [`Shape`] | balance (Sackin, Colless, B1, cherries), lengths, root-to-tip distances, gamma | `shape.rs` |
//! | [`lineages_through_time`] | how many lineages there are at each distance from the root | `lineages.rs` |
//! | [`Regression`] | root-to-tip distances against dates: the clock rate | `clock.rs` |
//! | [`TipDistances`] | patristic distances of tips, row by row | `distances.rs` |
//!
//! Arrays are by position; lengths belong to the branch above, and the root's is ignored.

mod clock;
mod distances;
mod lineages;
mod shape;
#[cfg(test)]
mod tests;

pub use clock::Regression;
pub use distances::TipDistances;
pub use lineages::lineages_through_time;
pub use shape::{Lengths, Shape};

use palmette_core::{NONE, Tree};

/// By position, the sum of lengths from the root.
pub fn root_distances(tree: &Tree, lengths: &[f64]) -> Vec<f64> {
    let mut distances = vec![0.0; tree.len()];
    for (i, &p) in tree.parents().iter().enumerate() {
        if p != NONE {
            distances[i] = distances[p as usize] + lengths[i];
        }
    }
    distances
}
