//! A tree without a root: three branches at the vertex that it is written from.
//!
//! **Problem.** Input: a tree. Output: the same unrooted tree, hanging from a vertex with at least
//! three children.
//!
//! **Method.** Of two children of the root the first that is no tip is dissolved: the root's other branch
//! has the sum of the two lengths. A root with more children has no branch to merge, and stays.
//!
//! **Cost.** O(n), one sweep.

use super::builder::Source;
use super::prune::{Fate, without};
use super::{EditError, Edited};
use palmette_core::Tree;

/// The tree with at least three branches at its root; `lengths` by vertex.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::unroot;
/// // ((a:1,b:2):3,c:4); is (a:1,b:2,c:7);
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let edited = unroot(&tree, Some(&[0.0, 3.0, 1.0, 2.0, 4.0])).unwrap();
/// assert_eq!((edited.origin, edited.lengths.unwrap()), (vec![0, 2, 3, 4], vec![0.0, 1.0, 2.0, 7.0]));
/// ```
///
/// # Errors
/// When the tree has several roots, or fewer than three tips; or not one length per vertex.
pub fn unroot(tree: &Tree, lengths: Option<&[f64]>) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    source.one_root()?;
    let (tips, least) = (tree.leaves(), 3);
    if tips < least {
        return Err(EditError::FewTips { tips, least });
    }
    let crown = source.crown();
    // The children may have one child themselves: the vertex that is dissolved has several.
    let split = |mut child: u32| {
        while tree.sizes()[child as usize] > 1
            && tree.sizes()[child as usize + 1] + 1 == tree.sizes()[child as usize]
        {
            child += 1;
        }
        child
    };
    let pair = source.twin(crown, crown + 1).map(|twin| (crown + 1, twin));
    let chosen = pair.and_then(|(first, second)| {
        let inner = |child: u32| !tree.is_leaf(split(child));
        match (inner(first), inner(second)) {
            (true, _) => Some((first, second)),
            (_, true) => Some((second, first)),
            _ => None,
        }
    });
    let fate = |i: u32| match chosen {
        _ if i < crown => Fate::Dissolved,
        Some((dissolved, _)) if i >= dissolved && i <= split(dissolved) => Fate::Dissolved,
        _ => Fate::Stays,
    };
    let mut edited = without(&source, false, fate)?;
    if let (Some((dissolved, other)), Some(lengths)) = (chosen, &mut edited.lengths) {
        let merged: f64 = (dissolved..=split(dissolved)).map(|i| source.length(i)).sum();
        let other = tree.vertices()[other as usize];
        if let Some(new) = edited.origin.iter().position(|&v| v == other) {
            lengths[new] += merged;
        }
    }
    Ok(edited)
}
