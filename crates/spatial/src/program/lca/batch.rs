//! A tree, and pairs of its vertices.
//!
//! **Problem.** Pairs of positions of a tree are to be asked on a machine on which the tree
//! lies in light-first order.
//!
//! **Method.** By default the machine holds the tree as it is, and what a vertex has no room
//! for goes to blocks elsewhere (`wave.rs`). The paper splits vertices instead: one with k
//! queries becomes a path of max(1, ⌈k / 4⌉) copies; the topmost hangs from the (last copy of
//! the) parent, children hang from the last copy. Whatever copies a query is given to, the
//! lowest common ancestor is a copy of the right vertex. Subtrees have grown, so that the new
//! tree needs a new layout. This is what [`Gift::Queries`] gives for free, and then the machine
//! holds the new tree. By messages it would cost a [creation](crate::program::creation), more
//! than 10 n^1.5, or, if the order of siblings is kept, a move of nearly all vertices by up to
//! as many places as there are new copies: with n random pairs 0.22 n^1.5, at n = 2^16 that is
//! 56 n. Blocks, with their queries sent there, take 11 n there.
//!
//! **Cost.** Linear work. At most n + k/2 vertices for k pairs after splitting; 32 bytes per
//! vertex and 8 per pair. A tree in light-first order is not copied, unless it is split.
//!
//! **Determinism.** Queries are dealt out in their order.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI, first paragraph.

use super::QUERIES;
use super::wave::{Wave, count_ends};
use crate::machine::{Gift, Given};
use crate::program::ProgramError;
use palmette_core::tree::SiblingOrder;
use palmette_core::{MAX_VERTICES, NONE, Tree, TreeError, TreeParams};
use std::borrow::Cow;

/// A tree, and pairs of its positions.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::machine::{Gift, Given};
/// use palmette_spatial::program::lca::Batch;
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2])?;
/// // Six queries at vertex 3: the machine finds room for two of them.
/// let pairs = [(1, 3); 3].map(|(u, v)| [(u, v), (2, 3)]).concat();
/// let batch = Batch::new(&tree, &pairs, Given::NOTHING)?;
/// assert_eq!(batch.tree(), &tree);
/// // Or it is given a tree with two copies of vertex 3.
/// let batch = Batch::new(&tree, &pairs, Given::NOTHING.with(Gift::Queries))?;
/// assert_eq!(batch.tree().parents(), [NONE, 0, 0, 2, 3]);
/// assert_eq!((batch.origin(3), batch.origin(4)), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Batch<'t> {
    tree: Cow<'t, Tree>,
    /// The position in the given tree, by address; empty where they are the same.
    origins: Vec<u32>,
    /// The address of every position's topmost copy; empty where they are the same.
    tops: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// Whether vertices have copies for all their queries.
    is_given: bool,
}

impl<'t> Batch<'t> {
    /// Prepares pairs of positions of a tree for a machine that gives this.
    ///
    /// # Errors
    /// A forest, a position that the tree does not have, or more vertices and pairs than
    /// addresses.
    pub fn new(
        tree: &'t Tree,
        pairs: &[(u32, u32)],
        given: Given,
    ) -> Result<Batch<'t>, ProgramError> {
        ProgramError::check_roots(tree.roots())?;
        check_pairs(tree, pairs)?;
        let is_given = given.has(Gift::Queries);
        let copies: Vec<u32> = if is_given {
            let room = QUERIES as u32;
            let ends = count_ends(tree.len(), pairs).into_iter();
            ends.map(|ends| ends.div_ceil(room).max(1)).collect()
        } else {
            vec![1; tree.len()]
        };
        let is_split = copies.iter().any(|&copies| copies > 1);
        let (tree, tops, origins) = if is_split || !tree.has_siblings(SiblingOrder::LightFirst) {
            let (tree, tops, origins) = stretch(tree, copies.into_iter())?;
            (Cow::Owned(tree), tops, origins)
        } else {
            (Cow::Borrowed(tree), Vec::new(), Vec::new())
        };
        Ok(Batch { tree, origins, tops, pairs: pairs.to_vec(), is_given })
    }

    /// The tree that the machine holds, in light-first order.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether this is another tree than the given one.
    pub fn is_split(&self) -> bool {
        matches!(self.tree, Cow::Owned(_))
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The position in the given tree of the vertex at an address.
    pub fn origin(&self, address: u32) -> u32 {
        self.origins.get(address as usize).copied().unwrap_or(address)
    }

    /// Whether vertices have copies for all their queries.
    pub(super) fn is_given(&self) -> bool {
        self.is_given
    }

    /// The queries, as they enter the machine: as many at a time as have room.
    pub(super) fn waves(&self) -> impl Iterator<Item = Wave> {
        let n = self.tree.len();
        // Two ends each, four in a block: there are no more blocks than processors.
        let room = if self.is_given { self.pairs.len().max(1) } else { 2 * n };
        self.pairs.chunks(room).map(move |pairs| {
            let top = |position| self.tops.get(position as usize).copied().unwrap_or(position);
            let pairs: Vec<(u32, u32)> = pairs.iter().map(|&(u, v)| (top(u), top(v))).collect();
            if self.is_given { Wave::of_copies(n, &pairs) } else { Wave::of_blocks(n, &pairs) }
        })
    }
}

fn check_pairs(tree: &Tree, pairs: &[(u32, u32)]) -> Result<(), ProgramError> {
    let vertices = tree.len();
    let most = vertices as u64 + 2 * pairs.len() as u64;
    if most > MAX_VERTICES as u64 {
        return Err(TreeError::TooMany { vertices: most }.into());
    }
    for (query, &(u, v)) in pairs.iter().enumerate() {
        if let Some(position) = [u, v].into_iter().find(|&p| p as usize >= vertices) {
            return Err(ProgramError::Query { query, position, vertices });
        }
    }
    Ok(())
}

/// A tree with every vertex stretched to a path of so many copies, in light-first order;
/// the address of every position's topmost copy, and the position by address.
fn stretch(
    tree: &Tree,
    copies: impl Iterator<Item = u32>,
) -> Result<(Tree, Vec<u32>, Vec<u32>), ProgramError> {
    let mut parents: Vec<u32> = Vec::with_capacity(tree.len());
    let mut owners: Vec<u32> = Vec::with_capacity(tree.len());
    // Parents come first in preorder, so their last copies are known.
    let mut last: Vec<u32> = Vec::with_capacity(tree.len());
    for ((position, copies), &parent) in (0u32..).zip(copies).zip(tree.parents()) {
        let mut above = last.get(parent as usize).copied().unwrap_or(NONE);
        for _ in 0..copies {
            parents.push(above);
            owners.push(position);
            above = parents.len() as u32 - 1;
        }
        last.push(above);
    }
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    let stretched = Tree::with_params(&parents, params)?;
    let origins: Vec<u32> = stretched.vertices().iter().map(|&v| owners[v as usize]).collect();
    let mut tops = vec![NONE; tree.len()];
    for (address, &origin) in origins.iter().enumerate().rev() {
        tops[origin as usize] = address as u32;
    }
    Ok((stretched, tops, origins))
}
