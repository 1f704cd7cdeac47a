//! Trees whose vertices lie on many ranks: rootfix, leaffix, ancestors.
//!
//! **Problem.** Every rank has a slice of the vertices with their parents, and later their
//! values, or pairs of vertices; it gets the answers for its slice. No rank ever has the
//! whole tree. Vertices have 64-bit numbers; a slice has fewer than 2^31.
//!
//! **Method.** Rootfixes, and leaffixes with operators that commute, need no order. Where parents come
//! first, few ranks sweep in turns (`swept.rs`); otherwise the tree is peeled (`peeled/`), each rank
//! contracting what it has before anything is sent. With [order](DistributedParams::ordered):
//! 1. *Numbering.* A leaffix gives the sizes of subtrees, and a rootfix places in the preorder
//!    (`numbering.rs`).
//! 2. *Ranking* instead, where peeling would burden a rank. Siblings are linked: those on one rank
//!    there, the groups of ranks by one that a hash of the parent chooses. The Euler tour is a list of
//!    two elements per vertex. Stretches of it that stay on a rank become one node; nodes whose hashed
//!    priority exceeds that of both neighbours leave, a third in every round, until one in eight times
//!    the number of ranks is left; those are ranked by everybody, and the others told in reverse order.
//! 3. *Blocks.* The tree moves into even blocks of its preorder, a block per rank.
//! 4. *Answers.* In preorder a subtree is an interval, and the ancestors of a block's first
//!    vertex are all that the block needs from others. A leaffix is a product over an
//!    interval, hence of a local product, of whole blocks and of the beginning of a block; a
//!    rootfix starts from products over the open chains of earlier blocks. A lowest common
//!    ancestor is the parent of the shallowest position of an interval. This takes any monoid,
//!    in the order of the preorder, with two exchanges and a gather.
//!
//! **Cost.** With order, for n vertices on p ranks: O(n/p + p) words per rank for everything, and O(1) rounds
//! for an answer; [`Metered`] counts them. At most about 190 bytes per vertex while building, then 24 and
//! the values. Rounds of building and what there is without order: see `peeled/mod.rs`.
//!
//! **Determinism.** Answers do not depend on the number of ranks or on the slices; sums of floats
//! up to the rounding of another association.
//!
//! **When not to use.** On one machine [`leaffix`](crate::leaffix) and [`rootfix`](crate::rootfix) are
//! faster.

mod beside;
mod blocks;
mod children;
mod edges;
mod folded;
mod followed;
mod lca;
mod leaffix;
mod names;
mod numbering;
mod peeled;
mod ranking;
mod rootfix;
mod swept;
mod tour;

pub use folded::{FoldSlices, Scalar};
pub use lca::{DistributedLca, Meeting};
pub use names::Names;
pub use palmette_core::ranks::{
    Mail, Metered, Phase, RankTraffic, Ranks, RanksError, Slices, ThreadRank, on_threads,
};

use crate::{Direction, Scope};
use blocks::Blocks;
use followed::Followed;
use palmette_core::operator::Sum;
use palmette_core::ranks;
use palmette_core::{DEFAULT_SEED, Monoid};
use thiserror::Error;

/// The parent of a root, and the ancestor of vertices in different trees.
pub const NO_VERTEX: u64 = u64::MAX;

/// The most vertices of a slice: elements of the tour are counted with 32 bits.
pub const MAX_SLICE: usize = (1 << 31) - 1;

/// How a distributed tree is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DistributedParams {
    /// Allow several roots.
    pub forest: bool,
    /// Put the tree into preorder: for lowest common ancestors, and for leaffixes with operators
    /// that do not commute. Without it the tree is peeled, which takes a fraction of the time,
    /// unless that would burden some rank; see [`is_ordered`](DistributedTree::is_ordered).
    pub ordered: bool,
    /// Decides who leaves the list in which round; no answer depends on it.
    pub seed: u64,
}

impl Default for DistributedParams {
    fn default() -> DistributedParams {
        DistributedParams { forest: false, ordered: true, seed: DEFAULT_SEED }
    }
}

