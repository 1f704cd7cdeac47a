//! Lowest common ancestors of many pairs at once.
//!
//! **Problem.** A tree lies on the machine in light-first order, one vertex per processor. Of
//! every pair of vertices in a [`Batch`], find the lowest vertex that is an ancestor of both;
//! a vertex is its own ancestor. Both vertices of a pair keep the query, with the address of
//! the other; at the end at least one of them has the answer.
//!
//! **Method.**
//! 1. Vertices with more than [`QUERIES`] queries are split before anything runs
//!    ([`Batch::new`]).
//! 2. [`subtree_ranges`]: a subtree is a range of addresses. A vertex answers the queries
//!    about its own descendants.
//! 3. [`decompose`] cuts the tree into heavy paths, with a layer for each.
//! 4. [`SubtreeCover`]: layer by layer, the subtree of every path's first vertex x hears the
//!    ranges of x and of its parent w. Who is inside and asks about a vertex in r(w) but
//!    not in r(x), two intervals, answers w.
//!
//! A query may be answered at both its vertices, always alike.
//!
//! **Cost.** O(n log n) energy, O(log^2 n) depth with high probability for n vertices and
//! copies (Theorem 6). Measured with n random pairs, the virtual tree included, Hilbert
//! curve, n = 2^8 to 2^16 and all shapes of [`palmette_core::generate`], with one seed: energy up to
//! 5.22 n log2 n, depth up to 1.99 log2² n, distance up to 7.06 √n log2 n. At n = 2^16,
//! in parentheses without [barriers](LcaParams::barriers):
//!
//! | shape | layers | energy / n | depth | distance / √n |
//! |---|---|---|---|---|
//! | random | 9 | 49.1 (22.1) | 292 (151) | 67 (25) |
//! | path | 1 | 26.0 | 200 | 32 |
//! | caterpillar | 2 | 26.7 | 204 | 31 |
//! | star | 2 | 16.6 | 99 | 21 |
//! | perfect | 16 | 81.3 (27.3) | 429 (144) | 106 (22) |
//! | preferential | 9 | 47.4 (20.4) | 328 (185) | 71 (28) |
//! | bst | 11 | 59.5 (24.7) | 329 (143) | 82 (28) |
//!
//! Random pairs make 5 % more vertices by splitting. A barrier takes 3.67 for each of them,
//! together 2/3 of the energy on `perfect` and more than half on `random`. The rest is mostly
//! the two treefix sums, and the cover where layers are many: 12.2 n on `perfect`. A
//! processor keeps [`KEPT_WORDS`] words beside those of the program that runs, which with the
//! messages of one step are at most 76; those are at most seven, in a treefix, and elsewhere
//! at most four.
//!
//! **Determinism.** Answers depend on the tree and the pairs alone; costs also on the
//! machine's seed, never on threads.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI, Corollary 3, Lemma 13 and
//! Theorem 6.
//!
//! **When not to use.** On one computer, `palmette_tree::lca` answers a query in
//! nanoseconds.
//!
//! ```
//! use palmette_core::Tree;
//! use palmette_core::generate::{Shape, generate};
//! use palmette_spatial::layout::{Layout, LayoutParams};
//! use palmette_spatial::machine::MachineParams;
//! use palmette_spatial::program::kin;
//! use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
//!
//! let tree = Tree::from_parents(&generate(Shape::Perfect, 1023, 1)?)?;
//! let batch = Batch::new(&tree, &[(1, 512), (2, 511), (7, 7)])?;
//! let layout = Layout::new(batch.tree().clone(), LayoutParams::default())?;
//! let mut machine = layout.machine(MachineParams::default())?;
//! let kin = kin(&mut machine, batch.tree())?;
//! let answers = lowest_common_ancestors(&mut machine, &kin, &batch, LcaParams::default())?;
//! assert_eq!(answers.lca, [0, 1, 7]);
//! assert!(machine.ledger().phase("cover").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod path_decomposition;
mod queries;
mod ranges;
mod subtree_cover;
#[cfg(test)]
mod tests;

pub use batch::Batch;
pub use path_decomposition::{OnPath, PathDecomposition, decompose};
pub use queries::{QUERIES, Queries};
pub use ranges::{SubtreeRanges, subtree_ranges};
pub use subtree_cover::{Fork, SubtreeCover};

use crate::machine::{Machine, MachineError, Memory, words_of};
use crate::program::{Kin, ProgramError};
use subtree_cover::Member;

/// The words that a processor keeps from the first program to the last: its kin, its
/// queries and its place in the cover. Each program has its own beside them.
pub const KEPT_WORDS: usize = 27;
const _: () = assert!(
    words_of::<Kin>() + words_of::<Queries>() + words_of::<Member>() <= KEPT_WORDS,
    "a processor keeps more than stated"
);

/// How queries are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LcaParams {
    /// Whether all processors wait for each other after every layer, as the paper has it.
    pub barriers: bool,
}

impl Default for LcaParams {
    fn default() -> LcaParams {
        LcaParams { barriers: true }
    }
}

/// Answers to a [`Batch`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// The lowest common ancestor of every pair, as a position in the tree that the batch
    /// was made from.
    pub lca: Vec<u32>,
    /// The number of layers of the path decomposition.
    pub layers: u32,
    /// The rounds of the leaffix and of the rootfix.
    pub rounds: [u32; 2],
    /// How many vertices, copies among them, the leaffix contracted in each round.
    pub contracted: Vec<u64>,
}

/// Answers the queries of a batch on a machine that holds the batch's tree; `kin` is what
/// [`kin`](crate::program::kin) found for it.
///
/// # Errors
/// Memory of another machine, and what stops this one.
pub fn lowest_common_ancestors(
    machine: &mut Machine,
    kin: &Memory<Kin>,
    batch: &Batch<'_>,
    params: LcaParams,
) -> Result<Answers, ProgramError> {
    let expected = machine.processors();
    for actual in [kin.states().len(), batch.tree().len()] {
        if actual != expected {
            return Err(MachineError::Processors { expected, actual }.into());
        }
    }
    let (queries, answers) = solve(machine, kin, batch.queries().clone(), params)?;
    Ok(Answers { lca: batch.collect(&queries), ..answers })
}

/// The queries with what their vertices found, and all of the answers but the ancestors.
fn solve(
    machine: &mut Machine,
    kin: &Memory<Kin>,
    queries: Memory<Queries>,
    params: LcaParams,
) -> Result<(Memory<Queries>, Answers), ProgramError> {
    let subtrees = subtree_ranges(machine, kin)?;
    let (of_sizes, contracted) = (subtrees.rounds, subtrees.contracted.clone());
    let mut queries = queries.beside(subtrees.ranges.clone()).map(Queries::about_descendants);
    let paths = decompose(machine, kin, subtrees)?;
    let (layers, rounds) = (paths.layers, [of_sizes, paths.rounds]);
    let mut cover = SubtreeCover::new(paths, params);
    while let Some(forks) = cover.turn(machine)? {
        queries = queries.beside(forks).map(Queries::across);
    }
    Ok((queries, Answers { lca: Vec::new(), layers, rounds, contracted }))
}
