//! The root on another branch.
//!
//! **Problem.** Input: a tree and a place on one of its branches. Output: the same unrooted tree,
//! hanging from there.
//!
//! **Method.** Only the vertices from the place up to the old root turn around. The result is written in
//! preorder: what is below the place as it was, then the vertices on the way up, each followed by
//! its other children, whose subtrees are intervals of the old preorder and are copied.
//! An old root with two children goes, since it is no vertex of the unrooted tree: its two branches
//! become one, with the sum of their lengths. So do vertices above the first that has several
//! children; they join no tips.
//!
//! **Branches.** A vertex on the way up has the branch of the one that it now hangs from
//! ([`Edited::branch`]), and both parts of the branch that the root divides have its support. Peers that
//! leave supports where the labels are move three of them to wrong branches
//! (DendroPy, treeswift, newick-utils).
//!
//! **Cost.** O(n) copies; no memory beside the result.

use super::builder::{Builder, Source, check_share};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree};

/// Where a root goes. Lengths are those of the branch of the unrooted tree: where the vertex is one
/// of two children of the root it reaches to the other one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RootPlace {
    /// On the branch above a vertex, with this share of its length, from 0 to 1, between them.
    Share {
        /// The lower end of the branch.
        vertex: u32,
        /// What is between the vertex and the root.
        share: f64,
    },
    /// On the branch above a vertex, so far from it. Where that is an end of the branch which is no tip,
    /// that vertex becomes the root.
    Distance {
        /// The lower end of the branch.
        vertex: u32,
        /// What is between the vertex and the root.
        distance: f64,
    },
    /// At a vertex.
    Vertex(u32),
}

/// The tree with its root elsewhere; `lengths` by vertex. A root on a branch is a new vertex, unless it
/// is the branch that an old root with two children is on.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{RootPlace, reroot};
/// // ((a:1,b:2):3,c:4); at a quarter of b's branch is (b:0.5,(a:1,c:7):1.5);
/// let tree = Tree::from_parents(&[NONE, 0, 1, 1, 0]).unwrap();
/// let lengths = [0.0, 3.0, 1.0, 2.0, 4.0];
/// let place = RootPlace::Share { vertex: 3, share: 0.25 };
/// let edited = reroot(&tree, Some(&lengths), place).unwrap();
/// assert_eq!(edited.origin, [NONE, 3, 1, 2, 4]);
/// assert_eq!(edited.branch, [NONE, 3, 3, 2, 4]);
/// assert_eq!(edited.lengths.unwrap(), [0.0, 0.5, 1.5, 1.0, 7.0]);
/// ```
///
/// # Errors
/// When the tree has several roots, or there is no such vertex, or no branch above it that joins tips;
/// or not one length per vertex; or a share is not between 0 and 1.
pub fn reroot(tree: &Tree, lengths: Option<&[f64]>, place: RootPlace) -> Result<Edited, EditError> {
    let source = Source::new(tree, lengths)?;
    source.one_root()?;
    let crown = source.crown();
    let (RootPlace::Share { vertex, .. }
    | RootPlace::Distance { vertex, .. }
    | RootPlace::Vertex(vertex)) = place;
    let at = source.position(vertex)?;
    if at < crown || (at == crown && !matches!(place, RootPlace::Vertex(_))) {
        return Err(EditError::NoBranch { vertex });
    }
    let twin = if at == crown { None } else { source.twin(crown, at) };
    let whole = source.length(at) + twin.map_or(0.0, |twin| source.length(twin));
    let lower = match place {
        RootPlace::Share { share, .. } => {
            check_share(share)?;
            share * whole
        }
        RootPlace::Distance { distance, .. } => {
            lengths.ok_or(EditError::NoLengths)?;
            if !(0.0..=whole.max(0.0)).contains(&distance) {
                return Err(EditError::Share { share: distance / whole });
            }
            let upper_end = twin.unwrap_or(tree.parents()[at as usize]);
            if distance == 0.0 && !tree.is_leaf(at) {
                return at_vertex(&source, crown, at);
            }
            if distance == whole && !tree.is_leaf(upper_end) {
                return at_vertex(&source, crown, upper_end);
            }
            distance
        }
        RootPlace::Vertex(_) if tree.is_leaf(at) && at != crown => 0.0,
        RootPlace::Vertex(_) => return at_vertex(&source, crown, at),
    };
    let mut builder = Builder::new(tree.len() + 1, lengths.is_some())?;
    let kept = twin.map_or(NONE, |_| tree.vertices()[crown as usize]);
    let root = builder.push(NONE, 0.0, kept, NONE);
    builder.push_subtree(&source, at, root, lower, 0);
    turn(&source, &mut builder, crown, at, root, whole - lower);
    Ok(builder.done())
}

/// The tree with an inner vertex as its root.
fn at_vertex(source: &Source<'_>, crown: u32, at: u32) -> Result<Edited, EditError> {
    let tree = source.tree;
    let mut builder = Builder::new(tree.len(), source.lengths.is_some())?;
    if at == crown {
        let length = if tree.parent(at).is_some() { 0.0 } else { source.length(at) };
        builder.push_subtree(source, at, NONE, length, 0);
        return Ok(builder.done());
    }
    let root = builder.push(NONE, 0.0, tree.vertices()[at as usize], NONE);
    for child in tree.children(at) {
        builder.push_subtree(source, child, root, source.length(child), 0);
    }
    let twin = source.twin(crown, at);
    let whole = source.length(at) + twin.map_or(0.0, |twin| source.length(twin));
    turn(source, &mut builder, crown, at, root, whole);
    Ok(builder.done())
}

/// Adds what is above a vertex, turned around: it hangs from `hook`, on a branch of this length.
fn turn(
    source: &Source<'_>,
    builder: &mut Builder,
    crown: u32,
    mut below: u32,
    mut hook: u32,
    mut length: f64,
) {
    let tree = source.tree;
    loop {
        if let Some(twin) = source.twin(crown, below) {
            builder.push_subtree(source, twin, hook, length, 0);
            return;
        }
        let up = tree.parents()[below as usize];
        let (vertex, branch) = (tree.vertices()[up as usize], tree.vertices()[below as usize]);
        hook = builder.push(hook, length, vertex, branch);
        for child in tree.children(up).filter(|&child| child != below) {
            builder.push_subtree(source, child, hook, source.length(child), 0);
        }
        if up == crown {
            return;
        }
        below = up;
        length = source.length(below) + source.twin(crown, below).map_or(0.0, |t| source.length(t));
    }
}
