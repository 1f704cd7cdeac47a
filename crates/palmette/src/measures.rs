//! Measures of a tree that need no values: depths, heights, sizes, leaves.
//!
//! All functions answer by *position*; [`Measure::by_vertex`] answers by vertex.
//! Each is one sweep over the preorder.

use crate::aggregate::Once;
use palmette_core::memory::{huge_collect, huge_vec, kept};
use palmette_core::operator::Sum;
use palmette_core::{NONE, Tree, TreeError, named};
use palmette_io::Values;
use palmette_tree::leaffix::heights_from_parents;
use palmette_tree::rootfix::rootfix;
use palmette_tree::{Direction, TreefixError, TreefixParams};

/// The number of edges to the root.
///
/// ```
/// use palmette::{NONE, Tree, measures};
/// let tree = Tree::from_parents(&[NONE, 0, 1, 0])?;
/// assert_eq!(measures::depths(&tree), [0, 1, 2, 1]);
/// assert_eq!(measures::heights(&tree), [2, 1, 0, 0]);
/// assert_eq!(measures::subtree_sizes(&tree), [4, 2, 1, 1]);
/// assert_eq!(measures::leaf_counts(&tree), [2, 1, 1, 1]);
/// # Ok::<(), palmette::TreeError>(())
/// ```
pub fn depths(tree: &Tree) -> Vec<u32> {
    tree.depths()
}

/// The number of edges to the deepest vertex below.
pub fn heights(tree: &Tree) -> Vec<u32> {
    let mut heights = vec![0u32; tree.len()];
    for (i, &p) in tree.parents().iter().enumerate().rev() {
        if p != NONE {
            let through = heights[i] + 1;
            let above = &mut heights[p as usize];
            *above = through.max(*above);
        }
    }
    heights
}

/// The number of vertices in the subtree.
pub fn subtree_sizes(tree: &Tree) -> Vec<u32> {
    tree.sizes().to_vec()
}

/// The number of leaves in the subtree; 1 for a leaf.
pub fn leaf_counts(tree: &Tree) -> Vec<u32> {
    let mut leaves: Vec<u32> = tree.sizes().iter().map(|&s| u32::from(s == 1)).collect();
    for (i, &p) in tree.parents().iter().enumerate().rev() {
        if p != NONE {
            leaves[p as usize] += leaves[i];
        }
    }
    leaves
}

/// The sum of the lengths of the edges to the root, where `lengths` holds by
/// position the length of the edge to the parent; a root's is ignored.
///
/// # Errors
/// If there is not exactly one length per vertex.
pub fn weighted_depths(tree: &Tree, lengths: &[f64]) -> Result<Vec<f64>, TreefixError> {
    let mut lengths = lengths.to_vec();
    for root in tree.root_positions() {
        if let Some(length) = lengths.get_mut(root as usize) {
            *length = 0.0;
        }
    }
    rootfix(tree, &lengths, &Sum::new(), TreefixParams::default())
}

/// Lengths by vertex as integers whose sums are those of the floats; a root's is ignored and
/// becomes 0.
///
/// # Errors
/// The first vertex whose length is not a whole number, or at which the magnitudes pass 2^53
/// together.
///
/// # Panics
/// If there is not exactly one length per vertex.
pub fn whole_lengths(tree: &Tree, lengths: &[f64]) -> Result<Vec<i64>, u32> {
    let mut sum = 0.0;
    let mut whole = Vec::with_capacity(lengths.len());
    for (&length, vertex) in lengths.iter().zip(0..) {
        let length = match tree.parent(tree.positions()[vertex as usize]) {
            Some(_) => length,
            None => 0.0,
        };
        sum += length.abs();
        // NaN is not at most 2^53 either.
        if length.fract() != 0.0 || !matches!(sum, 0.0..=WHOLE) {
            return Err(vertex);
        }
        whole.push(length as i64);
    }
    Ok(whole)
}

