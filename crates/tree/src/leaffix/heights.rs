//! **Problem.** The height of every vertex from a bare parent array, with no tree made first: the
//! number of edges to the deepest vertex below.
//!
//! **Method.** A parent is at least one higher than its child. Children before parents in one sweep:
//! from the end or from the beginning of the array where its order allows, else in the order that
//! [peeling](palmette_core::peel) leaves, which says what cache lines come next.
//!
//! **Cost.** O(n); 16 bytes per vertex beside the answer where vertices are in no order.
//!
//! **Determinism.** Integers.

use palmette_core::memory::{check_room, huge_zeroed, prefetch};
use palmette_core::peel::{ChildCounts, Sizes, parents_come_first, peel};
use palmette_core::{NONE, TreeError};

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 24;

/// The heights by the user's vertices.
///
/// ```
/// use palmette_core::NONE;
/// use palmette_tree::leaffix::heights_from_parents;
/// assert_eq!(heights_from_parents(&[2, 0, NONE, 2]).unwrap(), [1, 0, 2, 0]);
/// ```
///
/// # Errors
/// A parent out of range, or a cycle. Several roots are allowed.
pub fn heights_from_parents(parents: &[u32]) -> Result<Vec<u64>, TreeError> {
    let n = parents.len();
    let mut heights: Vec<u64> = huge_zeroed(n);
    let mut lift = |v: usize| {
        let p = parents[v];
        if p != NONE {
            heights[p as usize] = heights[p as usize].max(heights[v] + 1);
        }
    };
    if parents_come_first(parents) {
        (0..n).rev().for_each(lift);
        return Ok(heights);
    }
    let counts = ChildCounts::new(parents)?;
    if counts.descending {
        (0..n).for_each(lift);
        return Ok(heights);
    }
    // Sizes, parents and the order.
    check_room(16 * n as u64).map_err(TreeError::NoRoom)?;
    let peeled = peel(parents, &Sizes::new(counts), 1);
    if peeled.finished() < n {
        return Err(super::raw::cycle(parents));
    }
    for order in peeled.queues.iter().chain([&peeled.top]) {
        for (i, &v) in order.iter().enumerate() {
            if let Some(&far) = order.get(i + 2 * AHEAD) {
                prefetch(parents, far as usize);
            }
            lift(v as usize);
        }
    }
    Ok(heights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::Tree;
    use palmette_core::generate::{GenerateParams, Shape};

    #[test]
    fn heights_are_those_of_the_tree() {
        for shape in ["random:40000", "path:40000", "caterpillar:999", "star:5000", "perfect:1023"]
        {
            for shuffle in [false, true] {
                let (shape, n) = Shape::with_size(shape).expect("a shape");
                let params = GenerateParams { shape, n: Some(n), seed: 3, shuffle };
                let parents = params.generate().expect("a tree");
                let turned: Vec<u32> = parents.iter().rev().map(|&p| mirrored(p, n)).collect();
                for parents in [parents, turned] {
                    let tree = Tree::from_parents(&parents).expect("a tree");
                    let mut slow = vec![0u64; parents.len()];
                    for (i, &p) in tree.parents().iter().enumerate().rev() {
                        if p != NONE {
                            slow[p as usize] = slow[p as usize].max(slow[i] + 1);
                        }
                    }
                    let expected = tree.to_vertices(&slow).expect("one per vertex");
                    assert_eq!(heights_from_parents(&parents).expect("a tree"), expected);
                }
            }
        }
        assert!(matches!(heights_from_parents(&[1, 0, NONE]), Err(TreeError::Cycle { .. })));
        let far = heights_from_parents(&[NONE, 7]);
        assert!(matches!(far, Err(TreeError::ParentOutOfRange { .. })), "{far:?}");
        assert_eq!(heights_from_parents(&[NONE, NONE, 1]).expect("a forest"), [0, 1, 0]);
    }

    fn mirrored(p: u32, n: usize) -> u32 {
        if p == NONE { NONE } else { n as u32 - 1 - p }
    }
}
