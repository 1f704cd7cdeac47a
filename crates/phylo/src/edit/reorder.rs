//! Children in another order.
//!
//! **Problem.** Input: a tree and a key for every vertex. Output: the same tree with the children of each
//! vertex (and the roots) in the order of their keys, ties in the old order.
//!
//! **Method.** A sweep from the root down sorts the children of each vertex and gives every subtree its
//! interval in the new preorder; then all is moved there.
//!
//! **Cost.** O(n + Σ k log k) for k children; 12 bytes per vertex beside the result.

use super::builder::{Builder, Source, check_count};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree, named};

named! {
    /// In which order [`ladderize`] puts children.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum LadderOrder("order") {
        /// Few tips first.
        #[default]
        Ascending = "ascending",
        /// Many tips first.
        Descending = "descending",
    }
}

/// The tree with the children of each vertex by their number of tips, ties in the old order; `lengths`
/// by vertex.
///
/// # Errors
/// When there is not one length per vertex.
pub fn ladderize(
    tree: &Tree,
    lengths: Option<&[f64]>,
    order: LadderOrder,
) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    let mut keys = source.tips();
    if order == LadderOrder::Descending {
        keys.iter_mut().for_each(|tips| *tips = u32::MAX - *tips);
    }
    reordered(&source, &keys)
}

/// The tree with the children of each vertex by the smallest rank of a tip below, ties in the old
/// order. `ranks` go by vertex, as `lengths` do; those of vertices with children do not matter.
///
/// # Errors
/// When arrays have not one entry per vertex.
pub fn sort(tree: &Tree, lengths: Option<&[f64]>, ranks: &[u32]) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    check_count("ranks", tree.len(), ranks.len())?;
    let rank = |i: usize| ranks[tree.vertices()[i] as usize];
    let leaf = |i: usize| tree.sizes()[i] == 1;
    let mut keys: Vec<u32> =
        (0..tree.len()).map(|i| if leaf(i) { rank(i) } else { u32::MAX }).collect();
    for (i, &p) in tree.parents().iter().enumerate().rev() {
        if p != NONE {
            keys[p as usize] = keys[p as usize].min(keys[i]);
        }
    }
    reordered(&source, &keys)
}

/// The tree with children by their keys, which go by position.
fn reordered(source: &Source<'_>, keys: &[u32]) -> Result<Edited, EditError> {
    let tree = source.tree;
    let mut new = vec![0u32; tree.len()];
    let mut family: Vec<u32> = Vec::new();
    let place = |family: &mut Vec<u32>, new: &mut [u32], mut next: u32| {
        family.sort_by_key(|&child| keys[child as usize]);
        for &child in family.iter() {
            new[child as usize] = next;
            next += tree.sizes()[child as usize];
        }
        family.clear();
    };
    family.extend(tree.root_positions());
    place(&mut family, &mut new, 0);
    for i in 0..tree.len() as u32 {
        family.extend(tree.children(i));
        let first = new[i as usize] + 1;
        place(&mut family, &mut new, first);
    }
    let mut old = vec![0u32; tree.len()];
    for (i, &to) in (0..).zip(&new) {
        old[to as usize] = i;
    }
    let mut builder = Builder::new(tree.len(), source.lengths.is_some())?;
    for &i in &old {
        let p = tree.parents()[i as usize];
        let parent = if p == NONE { NONE } else { new[p as usize] };
        let vertex = tree.vertices()[i as usize];
        builder.push(parent, source.of_vertex(vertex), vertex, vertex);
    }
    Ok(builder.done())
}