/// Whole numbers up to here are floats.
const WHOLE: f64 = (1u64 << 53) as f64;

named! {
    /// A measure by the name it has on the command line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Measure("measure") {
        /// [`depths`].
        Depth = "depth",
        /// [`heights`].
        Height = "height",
        /// [`subtree_sizes`].
        Size = "size",
        /// [`leaf_counts`].
        Leaves = "leaves",
        /// [`weighted_depths`].
        WeightedDepth = "weighted-depth",
    }
}

impl Measure {
    /// The measure of every vertex from bare parents, as [`Measure::by_vertex`] of the tree that they
    /// make.
    ///
    /// # Errors
    /// As making the tree: a cycle, several roots unless it is a `forest`; or another number of
    /// lengths than of vertices.
    pub fn once(
        self,
        parents: &[u32],
        forest: bool,
        lengths: Option<&[f64]>,
    ) -> Result<Values, TreeError> {
        let once = |direction| Once { parents, forest, direction };
        let counts = |direction, values: Vec<i64>| -> Result<_, TreeError> {
            let found = once(direction).pass(&values, &Sum::<i64>::new())?;
            Ok(Values::U64(kept::cast(found)))
        };
        match (self, lengths) {
            (Measure::Height, _) => {
                once(Direction::Leaffix).check_roots()?;
                Ok(Values::U64(heights_from_parents(parents)?))
            }
            (Measure::Size, _) => counts(Direction::Leaffix, huge_vec(parents.len(), 1)),
            (Measure::Leaves, _) => {
                let mut leaf = vec![1u8; parents.len()];
                for &p in parents {
                    if let Some(above) = leaf.get_mut(p as usize) {
                        *above = 0;
                    }
                }
                let leaves = huge_collect(parents.len(), |v| leaf[v].into());
                counts(Direction::Leaffix, leaves)
            }
            (Measure::WeightedDepth, Some(lengths)) => {
                let length = |(&length, &p): (&f64, &u32)| if p == NONE { 0.0 } else { length };
                if lengths.len() != parents.len() {
                    let (expected, actual) = (parents.len(), lengths.len());
                    return Err(TreeError::Length { what: "lengths", expected, actual });
                }
                let lengths = huge_collect(parents.len(), |v| length((&lengths[v], &parents[v])));
                let found = once(Direction::Rootfix).pass(&lengths, &Sum::new())?;
                Ok(Values::F64(found))
            }
            (Measure::Depth | Measure::WeightedDepth, _) => {
                let edges = huge_collect(parents.len(), |v| i64::from(parents[v] != NONE));
                counts(Direction::Rootfix, edges)
            }
        }
    }

    /// The measure of every vertex; `lengths`, by vertex, are needed for the
    /// weighted depth only, where none count as 1.
    ///
    /// # Errors
    /// If there is not exactly one length per vertex.
    pub fn by_vertex(self, tree: &Tree, lengths: Option<&[f64]>) -> Result<Values, TreefixError> {
        let count = |x: Vec<u32>| -> Vec<u64> {
            tree.positions().iter().map(|&p| u64::from(x[p as usize])).collect()
        };
        Ok(match (self, lengths) {
            (Measure::Height, _) => Values::U64(count(heights(tree))),
            (Measure::Size, _) => Values::U64(count(subtree_sizes(tree))),
            (Measure::Leaves, _) => Values::U64(count(leaf_counts(tree))),
            (Measure::WeightedDepth, Some(lengths)) => {
                let (expected, actual) = (tree.len(), lengths.len());
                let wrong = |_| TreefixError::Length { expected, actual };
                let depths = weighted_depths(tree, &tree.to_positions(lengths).map_err(wrong)?)?;
                Values::F64(tree.positions().iter().map(|&p| depths[p as usize]).collect())
            }
            (Measure::Depth | Measure::WeightedDepth, _) => Values::U64(count(depths(tree))),
        })
    }
}
