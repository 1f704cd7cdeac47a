//! The tree of ranges of a path, by addresses alone.
//!
//! **Problem.** The vertices of a path are to be joined, two ranges of neighbours at a time, in an
//! order that depends on nothing but their addresses; and a vertex that has a large subtree beside
//! the path, which is late, should have little left to do.
//!
//! **Method.** Addresses are a preorder, and the next vertex of a path is a *last* child: between a
//! vertex v and the next, w, lie the vertices that hang from v beside the path. The *level* of v is
//! the highest bit in which v and w differ: the largest k such that a multiple of 2^k is in
//! v + 1 ..= w. Of a range of neighbours one has the highest level: between two odd multiples
//! of 2^k there is a multiple of 2^(k+1). It speaks for the range, and joins those on its left and on
//! its right, which are of lower levels. That is a binary tree over the path.
//!
//! **Cost.** Levels grow on the way up, and a vertex with w - v ≥ 2^k has a level of at least k. Of
//! all vertices of a path whose subtree has s vertices, one at most has a level above log2 s. So a
//! vertex is at most log2 s - log2 (w - v) + 3 deep.

use crate::plain;

plain! {
    /// The vertex next to a range, and its level.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Side {
        pub(super) at: u32,
        pub(super) level: u8,
    }
}

/// The level of the first vertex of a path, which joins all others in the end.
pub(super) const HEAD: u8 = 32;
/// The level of what is behind the last vertex: nobody.
pub(super) const END: u8 = 33;

/// The level of a vertex, from its address and that of the next on its path.
pub(super) fn level(vertex: u32, next: u32) -> u8 {
    (vertex ^ next).checked_ilog2().unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vertices of a path, their levels; who joins whom is a tree of the stated depth.
    #[test]
    fn late_vertices_are_high_up() {
        for seed in 1..200u64 {
            let mut path = vec![seed as u32 * 77];
            let mut random = seed;
            for _ in 0..100 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
                let gap = 1 + (random >> 33) % (1 << ((random >> 60) % 8));
                path.push(path[path.len() - 1] + gap as u32);
            }
            let size = f64::from(path[path.len() - 1] - path[0]);
            let levels: Vec<u8> = path.windows(2).map(|pair| level(pair[0], pair[1])).collect();
            let mut open = vec![(0, levels.len(), 0)];
            while let Some((first, end, depth)) = open.pop() {
                let Some(&most) = levels[first..end].iter().max() else { continue };
                assert_eq!(levels[first..end].iter().filter(|&&level| level == most).count(), 1);
                let top = first + levels[first..end].iter().position(|&l| l == most).unwrap();
                let beside = f64::from(path[top + 1] - path[top]);
                assert!(f64::from(depth) <= size.log2() - beside.log2() + 3.0);
                open.extend([(first, top, depth + 1), (top + 1, end, depth + 1)]);
            }
        }
    }
}
