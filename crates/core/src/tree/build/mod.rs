//! From parents in any order to a tree in preorder.
//!
//! **Problem.** Input: the parent of every vertex. Output: the tree's four arrays,
//! or what is wrong with the input.
//!
//! **Method.** Parents in preorder are taken as they are (`preorder.rs`). Otherwise count children
//! and notice the order of the input on the way. Subtree sizes: one sweep when parents come before (or after) all children,
//! else by [peeling](crate::peel). Then every vertex claims its place among its
//! siblings (`claim.rs`), and going down from the root places become positions
//! (`place.rs`): each vertex then writes itself and its parent's position at its
//! own position, and two sweeps over that array give the rest.
//!
//! **Cost.** O(n) work. With shuffled labels about six random cache lines per vertex,
//! all asked for ahead of use; at most 28 bytes per vertex beside the 16 to 20 of the
//! result. Whether they are there is asked first.
//!
//! **Determinism.** The result depends on the input only.

mod claim;
mod place;
mod preorder;

use super::order::Given;
use super::{SiblingOrder, Tree, TreeParams};
use crate::memory::{check_room, huge_copy, huge_vec, prefetch};
use crate::peel::{ChildCounts, Peeled, Sizes, peel};
use crate::{NONE, TreeError};
use place::Placed;

/// How far ahead of its use a cache line is asked for.
const AHEAD: usize = 32;

/// Below this many vertices, which a cache holds, one task peels faster than several, whose additions are
/// atomic.
const SHARED_FROM: usize = 1 << 22;

/// Orders in which parents come before children.
enum Down {
    Ascending,
    Descending,
    Peeled(Peeled),
}

pub(super) fn build(parents: &[u32], params: TreeParams) -> Result<Tree, TreeError> {
    check_room(parents.len() as u64 * Tree::BYTES_TO_BUILD).map_err(TreeError::NoRoom)?;
    if params.siblings == SiblingOrder::AsGiven
        && let Some((tree, roots)) = preorder::in_preorder(parents)
    {
        one_root(&roots, params)?;
        return Ok(tree);
    }
    let mut counts = ChildCounts::new(parents)?;
    let roots = std::mem::take(&mut counts.roots);
    let ascending = counts.ascending;
    let (words, down) = sizes(parents, counts)?;
    one_root(&roots, params)?;
    let (links, words) = claim::offsets(parents, words, params.siblings);
    let Placed { parent, size, vertex_at, position_of } =
        place::positions(&roots, links, words, &down);
    drop(down);
    let given = match ascending && params.siblings == SiblingOrder::AsGiven {
        true => Given::ParentsFirst(huge_copy(parents)),
        false => Given::Other,
    };
    Ok(Tree { parent, size, vertex_at, position_of, given, roots: roots.len() as u32 })
}

/// There is one root where a forest is not wanted.
fn one_root(roots: &[u32], params: TreeParams) -> Result<(), TreeError> {
    match (roots, params.forest) {
        (&[first, second, ..], false) => {
            Err(TreeError::ManyRoots { first, second, count: roots.len() })
        }
        _ => Ok(()),
    }
}

/// The size of every vertex's subtree, in the low half of a word each.
fn sizes(parents: &[u32], counts: ChildCounts) -> Result<(Vec<u64>, Down), TreeError> {
    let n = parents.len();
    let fold = |size: &mut [u64], v: usize, far: usize| {
        if let Some(&far) = parents.get(far) {
            prefetch(size, far as usize);
        }
        if parents[v] != NONE {
            size[parents[v] as usize] += size[v];
        }
    };
    if counts.ascending {
        let mut size = huge_vec(n, 1);
        (0..n).rev().for_each(|v| fold(&mut size, v, v.wrapping_sub(AHEAD)));
        return Ok((size, Down::Ascending));
    }
    if counts.descending {
        let mut size = huge_vec(n, 1);
        (0..n).for_each(|v| fold(&mut size, v, v + AHEAD));
        return Ok((size, Down::Descending));
    }
    // Where few have children, tasks would wait for each other at these.
    let shared = n >= SHARED_FROM && !counts.few_have_children();
    let store = Sizes::new(counts);
    let peeled = peel(parents, &store, if shared { rayon::current_num_threads() } else { 1 });
    if peeled.finished() < n {
        return Err(find_cycle(parents, &peeled));
    }
    Ok((store.into_words(), Down::Peeled(peeled)))
}

/// Names a cycle: walking up from the first vertex that was not finished leads
/// into one.
#[cold]
fn find_cycle(parents: &[u32], peeled: &Peeled) -> TreeError {
    const FINISHED: u8 = 1;
    const SEEN: u8 = 2;
    let mut state = vec![0u8; parents.len()];
    for &v in peeled.queues.iter().flatten().chain(&peeled.top) {
        state[v as usize] = FINISHED;
    }
    let mut v = state.iter().position(|&s| s == 0).unwrap_or(0);
    while state[v] != SEEN {
        state[v] = SEEN;
        v = parents[v] as usize;
    }
    let (mut vertices, mut length, mut w) = (vec![v as u32], 1, parents[v] as usize);
    while w != v {
        if vertices.len() < 8 {
            vertices.push(w as u32);
        }
        length += 1;
        w = parents[w] as usize;
    }
    TreeError::Cycle { vertices, length }
}
