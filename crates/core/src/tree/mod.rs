//! A rooted tree (or forest) in preorder.
//!
//! **Representation.** Four arrays of `u32`, 16 bytes per vertex: the parent and
//! the subtree size of every position, and the permutation between positions and
//! the user's vertices. The subtree of position `i` is the interval
//! `i .. i + size[i]`, its first child is `i + 1`, and the next sibling of `c` is
//! `c + size[c]`: children need no array of their own. A tree whose vertices are numbered
//! with parents first keeps the parents as they were given, 4 bytes per vertex, so that
//! passes can run over vertices as they are ([`VertexOrder`]).
//!
//! **Invariants**, for every position `i`: `parent[i] < i` or `parent[i]` is
//! [`NONE`]; the intervals nest; siblings appear in the order of
//! [`TreeParams::siblings`]; `vertex_at` and `position_of` are inverse to each other.

mod build;
mod join;
mod order;
#[cfg(test)]
mod tests;

pub use order::{SiblingOrder, VertexOrder};

use order::Given;

use crate::{NONE, TreeError, parallel};

/// How a tree is made from parents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreeParams {
    /// Allow several roots (a forest); roots are ordered as siblings are.
    pub forest: bool,
    /// The order of the children of a vertex.
    pub siblings: SiblingOrder,
}

/// A rooted tree or forest, stored in preorder. See the [module](self) for the
/// representation and its invariants.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// //   2          vertex 2 is the root, 0 and 3 are its children,
/// //  / \         1 is a child of 0
/// // 0   3
/// // |
/// // 1
/// let tree = Tree::from_parents(&[2, 0, NONE, 2]).unwrap();
/// assert_eq!(tree.vertices(), &[2, 0, 1, 3]);
/// assert_eq!(tree.parents(), &[NONE, 0, 1, 0]);
/// assert_eq!(tree.sizes(), &[4, 2, 1, 1]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    parent: Vec<u32>,
    size: Vec<u32>,
    vertex_at: Vec<u32>,
    position_of: Vec<u32>,
    given: Given,
    roots: u32,
}

impl Tree {
    /// Bytes per vertex that building a tree takes at its peak, the tree included and the
    /// parents not.
    pub const BYTES_TO_BUILD: u64 = 44;

    /// A tree with one root from the parent of every vertex; the root's parent
    /// is [`NONE`]. Children keep the order of the input.
    ///
    /// # Errors
    /// A cycle, several roots, a parent that is not a vertex, or too many vertices for the indices
    /// or for memory.
    ///
    /// # Cost
    /// Linear work; see `build.rs` for how memory latency is hidden.
    pub fn from_parents(parents: &[u32]) -> Result<Tree, TreeError> {
        Tree::with_params(parents, TreeParams::default())
    }

    /// As [`Tree::from_parents`], with several roots or another sibling order.
    ///
    /// # Errors
    /// As [`Tree::from_parents`].
    pub fn with_params(parents: &[u32], params: TreeParams) -> Result<Tree, TreeError> {
        build::build(parents, params)
    }

    /// The same tree with its siblings in another order.
    pub fn with_siblings(&self, siblings: SiblingOrder) -> Tree {
        let mut parents = vec![NONE; self.len()];
        for (i, &p) in self.parent.iter().enumerate() {
            if p != NONE {
                parents[self.vertex_at[i] as usize] = self.vertex_at[p as usize];
            }
        }
        let params = TreeParams { forest: true, siblings };
        Tree::with_params(&parents, params).expect("the parents of a tree make a tree")
    }

    /// Whether siblings (and roots) appear in this order; ties may be in any.
    pub fn has_siblings(&self, order: SiblingOrder) -> bool {
        let sorted = |c: u32| {
            let next = c + self.size[c as usize];
            let parent = self.parent[c as usize];
            if next as usize >= self.len() || self.parent[next as usize] != parent {
                return true;
            }
            let (here, there) = (self.size[c as usize], self.size[next as usize]);
            match order {
                SiblingOrder::AsGiven => true,
                SiblingOrder::LightFirst => here <= there,
                SiblingOrder::HeavyFirst => here >= there,
            }
        };
        (0..self.len() as u32).all(sorted)
    }

