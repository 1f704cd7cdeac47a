//! Figures of an edited tree: its size before and after.

use super::Figures;
use palmette_core::{Record, Tree};

/// The sizes of a tree and of what an edit made of it.
///
/// ```
/// use palmette::figures::EditFigures;
/// use palmette::{NONE, Tree};
/// let (old, new) = (Tree::from_parents(&[NONE, 0, 0])?, Tree::from_parents(&[NONE])?);
/// assert_eq!(EditFigures::of(&old, &new).tips_before, 2);
/// # Ok::<(), palmette::TreeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditFigures {
    /// The number of vertices before.
    pub vertices_before: usize,
    /// The number of vertices without children before.
    pub tips_before: usize,
    /// The number of vertices.
    pub vertices: usize,
    /// The number of vertices without children.
    pub tips: usize,
}

impl EditFigures {
    /// The sizes of two trees.
    pub fn of(old: &Tree, new: &Tree) -> EditFigures {
        EditFigures {
            vertices_before: old.len(),
            tips_before: old.leaves(),
            vertices: new.len(),
            tips: new.leaves(),
        }
    }
}

impl Figures for EditFigures {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => vertices_before, tips_before, vertices, tips);
    }
}
