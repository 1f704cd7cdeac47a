//! The tree below a vertex.
//!
//! **Problem.** Input: a tree and a vertex, or a set whose lowest common ancestor it is. Output: the
//! vertex with all below it, as a tree of its own.
//!
//! **Method.** A subtree is an interval of the preorder: it is copied. The branch above is cut: its
//! length is left out (0), its support stays with the new root, which it is the support of the clade of.
//!
//! **Cost.** O(k) for k vertices below, O(depth) to find the ancestor of a set.

use super::builder::{Builder, Source};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree};
use palmette_tree::paths::lca_of_set;

/// The tree below a vertex; `lengths` by vertex. A root keeps its own length.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::subtree;
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let edited = subtree(&tree, None, 1).unwrap();
/// assert_eq!((edited.parents, edited.origin), (vec![NONE, 0, 0], vec![1, 2, 3]));
/// ```
///
/// # Errors
/// When there is no such vertex, or not one length per vertex.
pub fn subtree(tree: &Tree, lengths: Option<&[f64]>, vertex: u32) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    let top = source.position(vertex)?;
    let mut builder = Builder::new(tree.sizes()[top as usize] as usize, lengths.is_some())?;
    let length = if tree.parent(top).is_some() { 0.0 } else { source.length(top) };
    builder.push_subtree(&source, top, NONE, length, 0);
    Ok(builder.done())
}

/// The lowest vertex that is an ancestor of all these vertices, or one of them.
///
/// # Errors
/// When there are no vertices, or a vertex that is none, or two in different trees.
pub fn common_ancestor(tree: &Tree, vertices: &[u32]) -> Result<u32, EditError> {
    let source = Source::new(tree, None)?;
    let positions: Vec<u32> =
        vertices.iter().map(|&v| source.position(v)).collect::<Result<_, _>>()?;
    let &first = vertices.first().ok_or(EditError::NoTips)?;
    match lca_of_set(tree, positions.iter().copied()) {
        Some(top) => Ok(tree.vertices()[top as usize]),
        None => {
            let low = positions.iter().min().copied().unwrap_or(0);
            let root = tree.root_positions().find(|&r| low < tree.end(r)).unwrap_or(0);
            let beyond = positions.iter().find(|&&p| p >= tree.end(root)).copied().unwrap_or(low);
            let name = |position: u32| tree.vertices()[position as usize];
            let first = if source.position(first)? < tree.end(root) { first } else { name(low) };
            Err(EditError::Apart { first, second: name(beyond) })
        }
    }
}