/// A tree on many ranks; see the [module](self).
///
/// ```
/// use palmette_core::operator::Sum;
/// use palmette_tree::Scope;
/// use palmette_tree::distributed::{DistributedTree, Metered, NO_VERTEX, Ranks, on_threads};
/// // 0 ← 1 ← 2 and 0 ← 3, two vertices on either rank
/// let parents = [[NO_VERTEX, 0], [1, 0]];
/// let sizes = on_threads(2, |rank| {
///     let mut ranks = Metered::new(rank);
///     let own = parents[ranks.rank()];
///     let tree = DistributedTree::build(&mut ranks, &own, Default::default())?;
///     let ones = [[1u64], [1]];
///     tree.leaffix(&mut ranks, &ones, &palmette_tree::distributed::OneWord(Sum::<u64>::new()), Scope::Inclusive)
/// });
/// assert_eq!(sizes[0], Ok(vec![[4], [2]]));
/// assert_eq!(sizes[1], Ok(vec![[1], [1]]));
/// ```
pub struct DistributedTree {
    /// Which rank has which vertices.
    slices: Slices,
    form: Form,
}

/// What computations follow.
enum Form {
    Blocks(Blocks),
    Followed(Followed),
}

/// Why a distributed tree was not built or an answer not found.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DistributedError {
    /// No rank has a vertex.
    #[error("there are no vertices")]
    Empty,
    /// A slice with too many vertices.
    #[error("{vertices} vertices on a rank, at most {MAX_SLICE} are possible; use more ranks")]
    SliceTooLong { vertices: usize },
    /// A parent that is not a vertex.
    #[error("vertex {vertex} has parent {parent}, but there are only {vertices} vertices")]
    ParentOutOfRange { vertex: u64, parent: u64, vertices: u64 },
    /// A vertex above which there is no root.
    #[error("the parents form a cycle above vertex {vertex} or through it")]
    Cycle { vertex: u64 },
    /// More than one root.
    #[error("expected one root, found {count}: vertices {first} and {second} have no parent")]
    ManyRoots { first: u64, second: u64, count: u64 },
    /// Another number of values than vertices on this rank.
    #[error("{actual} values for {expected} vertices of the slice")]
    Length { expected: usize, actual: usize },
    /// A vertex that does not exist.
    #[error("vertex {vertex} does not exist: there are {vertices} vertices")]
    NoSuchVertex { vertex: u64, vertices: u64 },
    /// A question that a tree without order does not answer.
    #[error("the tree was built without order; build it with order for this operator or query")]
    NoOrder,
    /// Two vertices with one id.
    #[error(
        "the id {id} occurs twice, in rows {} and {} of the vertices", .first + 1, .second + 1
    )]
    SameName { id: i64, first: u64, second: u64 },
    /// What is between the ranks.
    #[error(transparent)]
    Ranks(#[from] RanksError),
}

impl DistributedTree {
    /// Builds the tree from the parents of this rank's slice: the next vertices after those
    /// of the ranks before. The parent of a root is [`NO_VERTEX`].
    ///
    /// # Errors
    /// If the parents do not form a tree; then one rank says why, and the others say which rank it
    /// was.
    pub fn build<R: Ranks>(
        ranks: &mut Metered<R>,
        parents: &[u64],
        params: DistributedParams,
    ) -> Result<DistributedTree, DistributedError> {
        ranks.phase("rounds");
        let slices = Slices::agreed(ranks, parents.len())?;
        ranks.agree(check(parents, &slices))?;
        let in_order = children::check_roots(ranks, &slices, parents, params.forest)?;
        let followed = Followed::build(ranks, &slices, parents, in_order)?;
        let places = match followed {
            Some(tree) if !params.ordered => {
                return Ok(DistributedTree { slices, form: Form::Followed(tree) });
            }
            Some(tree) => {
                ranks.phase("numbering");
                numbering::places(ranks, &slices, parents, &tree)?
            }
            None => {
                ranks.phase("children");
                let links = children::link(ranks, &slices, parents)?;
                ranks.phase("ranking");
                ranking::places(ranks, &slices, parents, &links, params.seed)?
            }
        };
        ranks.phase("blocks");
        let blocks = blocks::settle(ranks, slices.clone(), places)?;
        Ok(DistributedTree { slices, form: Form::Blocks(blocks) })
    }

    /// The vertices of all ranks.
    pub fn len(&self) -> u64 {
        self.slices.total()
    }

    /// Never: there is at least one vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which rank has which vertices.
    pub fn slices(&self) -> &Slices {
        &self.slices
    }

