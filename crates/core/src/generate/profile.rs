//! A tree with a given number of vertices and a given height, shaped like a breadth-first
//! spanning tree.
//!
//! **Problem.** A number of vertices and a height (edges on the longest path from the root);
//! the parents, in breadth-first order, of a tree that has exactly both.
//!
//! **Method.** Every level gets one vertex, which makes the height exact; the others are
//! spread over levels `1..=h` as a parabola, the hump that breadth-first search of a mesh
//! shows: the first `d` levels hold the share `3t² - 2t³`, `t = d/h`, in integers. Each
//! vertex draws its parent uniformly from the level above. Siblings are numbered together
//! and in their parents' order, as a search numbers them.
//!
//! **Cost.** One draw and one counter increment per vertex, within one level's counters.
//!
//! **Reference.** The sizes and heights of [`PAPER_PROFILES`] are Table I of the paper on
//! treefix operations on the GPU, where the trees are breadth-first spanning trees of these
//! sparse matrices.
//!
//! **When not to use.** Where the degrees matter: a matrix's own spanning tree has others.

use super::GenerateError;
use crate::NONE;
use crate::random::Random;

/// Name, number of vertices and height of the spanning trees of Table I.
pub const PAPER_PROFILES: [(&str, u32, u32); 10] = [
    ("af_shell9", 504_855, 490),
    ("audikw1", 943_695, 236),
    ("ldoor", 952_203, 784),
    ("af_shell10", 1_508_065, 1098),
    ("G3_circuit", 1_585_478, 705),
    ("kkt_power", 2_063_494, 36),
    ("nlpkkt120", 3_542_400, 123),
    ("cage15", 5_154_859, 81),
    ("nlpkkt160", 8_345_600, 163),
    ("nlpkkt200", 16_240_000, 203),
];

/// Whether some tree has this many vertices and this height.
pub(super) fn check(vertices: u32, height: u32) -> Result<(), GenerateError> {
    let possible = match vertices {
        0 => return Err(GenerateError::Empty),
        1 => height == 0,
        _ => 0 < height && height < vertices,
    };
    if possible { Ok(()) } else { Err(GenerateError::Height { vertices, height }) }
}

pub(super) fn profile(n: u32, height: u32, random: &mut Random) -> Result<Vec<u32>, GenerateError> {
    check(n, height)?;
    let mut parents = Vec::with_capacity(n as usize);
    parents.push(NONE);
    let mut above = 0..1u32;
    let mut children = Vec::new();
    for width in widths(n, height) {
        children.clear();
        children.resize(above.len(), 0u32);
        for _ in 0..width {
            children[random.below(above.len() as u32) as usize] += 1;
        }
        for (parent, &count) in above.clone().zip(&children) {
            parents.extend(std::iter::repeat_n(parent, count as usize));
        }
        above = above.end..parents.len() as u32;
    }
    Ok(parents)
}

/// The widths of levels `1..=height`.
fn widths(n: u32, height: u32) -> impl Iterator<Item = u32> {
    let spread = u128::from(n - 1 - height);
    let h = u128::from(height);
    // Below 2^127, because spread + h < 2^32.
    let before = move |d: u128| spread * (3 * d * d * h - 2 * d * d * d) / (h * h * h);
    (1..=h).map(move |d| 1 + (before(d) - before(d - 1)) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up_and_form_a_hump() {
        for (_, n, height) in PAPER_PROFILES {
            let widths: Vec<u32> = widths(n, height).collect();
            assert_eq!(widths.len(), height as usize);
            assert_eq!(1 + widths.iter().sum::<u32>(), n);
            let half = widths.len() / 2;
            assert!(widths[half] > 3 * widths[0]);
            assert!(widths[half] > 3 * widths[widths.len() - 1]);
        }
    }

    #[test]
    fn the_largest_sizes_do_not_overflow() {
        let n = u32::MAX - 1;
        let height = n / 4 * 3;
        let first: u64 = widths(n, height).take(5).map(u64::from).sum();
        assert!(first >= 5);
    }
}
