//! Trees that grow by one leaf at a time.
//!
//! **Problem.** A number of vertices; the parents of a tree in which vertex `i` chose its
//! parent among the vertices before it.
//!
//! **Method.** The random recursive tree chooses uniformly. Preferential attachment
//! chooses in proportion to degree (edges up and down): the `i - 1` edges so far have
//! `2(i - 1)` ends, and a uniformly chosen end is the vertex it lies on. The ends need no
//! list: edge `e` joins vertex `e` and its parent.
//!
//! **Cost.** One draw a vertex; preferential attachment reads one random entry each.
//!
//! **Reference.** Na and Rapoport, *Distribution of nodes of a tree by degree*, 1970 (mean
//! depth about `ln n`); Barabási and Albert, *Emergence of scaling in random networks*, 1999.

use crate::NONE;
use crate::random::Random;

/// The parent of `i` is uniform below `i`.
pub(super) fn recursive(n: u32, random: &mut Random) -> Vec<u32> {
    std::iter::once(NONE).chain((1..n).map(|i| random.below(i))).collect()
}

/// The parent of `i` is chosen in proportion to its degree.
pub(super) fn preferential(n: u32, random: &mut Random) -> Vec<u32> {
    let mut parents = Vec::with_capacity(n as usize);
    parents.push(NONE);
    if n > 1 {
        parents.push(0);
    }
    for i in 2..n {
        // Drawing the edge and the end apart keeps the bound within 32 bits.
        let edge = 1 + random.below(i - 1);
        let lower = random.below(2) == 0;
        parents.push(if lower { edge } else { parents[edge as usize] });
    }
    parents
}
