//! The longest path of a tree.
//!
//! **Problem.** Input: a tree or forest, perhaps a nonnegative length for every
//! edge. Output: the two ends of a longest path and its length, for every
//! component or for the longest one.
//!
//! **Method.** One scan from the last position to the first keeps for every
//! vertex the farthest vertex below it and how far that is. When a child is
//! folded into its parent, the best path through the parent that ends below this
//! child joins the child's farthest vertex to the parent's so far.
//!
//! **Cost.** O(n) work, one scan; 8 bytes per vertex while it runs (12 with
//! lengths). Sequential, no recursion.
//!
//! **Determinism.** Among longest paths the one with the smallest first end, then
//! the smallest second, where the first is the smaller: what the scan keeps at a
//! vertex is the smallest of the farthest, and every pair of ends is met at its
//! LCA. Lengths are added from the ends towards the LCA; with floating point
//! "longest" and "tie" refer to these sums, whose relative error is below
//! h·2⁻⁵³ to first order for h edges.
//!
//! **Reference.** C. Jordan (1869) for the shape; the one-pass form is folklore.
//!
//! **When not to use.** For the distance between given vertices, see
//! [`HeavyPaths::distance`](super::HeavyPaths::distance).

use super::PathError;
use palmette_core::Tree;
use std::ops::Add;

/// A longest path: where it ends and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongestPath<L> {
    /// The positions of both ends, the smaller one first.
    pub ends: (u32, u32),
    /// Its length.
    pub length: L,
}

/// The longest path by the number of edges; `None` for the empty tree.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::{LongestPath, diameter};
/// let tree = Tree::from_parents(&[NONE, 0, 1, 0]).unwrap();
/// assert_eq!(diameter(&tree), Some(LongestPath { ends: (2, 3), length: 3 }));
/// ```
pub fn diameter(tree: &Tree) -> Option<LongestPath<u32>> {
    longest(diameters(tree))
}

/// The longest path of every component by the number of edges, in the order of
/// the roots.
pub fn diameters(tree: &Tree) -> Vec<LongestPath<u32>> {
    scan(tree, |_| 1u32)
}

/// The longest path by lengths of edges, where `lengths` holds by position the
/// length of the edge to the parent (a root's is ignored); `None` for the empty tree.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::paths::diameter_weighted;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 0]).unwrap();
/// let path = diameter_weighted(&tree, &[0.0, 0.5, 4.0, 0.0]).unwrap().unwrap();
/// assert_eq!((path.ends, path.length), ((0, 2), 4.5));
/// ```
///
/// # Errors
/// If there is not exactly one length per vertex, or a length is negative or not finite.
pub fn diameter_weighted(
    tree: &Tree,
    lengths: &[f64],
) -> Result<Option<LongestPath<f64>>, PathError> {
    Ok(longest(diameters_weighted(tree, lengths)?))
}

/// The longest path of every component by lengths of edges, in the order of the
/// roots; see [`diameter_weighted`].
///
/// # Errors
/// As [`diameter_weighted`].
pub fn diameters_weighted(
    tree: &Tree,
    lengths: &[f64],
) -> Result<Vec<LongestPath<f64>>, PathError> {
    PathError::check_count("lengths", tree.len(), lengths.len())?;
    let bad = |i: &usize| {
        tree.parent(*i as u32).is_some() && !(lengths[*i] >= 0.0 && lengths[*i].is_finite())
    };
    if let Some(i) = (0..lengths.len()).find(bad) {
        return Err(PathError::EdgeLength { position: i as u32, length: lengths[i] });
    }
    Ok(scan(tree, |i| lengths[i]))
}

/// The first of the longest: components come in the order of their positions.
fn longest<L: PartialOrd + Copy>(paths: Vec<LongestPath<L>>) -> Option<LongestPath<L>> {
    paths.into_iter().reduce(|best, path| if path.length > best.length { path } else { best })
}

fn scan<L: Copy + Default + PartialOrd + Add<Output = L>>(
    tree: &Tree,
    edge: impl Fn(usize) -> L,
) -> Vec<LongestPath<L>> {
    let n = tree.len() as u32;
    let mut reach = vec![L::default(); tree.len()];
    let mut farthest: Vec<u32> = (0..n).collect();
    let mut found = Vec::with_capacity(tree.roots());
    let mut best: Option<LongestPath<L>> = None;
    for i in (0..n).rev() {
        let (at, far) = (i as usize, farthest[i as usize]);
        let candidate = if let Some(p) = tree.parent(i) {
            let (p, r) = (p as usize, reach[at] + edge(at));
            let ends = (far.min(farthest[p]), far.max(farthest[p]));
            let through = LongestPath { ends, length: r + reach[p] };
            // Of equally far vertices the smallest: the parent itself, else in the first child.
            if r > reach[p] || (r == reach[p] && far < farthest[p]) {
                (reach[p], farthest[p]) = (r, far);
            }
            through
        } else {
            LongestPath { ends: (i, i), length: L::default() }
        };
        let better = best.is_none_or(|b| {
            candidate.length > b.length || (candidate.length == b.length && candidate.ends < b.ends)
        });
        if better {
            best = Some(candidate);
        }
        if tree.parent(i).is_none() {
            found.extend(best.take());
        }
    }
    found.reverse();
    found
}