    /// The edges to the root, by vertex of the own slice.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn depths<R: Ranks>(&self, ranks: &mut Metered<R>) -> Result<Vec<u64>, DistributedError> {
        match &self.form {
            Form::Blocks(blocks) => blocks.column(ranks, &blocks.depths),
            Form::Followed(_) => self.counted(ranks, Direction::Rootfix, Scope::Exclusive),
        }
    }

    /// The vertices of the subtree, by vertex of the own slice.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn sizes<R: Ranks>(&self, ranks: &mut Metered<R>) -> Result<Vec<u64>, DistributedError> {
        match &self.form {
            Form::Blocks(blocks) => blocks.column(ranks, &blocks.sizes),
            Form::Followed(_) => self.counted(ranks, Direction::Leaffix, Scope::Inclusive),
        }
    }

    fn counted<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        direction: Direction,
        scope: Scope,
    ) -> Result<Vec<u64>, DistributedError> {
        let own = self.slices.of(ranks.rank());
        let ones = vec![[1]; (own.end - own.start) as usize];
        let op = OneWord(Sum::<u64>::new());
        let counts = match direction {
            Direction::Rootfix => self.rootfix(ranks, &ones, &op, scope),
            Direction::Leaffix => self.leaffix(ranks, &ones, &op, scope),
        };
        Ok(counts?.into_flattened())
    }

    /// The product over the subtree of every vertex of the slice. Values and answers are by
    /// vertex. With [order](DistributedParams::ordered) in preorder, siblings in the order of
    /// their numbers; without it in any order, for operators that commute.
    ///
    /// # Errors
    /// When there is not a value per vertex, or communication between ranks fails.
    pub fn leaffix<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match &self.form {
            Form::Blocks(blocks) => blocks.leaffix(ranks, values, op, scope),
            Form::Followed(tree) => {
                self.check_values(ranks, values.len())?;
                tree.up(ranks, op, values, scope == Scope::Exclusive)
            }
        }
    }

    /// The product of the values from the root to every vertex of the slice, in that order.
    /// Values and answers are by vertex.
    ///
    /// # Errors
    /// As [`leaffix`](DistributedTree::leaffix).
    pub fn rootfix<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match &self.form {
            Form::Blocks(blocks) => blocks.rootfix(ranks, values, op, scope),
            Form::Followed(tree) => {
                self.check_values(ranks, values.len())?;
                tree.down(ranks, op, values, scope == Scope::Exclusive)
            }
        }
    }

    fn check_values<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        actual: usize,
    ) -> Result<(), DistributedError> {
        ranks.phase("treefix");
        let own = self.slices.of(ranks.rank());
        let expected = (own.end - own.start) as usize;
        let fits = expected == actual;
        ranks.agree(fits.then_some(()).ok_or(DistributedError::Length { expected, actual }))
    }

    /// Prepares for pairs; `parents` are those that the tree was built from.
    ///
    /// # Errors
    /// As [`leaffix`](DistributedTree::leaffix), and when the tree has no
    /// [order](DistributedParams::ordered).
    pub fn lca<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        parents: &[u64],
    ) -> Result<DistributedLca<'_>, DistributedError> {
        match &self.form {
            Form::Blocks(blocks) => blocks.lca(ranks, parents),
            Form::Followed(_) => Err(DistributedError::NoOrder),
        }
    }

    /// Whether operators need not commute; where order was not asked for, the tree may have it
    /// nevertheless.
    pub fn is_ordered(&self) -> bool {
        matches!(self.form, Form::Blocks(_))
    }
}

/// What a rank can check of its own parents.
fn check(parents: &[u64], slices: &Slices) -> Result<(), DistributedError> {
    let vertices = slices.total();
    if vertices == 0 {
        return Err(DistributedError::Empty);
    }
    if parents.len() > MAX_SLICE {
        return Err(DistributedError::SliceTooLong { vertices: parents.len() });
    }
    Ok(())
}

/// The operator on elements of one word, from one on integers.
#[derive(Debug, Clone, Copy)]
pub struct OneWord<M>(pub M);

impl<M: Monoid<Elem = u64>> Monoid for OneWord<M> {
    type Elem = [u64; 1];
    fn identity(&self) -> [u64; 1] {
        [self.0.identity()]
    }
    fn combine(&self, [left]: [u64; 1], [right]: [u64; 1]) -> [u64; 1] {
        [self.0.combine(left, right)]
    }
}
