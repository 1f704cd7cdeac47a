//! Many trees as one forest.

use super::Tree;
use super::order::Given;
use crate::memory::check_room;
use crate::{MAX_VERTICES, NONE, TreeError};

impl Tree {
    /// A forest of all these trees: vertices are numbered tree after tree, and so are positions.
    /// What is by vertex of the trees, one after the other, is by vertex of the forest.
    ///
    /// Linear work; nothing is built again.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree};
    /// let (one, two) = (Tree::from_parents(&[NONE, 0])?, Tree::from_parents(&[2, 2, NONE])?);
    /// let both = Tree::join(&[&one, &two])?;
    /// assert_eq!(both.parents(), &[NONE, 0, NONE, 2, 2]);
    /// assert_eq!(both.vertices(), &[0, 1, 4, 2, 3]);
    /// # Ok::<(), palmette_core::TreeError>(())
    /// ```
    ///
    /// # Errors
    /// Too many vertices for the indices or for memory.
    pub fn join(trees: &[&Tree]) -> Result<Tree, TreeError> {
        let vertices: u64 = trees.iter().map(|tree| tree.len() as u64).sum();
        if vertices > MAX_VERTICES as u64 {
            return Err(TreeError::TooMany { vertices });
        }
        check_room(16 * vertices).map_err(TreeError::NoRoom)?;
        let array = || Vec::with_capacity(vertices as usize);
        let mut joined = Tree {
            parent: array(),
            size: array(),
            vertex_at: array(),
            position_of: array(),
            given: Given::Other,
            roots: trees.iter().map(|tree| tree.roots).sum(),
        };
        for tree in trees {
            let first = joined.parent.len() as u32;
            let moved = |&x: &u32| x + first;
            let parent = |&p: &u32| if p == NONE { NONE } else { p + first };
            joined.parent.extend(tree.parent.iter().map(parent));
            joined.size.extend_from_slice(&tree.size);
            joined.vertex_at.extend(tree.vertex_at.iter().map(moved));
            joined.position_of.extend(tree.position_of.iter().map(moved));
        }
        if joined.vertex_at.iter().zip(0..).all(|(&v, position)| v == position) {
            joined.given = Given::Preorder;
        }
        Ok(joined)
    }
}
