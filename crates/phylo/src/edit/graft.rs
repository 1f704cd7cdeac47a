//! One tree hung into another.
//!
//! **Problem.** Input: a tree (the stock), a place in it, and another tree (the scion). Output: the stock
//! with the scion's root below a vertex, as its last child, or on a branch, where a new vertex divides it.
//!
//! **Method.** Both preorders are copied; the scion's follows the place.
//!
//! **Cost.** O(n + m).
//!
//! **Numbers.** The result comes from two trees: [`Edited::origin`] and [`Edited::branch`] number the
//! vertices of the stock from 0 and those of the scion from the stock's number of vertices on.

use super::builder::{Builder, Source, check_share};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree};

/// Where a tree is hung into another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GraftPlace {
    /// Below a vertex, after its children. A tip is one no more.
    Below(u32),
    /// On the branch above a vertex, with this share of its length, from 0 to 1, between them.
    Above {
        /// The lower end of the branch.
        vertex: u32,
        /// What is between the vertex and the new one.
        share: f64,
    },
}

/// The stock with the scion in it; each with its lengths by vertex. The scion hangs on a branch of its
/// root's length.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::edit::{GraftPlace, graft};
/// // (c,d) on the branch of b in (a,b) gives (a,(b,(c,d)));
/// let cherry = Tree::from_parents(&[NONE, 0, 0]).unwrap();
/// let place = GraftPlace::Above { vertex: 2, share: 0.5 };
/// let edited = graft(&cherry, None, &cherry, None, place).unwrap();
/// assert_eq!(edited.parents, [NONE, 0, 0, 2, 2, 4, 4]);
/// assert_eq!(edited.origin, [0, 1, NONE, 2, 3, 4, 5]);
/// ```
///
/// # Errors
/// When there is no such vertex, or no branch above it; the scion is not one tree; one tree has lengths
/// and the other none; there is not one length per vertex; or a share is not between 0 and 1.
pub fn graft(
    stock: &Tree,
    stock_lengths: Option<&[f64]>,
    scion: &Tree,
    scion_lengths: Option<&[f64]>,
    place: GraftPlace,
) -> Result<Edited, EditError> {
    let stock = Source::new(stock, stock_lengths)?;
    let scion = Source::new(scion, scion_lengths)?;
    scion.one_root()?;
    if stock.lengths.is_some() != scion.lengths.is_some() {
        return Err(EditError::OneHasLengths);
    }
    let (GraftPlace::Below(vertex) | GraftPlace::Above { vertex, .. }) = place;
    let at = stock.position(vertex)?;
    let above = match place {
        GraftPlace::Below(_) => None,
        GraftPlace::Above { share, .. } => {
            check_share(share)?;
            stock.tree.parent(at).ok_or(EditError::NoBranch { vertex })?;
            Some(share * stock.length(at))
        }
    };
    let tree = stock.tree;
    let vertices = tree.len() + scion.tree.len() + usize::from(above.is_some());
    let mut builder = Builder::new(vertices, stock.lengths.is_some())?;
    // By how much numbers of vertices after the place rise.
    let more = (vertices - tree.len()) as u32;
    let end = tree.end(at);
    let shifted = |p: u32| match (above, p) {
        (_, NONE) => NONE,
        (None, p) => {
            if p < end {
                p
            } else {
                p + more
            }
        }
        (Some(_), p) if p < at => p,
        (Some(_), p) => {
            if p < end {
                p + 1
            } else {
                p + more
            }
        }
    };
    let copy = |builder: &mut Builder, from: u32, to: u32| {
        for i in from..to {
            let vertex = tree.vertices()[i as usize];
            let (mut parent, mut length) =
                (shifted(tree.parents()[i as usize]), stock.of_vertex(vertex));
            if let (Some(lower), true) = (above, i == at) {
                parent = builder.push(parent, length - lower, NONE, vertex);
                length = lower;
            }
            builder.push(parent, length, vertex, vertex);
        }
    };
    copy(&mut builder, 0, end);
    // The vertex itself, or the new one above it: both have its old number.
    builder.push_subtree(&scion, 0, at, scion.length(0), tree.len() as u32);
    copy(&mut builder, end, tree.len() as u32);
    Ok(builder.done())
}
