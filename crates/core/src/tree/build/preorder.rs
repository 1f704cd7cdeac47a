//! Parents that are in preorder already, as files of trees have them.
//!
//! **Problem.** Is every subtree an interval that begins at its root? Then vertices are positions.
//! **Method.** Sizes from the last vertex up. If each vertex's interval of so many is within its parent's, all that is
//! below a vertex is in its interval, which has no room for anything else. Whether each parent is on the way
//! up from the vertex before is looked at first for a few vertices, so that other orders cost next to nothing.
//! **Cost.** Three sweeps over parents and sizes, which find their parents nearby.

use crate::memory::{huge_collect, huge_copy, huge_vec};
use crate::peel::parents_come_first;
use crate::tree::order::Given;
use crate::{NONE, Tree};

/// Vertices that are looked at first.
const SAMPLE: usize = 1 << 10;
/// Vertices that are looked at together.
const ROW: usize = 1 << 12;

/// The tree of parents that are in preorder, and its roots; nothing for others.
pub(super) fn in_preorder(parents: &[u32]) -> Option<(Tree, Vec<u32>)> {
    if !begins_so(parents) || !parents_come_first(parents) {
        return None;
    }
    let n = parents.len();
    let mut size: Vec<u32> = huge_vec(n, 1);
    for v in (0..n).rev() {
        if parents[v] != NONE {
            size[parents[v] as usize] += size[v];
        }
    }
    let within = |(k, row): (usize, &[u32])| {
        let fits = |(&p, v): (&u32, u32)| p == NONE || v + size[v as usize] <= p + size[p as usize];
        row.iter().zip((k * ROW) as u32..).fold(true, |all, x| all & fits(x))
    };
    if !parents.chunks(ROW).enumerate().all(within) {
        return None;
    }
    let mut roots = Vec::new();
    let mut root = 0;
    while root < n {
        roots.push(root as u32);
        root += size[root] as usize;
    }
    let same = |_: ()| huge_collect(n, |i| i as u32);
    let (vertex_at, position_of) = (same(()), same(()));
    let (parent, count) = (huge_copy(parents), roots.len() as u32);
    let given = Given::Preorder;
    Some((Tree { parent, size, vertex_at, position_of, given, roots: count }, roots))
}

/// Whether each of the first parents is an ancestor of the vertex before, or that vertex.
fn begins_so(parents: &[u32]) -> bool {
    let mut before = NONE;
    for (v, &p) in (0..).zip(&parents[..parents.len().min(SAMPLE)]) {
        while before != p && before != NONE {
            before = parents[before as usize];
        }
        if before != p || p != NONE && p >= v {
            return false;
        }
        before = v;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether each subtree is an interval that begins at its root, by looking at all pairs.
    fn is_preorder(parents: &[u32]) -> bool {
        let n = parents.len();
        let above = |v: usize| {
            std::iter::successors(Some(v as u32), |&v| {
                Some(parents[v as usize]).filter(|&p| p != NONE)
            })
        };
        (0..n).all(|root| {
            let below: Vec<usize> =
                (0..n).filter(|&v| above(v).any(|u| u as usize == root)).collect();
            below.iter().zip(root..).all(|(&v, expected)| v == expected)
        })
    }

    #[test]
    fn all_small_forests() {
        let mut found = 0;
        // Parents of five vertices, each an earlier one or none.
        for code in 0..120usize {
            let (mut rest, mut parents) = (code, Vec::new());
            for v in 0..5 {
                parents.push(((rest % (v + 1)) as u32).wrapping_sub(1));
                rest /= v + 1;
            }
            let tree = in_preorder(&parents);
            assert_eq!(tree.is_some(), is_preorder(&parents), "{parents:?}");
            let Some((tree, roots)) = tree else { continue };
            found += 1;
            assert_eq!(tree.parents(), parents);
            assert_eq!(tree.vertices(), [0, 1, 2, 3, 4]);
            assert_eq!(tree.positions(), [0, 1, 2, 3, 4]);
            assert_eq!(roots.len(), parents.iter().filter(|&&p| p == NONE).count());
            assert!(roots.iter().all(|&r| parents[r as usize] == NONE));
            let counts =
                (0..5).map(|v| (0..5).filter(|&w| is_below(&parents, w, v)).count() as u32);
            assert_eq!(tree.sizes(), counts.collect::<Vec<_>>());
        }
        // Ordered forests of five vertices.
        assert_eq!(found, 42);
    }

    fn is_below(parents: &[u32], v: u32, root: u32) -> bool {
        std::iter::successors(Some(v), |&v| Some(parents[v as usize]).filter(|&p| p != NONE))
            .any(|u| u == root)
    }

    #[test]
    fn what_is_not_seen_at_first() {
        // A path, and behind it a vertex whose parent is not above the one before.
        let mut parents: Vec<u32> = (0..3000u32).map(|v| v.wrapping_sub(1)).collect();
        assert!(in_preorder(&parents).is_some());
        parents.extend([5, 4, 2999]);
        assert!(in_preorder(&parents).is_none());
    }
}
