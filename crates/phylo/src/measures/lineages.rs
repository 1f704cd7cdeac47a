//! Lineages through time.
//!
//! **Problem.** How many lineages a tree has at each distance from its root.
//! **Method.** A vertex with `c` children adds `c − 1` lineages at its distance; a tip takes one away. Sorted, and added up;
//! events at one distance are one row.
//! **Cost.** O(n log n); 16 bytes per vertex.
//! **Determinism.** Rows do not depend on the order of equal distances.

use super::root_distances;
use palmette_core::Tree;

/// Distances from the root at which the number of lineages changes, in ascending order, and how many there are
/// from then on; the first is that of the root. `lengths` go by position and are not negative.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::measures::lineages_through_time;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0])?;
/// let rows = lineages_through_time(&tree, &[0.0, 1.0, 2.0, 2.0, 3.0]);
/// assert_eq!(rows, [(0.0, 2), (1.0, 3), (3.0, 0)]);
/// # Ok::<(), palmette_core::TreeError>(())
/// ```
///
/// # Panics
/// When there is not one length per position.
pub fn lineages_through_time(tree: &Tree, lengths: &[f64]) -> Vec<(f64, i64)> {
    assert_eq!(lengths.len(), tree.len(), "one length per position");
    let distances = root_distances(tree, lengths);
    let children = tree.child_counts();
    let mut events: Vec<(f64, i64)> =
        distances.into_iter().zip(children).map(|(d, c)| (d, i64::from(c) - 1)).collect();
    events.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut lineages = tree.roots() as i64;
    let mut rows: Vec<(f64, i64)> = Vec::new();
    for (distance, change) in events {
        lineages += change;
        match rows.last_mut() {
            Some(row) if row.0 == distance => row.1 = lineages,
            _ => rows.push((distance, lineages)),
        }
    }
    rows
}
