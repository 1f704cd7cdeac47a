//! Queries on their way into the machine: vertices with many of them are split.
//!
//! **Problem.** Pairs of positions of a tree. Every pair is to be kept at both of its
//! vertices, and a vertex has room for [`QUERIES`].
//!
//! **Method.** A vertex with k queries becomes a path of max(1, ⌈k / 4⌉) copies; the topmost
//! hangs from the (last copy of the) parent, children hang from the last copy. Whatever
//! copies a query is given to, the lowest common ancestor is a copy of the right vertex. The
//! new tree is put into light-first order again, for subtrees have grown. A pair of a vertex
//! and itself is kept once. This is input, prepared by the host as a layout is; what the
//! machine then runs on is [`Batch::tree`].
//!
//! **Cost.** Linear work. At most n + k/2 vertices for k pairs; 32 bytes per vertex and 16 per
//! pair. A tree in light-first order in which nobody has more than four queries is not copied.
//!
//! **Determinism.** Queries are dealt out in their order.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI, first paragraph.

use super::{QUERIES, Queries};
use crate::machine::Memory;
use crate::program::ProgramError;
use palmette_core::tree::SiblingOrder;
use palmette_core::{MAX_VERTICES, NONE, Tree, TreeError, TreeParams};
use std::borrow::Cow;

/// Where a query is kept.
#[derive(Debug, Clone, Copy)]
struct Seat {
    address: u32,
    slot: u8,
}

/// A tree, and queries at its vertices.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::program::lca::Batch;
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2])?;
/// let batch = Batch::new(&tree, &[(1, 3), (2, 3)])?;
/// assert!(!batch.is_split());
/// // Six queries at vertex 3 need two copies of it.
/// let batch = Batch::new(&tree, &[(1, 3); 3].map(|(u, v)| [(u, v), (2, 3)]).concat())?;
/// assert_eq!(batch.tree().parents(), [NONE, 0, 0, 2, 3]);
/// assert_eq!((batch.origin(3), batch.origin(4)), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Batch<'t> {
    tree: Cow<'t, Tree>,
    /// The position in the given tree, by address; empty where they are the same.
    origins: Vec<u32>,
    queries: Memory<Queries>,
    /// The two seats of every pair.
    seats: Vec<[Seat; 2]>,
}

impl<'t> Batch<'t> {
    /// Deals pairs of positions out to the vertices of a tree.
    ///
    /// # Errors
    /// A forest, a position that the tree does not have, or more vertices and pairs than
    /// addresses.
    pub fn new(tree: &'t Tree, pairs: &[(u32, u32)]) -> Result<Batch<'t>, ProgramError> {
        let ends = count_ends(tree, pairs)?;
        let copies = |ends: &u32| ends.div_ceil(QUERIES as u32).max(1);
        let split = ends.iter().any(|ends| copies(ends) > 1);
        let (tree, tops, origins) = if split || !tree.has_siblings(SiblingOrder::LightFirst) {
            let (tree, tops, origins) = stretch(tree, ends.iter().map(copies))?;
            (Cow::Owned(tree), tops, origins)
        } else {
            (Cow::Borrowed(tree), Vec::new(), Vec::new())
        };

        let mut taken = ends;
        taken.fill(0);
        let mut queries = vec![Queries::EMPTY; tree.len()];
        let mut seats = Vec::with_capacity(pairs.len());
        for &(u, v) in pairs {
            let mut seat = |position: u32| {
                let taken = &mut taken[position as usize];
                let (copy, slot) = (*taken / QUERIES as u32, *taken % QUERIES as u32);
                *taken += 1;
                let top = tops.get(position as usize).copied().unwrap_or(position);
                // The copies of a vertex follow each other in preorder.
                Seat { address: top + copy, slot: slot as u8 }
            };
            let first = seat(u);
            let second = if u == v { first } else { seat(v) };
            for (here, there) in [(first, second), (second, first)] {
                let other = &mut queries[here.address as usize].other;
                other[usize::from(here.slot)] = there.address;
            }
            seats.push([first, second]);
        }
        Ok(Batch { tree, origins, queries: Memory::from(queries), seats })
    }

    /// The tree that the machine runs on, in light-first order.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether this is another tree than the given one.
    pub fn is_split(&self) -> bool {
        matches!(self.tree, Cow::Owned(_))
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// The position in the given tree of the vertex at an address.
    pub fn origin(&self, address: u32) -> u32 {
        self.origins.get(address as usize).copied().unwrap_or(address)
    }

    /// What every vertex keeps at first.
    pub fn queries(&self) -> &Memory<Queries> {
        &self.queries
    }

    /// The answers, by pair, as positions in the given tree.
    pub(super) fn collect(&self, queries: &Memory<Queries>) -> Vec<u32> {
        let at = |seat: Seat| queries.states()[seat.address as usize].lca[usize::from(seat.slot)];
        let answers = self.seats.iter().map(|&[first, second]| {
            let (first, second) = (at(first), at(second));
            let known = first.min(second); // NONE is the largest
            debug_assert!([first, second].iter().all(|&lca| lca == known || lca == NONE));
            assert_ne!(known, NONE, "Corollary 3: every query has an answer");
            self.origin(known)
        });
        answers.collect()
    }
}

/// The number of queries that each position keeps.
fn count_ends(tree: &Tree, pairs: &[(u32, u32)]) -> Result<Vec<u32>, ProgramError> {
    let vertices = tree.len();
    ProgramError::check_roots(tree.roots())?;
    let most = vertices as u64 + 2 * pairs.len() as u64;
    if most > MAX_VERTICES as u64 {
        return Err(TreeError::TooMany { vertices: most }.into());
    }
    let mut ends = vec![0u32; vertices];
    for (query, &(u, v)) in pairs.iter().enumerate() {
        if let Some(position) = [u, v].into_iter().find(|&p| p as usize >= vertices) {
            return Err(ProgramError::Query { query, position, vertices });
        }
        ends[u as usize] += 1;
        ends[v as usize] += u32::from(u != v);
    }
    Ok(ends)
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
