//! Shapes without chance: extremes of depth, of degree, and of balance.
//!
//! **Problem.** A number of vertices; the parents of the one tree of that shape.
//!
//! **Cost.** One pass.

use crate::NONE;

fn rooted(n: u32, parent: impl Fn(u32) -> u32) -> Vec<u32> {
    std::iter::once(NONE).chain((1..n).map(parent)).collect()
}

/// Every vertex below the one before it: height `n - 1`.
pub(super) fn path(n: u32) -> Vec<u32> {
    rooted(n, |v| v - 1)
}

/// A path of `⌈n/2⌉` vertices, then one leaf on each while there are any left.
pub(super) fn caterpillar(n: u32) -> Vec<u32> {
    let spine = n.div_ceil(2);
    rooted(n, |v| if v < spine { v - 1 } else { v - spine })
}

/// One vertex with `n - 1` leaves.
pub(super) fn star(n: u32) -> Vec<u32> {
    rooted(n, |_| 0)
}

/// The shape of a binary heap: perfect when `n + 1` is a power of two, otherwise its
/// last level is filled from the left.
pub(super) fn perfect(n: u32) -> Vec<u32> {
    rooted(n, |v| (v - 1) / 2)
}

/// A path of `⌈n/2⌉` vertices, then all others as leaves at its end.
pub(super) fn broom(n: u32) -> Vec<u32> {
    let handle = n.div_ceil(2);
    rooted(n, |v| if v < handle { v - 1 } else { handle - 1 })
}

/// A root with `n - 1 - 2p` leaves, then two paths of `p = ⌊(n - 1)/4⌋` vertices each: equal
/// paths for every `n`, and `⌊n/2⌋` or one more leaves.
pub(super) fn double_broom(n: u32) -> Vec<u32> {
    let path = (n - 1) / 4;
    let second = n - path;
    let first = second - path;
    rooted(n, |v| if v <= first || v == second { 0 } else { v - 1 })
}
