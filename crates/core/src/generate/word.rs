//! Uniformly random binary trees, and full ones.
//!
//! **Problem.** A number of vertices `n`; the parents, in preorder, of one of the
//! Catalan-many binary trees with `n` vertices (each with a left and a right child, either
//! or both missing), all equally likely. Any `n` works, odd or even.
//!
//! **Method.** Adding the missing children gives `n` inner vertices and `n + 1` leaves,
//! and reading those in preorder gives a word. Of the `2n + 1` rotations of any word with
//! `n` inner letters and `n + 1` leaf letters exactly one is such a preorder (the cycle
//! lemma): the one that begins after the first place where the walk +1 / -1 is lowest.
//! So a random word, rotated there, is a uniform tree. A stack decodes it. With its leaves
//! it is a uniform full binary tree.
//!
//! **Cost.** `2n + 1` draws and as many bytes; the stack is as deep as the tree, about
//! `√n`. Rémy's algorithm makes the same distribution, but jumps through memory at random.
//!
//! **Reference.** Dvoretzky and Motzkin, *A problem of arrangements*, 1947; Rémy, 1985; mean
//! depth about `√(πn)`: Flajolet and Odlyzko, *The average height of binary trees*, 1982.
//!
//! **When not to use.** For more than 2^31 vertices: memory for the word is then 4 GiB.

use crate::NONE;
use crate::random::Random;

/// A uniformly random binary tree with `n` vertices.
pub(super) fn binary(n: u32, random: &mut Random) -> Vec<u32> {
    let word = random_word(n, random);
    let start = lowest(&word);
    let mut parents = Vec::with_capacity(n as usize);
    let mut free = vec![NONE];
    for &inner in word[start..].iter().chain(&word[..start]) {
        let parent = free.pop().unwrap_or(NONE);
        if inner {
            let vertex = parents.len() as u32;
            parents.push(parent);
            free.extend([vertex, vertex]);
        }
    }
    parents
}

/// A uniformly random full binary tree: every vertex has two children or none. An even
/// `n` adds a stem above the first split.
pub(super) fn full_binary(n: u32, random: &mut Random) -> Vec<u32> {
    let stem = n.is_multiple_of(2);
    let word = random_word((n - u32::from(stem) - 1) / 2, random);
    let start = lowest(&word);
    let mut parents = Vec::with_capacity(n as usize);
    let mut free = vec![NONE];
    if stem {
        parents.push(NONE);
        free = vec![0];
    }
    for &inner in word[start..].iter().chain(&word[..start]) {
        let vertex = parents.len() as u32;
        parents.push(free.pop().unwrap_or(NONE));
        if inner {
            free.extend([vertex, vertex]);
        }
    }
    parents
}

/// A uniformly random word of `n` inner letters (`true`) and `n + 1` leaf letters.
///
/// A shuffle of a sorted word, done in order: the next letter is drawn among the letters
/// that are left. Runs of one letter need no draws.
fn random_word(n: u32, random: &mut Random) -> Vec<bool> {
    let length = 2 * n as usize + 1;
    let mut word = Vec::with_capacity(length);
    let (mut inner, mut leaves) = (u64::from(n), u64::from(n) + 1);
    while inner > 0 && leaves > 0 {
        let letter = random.below_wide(inner + leaves) < inner;
        word.push(letter);
        inner -= u64::from(letter);
        leaves -= u64::from(!letter);
    }
    word.resize(length, inner > 0);
    word
}

/// The index after the first place where the walk is lowest.
fn lowest(word: &[bool]) -> usize {
    let (mut height, mut least, mut start) = (0i64, i64::MAX, 0);
    for (i, &inner) in word.iter().enumerate() {
        height += if inner { 1 } else { -1 };
        if height < least {
            least = height;
            start = i + 1;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Purpose;

    #[test]
    fn all_trees_of_three_vertices_are_equally_likely() {
        // Of the five binary trees, four are paths and one is a cherry.
        let mut random = Random::new(5, Purpose::Shape);
        let cherries = (0..10_000).filter(|_| binary(3, &mut random) == [NONE, 0, 0]).count();
        assert!(cherries.abs_diff(2000) < 200, "{cherries}");
    }
}