    /// The number of vertices.
    #[inline]
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there are no vertices.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The number of roots: 1 for a tree, 0 when empty.
    #[inline]
    pub fn roots(&self) -> usize {
        self.roots as usize
    }

    /// The parent's position by position; [`NONE`] for a root.
    #[inline]
    pub fn parents(&self) -> &[u32] {
        &self.parent
    }

    /// The number of vertices in the subtree, by position.
    #[inline]
    pub fn sizes(&self) -> &[u32] {
        &self.size
    }

    /// The user's vertex by position.
    #[inline]
    pub fn vertices(&self) -> &[u32] {
        &self.vertex_at
    }

    /// How the user's vertices are numbered.
    #[inline]
    pub fn vertex_order(&self) -> VertexOrder<'_> {
        self.given.order()
    }

    /// The position by the user's vertex.
    #[inline]
    pub fn positions(&self) -> &[u32] {
        &self.position_of
    }

    /// The parent of a position, if it has one.
    #[inline]
    pub fn parent(&self, position: u32) -> Option<u32> {
        let p = self.parent[position as usize];
        (p != NONE).then_some(p)
    }

    /// The position after the last one of the subtree.
    #[inline]
    pub fn end(&self, position: u32) -> u32 {
        position + self.size[position as usize]
    }

    /// Whether a position has no children.
    #[inline]
    pub fn is_leaf(&self, position: u32) -> bool {
        self.size[position as usize] == 1
    }

    /// The children of a position, in order.
    pub fn children(&self, position: u32) -> impl Iterator<Item = u32> + '_ {
        self.siblings_within(position + 1, self.end(position))
    }

    /// The positions of the roots, in order.
    pub fn root_positions(&self) -> impl Iterator<Item = u32> + '_ {
        self.siblings_within(0, self.len() as u32)
    }

    fn siblings_within(&self, first: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = first;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = child + self.size[child as usize];
                child
            })
        })
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.size.iter().filter(|&&s| s == 1).count()
    }

    /// The number of children by position.
    pub fn child_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        for &p in &self.parent {
            if p != NONE {
                counts[p as usize] += 1;
            }
        }
        counts
    }

    /// The number of edges to the root, by position.
    pub fn depths(&self) -> Vec<u32> {
        let mut depths = vec![0u32; self.len()];
        for (i, &p) in self.parent.iter().enumerate() {
            if p != NONE {
                depths[i] = depths[p as usize] + 1;
            }
        }
        depths
    }

    /// Moves values from the order of vertices to the order of positions.
    ///
    /// # Errors
    /// If there is not exactly one value per vertex.
    pub fn to_positions<T: Copy + Send + Sync>(
        &self,
        by_vertex: &[T],
    ) -> Result<Vec<T>, TreeError> {
        self.permute(&self.vertex_at, by_vertex)
    }

    /// Moves values from the order of positions to the order of vertices.
    ///
    /// # Errors
    /// If there is not exactly one value per position.
    pub fn to_vertices<T: Copy + Send + Sync>(
        &self,
        by_position: &[T],
    ) -> Result<Vec<T>, TreeError> {
        self.permute(&self.position_of, by_position)
    }

    fn permute<T: Copy + Send + Sync>(
        &self,
        index: &[u32],
        from: &[T],
    ) -> Result<Vec<T>, TreeError> {
        if from.len() != self.len() {
            let what = "values";
            return Err(TreeError::Length { what, expected: self.len(), actual: from.len() });
        }
        Ok(parallel::map(self.len(), 1 << 14, |i| from[index[i] as usize]))
    }
}
