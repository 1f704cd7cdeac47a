//! The preorder cut into blocks of fixed length, for the threads engines.
//!
//! A vertex is **open** in its block when its subtree goes on behind the block's
//! end. The open vertices of a block are the ancestors of the first position behind
//! it, so they form one chain, found by walking up from there. Everything else
//! in the block is closed: its subtree lies inside.

use palmette_core::Tree;
use std::ops::Range;

/// Positions a block; fixed, so that answers do not depend on the threads.
pub(crate) const BLOCK: usize = 1 << 15;

/// The blocks of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    tree: &'a Tree,
}

impl<'a> Blocks<'a> {
    pub(crate) fn new(tree: &'a Tree) -> Self {
        Blocks { tree }
    }

    pub(crate) fn count(self) -> usize {
        self.tree.len().div_ceil(BLOCK)
    }

    pub(crate) fn range(self, block: usize) -> Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.tree.len())
    }

    /// The open vertices of a block, deepest first.
    pub(crate) fn open(self, block: usize) -> impl Iterator<Item = usize> + 'a {
        let parents = self.tree.parents();
        let Range { start, end } = self.range(block);
        let mut at = parents.get(end).map_or(usize::MAX, |&p| p as usize);
        // A chain in a block is mostly at consecutive positions. Testing for that
        // lets the processor go on before the parent has been loaded.
        std::iter::from_fn(move || {
            let here = at;
            if here < start || here >= end {
                return None;
            }
            let p = parents[here] as usize;
            at = if p == here.wrapping_sub(1) { here.wrapping_sub(1) } else { p };
            Some(here)
        })
    }
}
