//! Folds with a finish over trees whose vertices lie on many ranks.
//!
//! **Problem.** As [`fold`](crate::fold), for operators whose sum over children does not depend on their
//! order: the values of the roots, and what is noted on the way. No rank has the whole tree.
//!
//! **Method.** What is combined at a vertex must be finished before it goes further up, so that paths cannot be
//! halved as with a monoid. The tree is laid out in the preorder in which the largest child comes last
//! (`order.rs`), and cut into even stretches, one per rank. Then
//! 1. every rank folds the subtrees that lie wholly in its stretch, all at the same time; of those with
//!    16 vertices or more the values are kept;
//! 2. from the last rank to the first, each sweeps what is left of its stretch: vertices whose subtrees end on
//!    later ranks, and small subtrees below them. What it is told, and tells the rank before it, are sums over children
//!    of vertices on earlier ranks. Blocks of columns follow each other, so that all ranks are busy.
//!
//! Vertices before a cut that have children after it have their largest child there: each has at least twice the vertices of the
//! next one, so that there are at most log₂ n of them.
//!
//! **Cost.** Work n/p per rank and block. Step 2 takes as long as the rank with the longest paths over the cuts, at
//! most (groups of blocks + p) / groups times n/p. Words: log₂ n sums per cut and block. Memory: the stretch,
//! a value per subtree that is kept, and what waits for its parent.
//!
//! **Determinism.** Sums over children may be combined in any order, which the operator must allow.
//!
//! **When not to use.** Where a machine has room for the tree: [`live`](crate::fold::live) needs no order. A vertex with
//! most of all vertices as its children is swept rank by rank.

mod order;
mod sweep;
#[cfg(test)]
mod tests;
mod turns;

pub use sweep::Scalar;

use super::blocks::{Blocks, settle};
use super::ranks::{Metered, Ranks};
use super::{DistributedError, DistributedTree};
use std::ops::Range;

/// Subtrees with so many vertices are folded before anything is sent.
const LARGE: u64 = 16;

/// A tree in stretches of a preorder, for folds.
pub struct FoldSlices {
    blocks: Blocks,
    most_children: u64,
    /// By place in the stretch, where the subtree ends, at most at the end of the stretch.
    ends: Vec<u32>,
    /// By place, the children in the stretch.
    children: Vec<u32>,
    /// Whole subtrees of `LARGE` vertices or more, the last one first.
    subtrees: Vec<Range<u32>>,
    /// Vertices before the end of the stretch, and before its beginning, with children behind it; the
    /// deepest first.
    after: Vec<u64>,
    before: Vec<u64>,
    /// How many of the places whose parents are on earlier ranks each of `before` has as children.
    outside: Vec<u32>,
}

/// A vertex with children behind a cut, and where its subtree ends.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cut {
    position: u64,
    end: u64,
}

impl FoldSlices {
    /// Lays out a tree for folds. `parents` are those that it was built from.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        tree: &DistributedTree,
        parents: &[u64],
    ) -> Result<FoldSlices, DistributedError> {
        let (places, most_children) = order::places(ranks, tree, parents)?;
        ranks.phase("blocks");
        let blocks = settle(ranks, tree.slices().clone(), places)?;
        let own = blocks.blocks.of(ranks.rank());
        let sizes = &blocks.sizes;
        let ends: Vec<u64> = (own.start..).zip(sizes).map(|(at, size)| at + size).collect();
        // What lies open before the end of the stretch, of its own vertices.
        let mut open: Vec<Cut> = Vec::new();
        for (position, &end) in (own.start..).zip(&ends) {
            if end > own.end {
                deepest(&mut open, Cut { position, end });
            }
        }
        let words: Vec<u64> = open.iter().flat_map(|cut| [cut.position, cut.end]).collect();
        let mail = ranks.gather(&words)?;
        let mut all: Vec<Cut> = Vec::new();
        let mut before = Vec::new();
        for (rank, words) in mail.by_rank().enumerate() {
            if rank == ranks.rank() {
                before = behind(&all, own.start);
            }
            for &[position, end] in words.as_chunks::<2>().0 {
                deepest(&mut all, Cut { position, end });
            }
            if rank == ranks.rank() {
                break;
            }
        }
        let after = behind(&all, own.end);
        let (children, outside) = count_children(&own, &ends, &before);
        let positions = |cuts: &[Cut]| cuts.iter().map(|cut| cut.position).collect();
        Ok(FoldSlices {
            subtrees: subtrees(&own, &ends),
            ends: ends.iter().map(|&end| (end.min(own.end) - own.start) as u32).collect(),
            most_children,
            children,
            outside,
            after: positions(&after),
            before: positions(&before),
            blocks,
        })
    }

    /// Vertices of the stretch.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the stretch has none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Vertices of all ranks.
    pub fn total(&self) -> u64 {
        self.blocks.blocks.total()
    }

    /// The most children that a vertex of any rank has.
    pub fn most_children(&self) -> u64 {
        self.most_children
    }

    /// By vertex of the own slice, its position in the preorder of all.
    pub fn positions(&self) -> &[u64] {
        &self.blocks.positions
    }

    /// The rank of a position, and the place there.
    pub fn place_of(&self, position: u64) -> (usize, u32) {
        let rank = self.blocks.blocks.owner(position);
        (rank, (position - self.blocks.blocks.of(rank).start) as u32)
    }

    /// Whether the vertex at a place of the stretch is a leaf.
    pub fn is_leaf(&self, place: u32) -> bool {
        self.blocks.sizes[place as usize] == 1
    }

    fn start(&self) -> u64 {
        self.blocks.start()
    }
}

/// Adds a vertex below those that are there; of those with one end only the deepest has children behind
/// a cut.
fn deepest(open: &mut Vec<Cut>, cut: Cut) {
    let hides = |last: &Cut| last.end <= cut.position || last.end == cut.end;
    while open.last().is_some_and(hides) {
        open.pop();
    }
    open.push(cut);
}

/// Those with children at a position or behind it, the deepest first.
fn behind(open: &[Cut], at: u64) -> Vec<Cut> {
    open.iter().rev().filter(|cut| cut.end > at).copied().collect()
}

/// The children of each place in the stretch, and how many children each vertex of `before` has there.
fn count_children(own: &Range<u64>, ends: &[u64], before: &[Cut]) -> (Vec<u32>, Vec<u32>) {
    let (mut children, mut outside) = (vec![0u32; ends.len()], vec![0u32; before.len()]);
    let mut open: Vec<usize> = Vec::new();
    let mut above = 0;
    for (place, position) in (0..ends.len()).zip(own.start..) {
        while open.last().is_some_and(|&parent| ends[parent] <= position) {
            open.pop();
        }
        match open.last() {
            Some(&parent) => children[parent] += 1,
            None => {
                while before.get(above).is_some_and(|cut| cut.end <= position) {
                    above += 1;
                }
                // Otherwise a root.
                if let Some(count) = outside.get_mut(above) {
                    *count += 1;
                }
            }
        }
        open.push(place);
    }
    (children, outside)
}

/// The largest subtrees that lie wholly in the stretch and are large, the last one first.
fn subtrees(own: &Range<u64>, ends: &[u64]) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < ends.len() {
        let end = ends[place];
        let next = (end - own.start) as usize;
        if end > own.end {
            place += 1;
        } else {
            if (next - place) as u64 >= LARGE {
                found.push(place as u32..next as u32);
            }
            place = next;
        }
    }
    found.reverse();
    found
}
