//! Orders of a tree: how siblings are sorted in the preorder, how the user numbered the vertices,
//! and the positions by level (breadth first).

use super::Tree;
use crate::Lists;

/// The order of the children of a vertex in the tree's preorder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SiblingOrder {
    /// As in the input.
    #[default]
    AsGiven,
    /// Smallest subtree first; ties as in the input.
    LightFirst,
    /// Largest subtree first; ties as in the input.
    HeavyFirst,
}

/// How the user's vertices are numbered, as far as passes over them care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VertexOrder<'a> {
    /// In preorder: a vertex is its own position.
    Preorder,
    /// Every parent before its children, and siblings stand in the preorder as they are numbered.
    /// Has the parent by vertex; [`NONE`](crate::NONE) for a root.
    ParentsFirst(&'a [u32]),
    /// In another way.
    Other,
}

/// What a tree keeps of the order of its input. It follows from the tree's arrays or serves only
/// speed, so trees do not differ by it.
#[derive(Debug, Clone)]
pub(super) enum Given {
    Preorder,
    ParentsFirst(Vec<u32>),
    Other,
}

impl Given {
    #[inline]
    pub(super) fn order(&self) -> VertexOrder<'_> {
        match self {
            Given::Preorder => VertexOrder::Preorder,
            Given::ParentsFirst(parents) => VertexOrder::ParentsFirst(parents),
            Given::Other => VertexOrder::Other,
        }
    }
}

impl PartialEq for Given {
    fn eq(&self, _: &Given) -> bool {
        true
    }
}

impl Eq for Given {}

impl Tree {
    /// By depth, the positions there, in ascending order: breadth-first order. As many lists as
    /// the height plus one, none for an empty tree.
    ///
    /// Linear work, 12 bytes per vertex while it runs, 4 kept.
    pub fn levels(&self) -> Lists {
        let depths = self.depths();
        let count = depths.iter().max().map_or(0, |&d| d as usize + 1);
        Lists::by_key(count, depths.iter().copied().zip(0..))
    }
}
