//! Lowest common ancestors of many pairs at once.
//!
//! **Problem.** A tree lies on the machine in light-first order, one vertex per processor. Of
//! every pair of vertices in a [`Batch`], find the lowest vertex that is an ancestor of both;
//! a vertex is its own ancestor. Both vertices of a pair keep the query, with the address of
//! the other; at the end at least one of them has the answer.
//!
//! **Method.**
//! 1. A vertex has room for [`QUERIES`] queries; more of them go to blocks elsewhere, or lie at
//!    copies of the vertex that are [given](crate::machine::Gift::Queries) ([`Batch::new`]).
//! 2. [`subtree_ranges`]: a subtree is a range of addresses. A vertex answers the queries
//!    about its own descendants.
//! 3. [`decompose`] cuts the tree into heavy paths, with a layer for each.
//! 4. Vertices find room for blocks and send their queries there (`blocks.rs`, `deal.rs`).
//! 5. [`SubtreeCover`]: layer by layer, the subtree of every path's first vertex x hears the
//!    ranges of x and of its parent w. Who is inside and asks about a vertex in r(w) but
//!    not in r(x), two intervals, answers w.
//!
//! A query may be answered at both its vertices, always alike. With more than two pairs per
//! vertex, steps 4 and 5 come again for the rest.
//!
//! **Messages.** Everyone always knows what it waits for, as every file says: no answer depends
//! on how long messages take or in which order they come.
//!
//! **Cost.** O(n log n) energy, O(log^2 n) depth with high probability for n vertices and at
//! most as many queries, evenly distributed or with copies given (Theorem 6). Measured with n
//! random pairs, the virtual tree included, Hilbert curve, n = 2^8 to 2^16 and all shapes of
//! [`palmette_core::generate`], with thirty seeds: energy up to 6.18 n log2 n, depth up to
//! 2.38 log2² n; without [barriers](LcaParams::barriers) 3.53 n log2 n and 1.39 log2² n. With everything
//! given that can be 5.58 and 2.19, and 2.62 and 1.16. Most is taken on perfect trees, which have the most
//! layers: a path takes 1.9 n log2 n. docs/theorems.md has them by size and shape.
//!
//! Random pairs need blocks for 5 % of the vertices: to find room, to send queries there and to
//! tell blocks of the cover takes 10.8 n on `random`. A barrier takes 3.66 n, together about
//! half of the energy on `perfect`. A processor has at most [`LCA_WORDS`] words, whatever the
//! delays; up to 31 of them it keeps beside the program that runs. Without barriers news of later
//! layers may wait, and it has [O(log n)](LcaParams::words). It receives at most six messages in
//! one step, in a treefix, and elsewhere at most four. Handlers take O(log n) operations in
//! announcements and to find one's place in the tree of a range or of siblings, O(1) otherwise.
//!
//! **Determinism.** Answers and costs depend on the tree, the pairs and what is given alone.
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
//! use palmette_spatial::program::lca::{
//!     Batch, LCA_WORDS, LcaParams, QUERY_WORDS, lowest_common_ancestors,
//! };
//!
//! let tree = Tree::from_parents(&generate(Shape::Perfect, 1023, 1)?)?;
//! let params = MachineParams { words: Some(LCA_WORDS), ..MachineParams::default() };
//! let batch = Batch::new(&tree, &[(1, 512), (2, 511), (7, 7)], params.given)?;
//! let layout = Layout::new(batch.tree().clone(), LayoutParams::default())?;
//! let mut machine = layout.machine(params)?;
//! let kin = kin(&mut machine.keep_words(QUERY_WORDS), batch.tree())?;
//! let answers = lowest_common_ancestors(&mut machine, &kin, &batch, LcaParams::default())?;
//! assert_eq!(answers.lca, [0, 1, 7]);
//! assert!(machine.ledger().phase("cover").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod blocks;
mod deal;
mod path_decomposition;
mod queries;
mod ranges;
mod subtree_cover;
#[cfg(test)]
mod tests;
mod wave;

pub use batch::Batch;
pub use path_decomposition::{OnPath, PathDecomposition, decompose};
pub use queries::{QUERIES, Queries};
pub use ranges::{SubtreeRanges, subtree_ranges};
pub use subtree_cover::{Fork, SubtreeCover, Turn};

use crate::collective::Range;
use crate::machine::{Gift, Machine, MachineError, Memory, words_of};
use crate::program::{Kin, ProgramError, treefix};
use blocks::{Block, find_blocks};
use palmette_core::operator::Sum;
use wave::Wave;

/// The words of a vertex's queries and of how many blocks it needs for more: what a processor keeps
/// before the first wave is answered.
pub const QUERY_WORDS: usize = words_of::<Queries>() + 1;

/// The words of a processor, with [barriers](LcaParams::barriers): for what it keeps, for the
/// leaffix, which needs the most beside it, and for messages that wait until it is ready for them:
/// three of the rootfix, and news of the cover, of which no more than five did in all tests.
pub const LCA_WORDS: usize = QUERY_WORDS
    + words_of::<Kin>()
    + treefix::leaffix_words::<Sum<u32>>()
    + 5 * words_of::<(Range, Fork)>();

/// How queries are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LcaParams {
    /// Whether all processors wait for each other after every layer, as the paper has it.
    pub barriers: bool,
}

impl LcaParams {
    /// The words of a processor on a machine of so many. Without barriers, news of all later layers
    /// may wait for it.
    pub const fn words(self, processors: usize) -> usize {
        let layers = (processors as u64 + 1).ilog2() as usize;
        LCA_WORDS + if self.barriers { 0 } else { layers * words_of::<(Range, Fork)>() }
    }
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
    /// How many vertices of [`Batch::tree`] the leaffix contracted in each round.
    pub contracted: Vec<u64>,
}

/// Answers the queries of a batch on a machine that holds the batch's tree; `kin` is what
/// [`kin`](crate::program::kin) found for it.
///
/// # Errors
/// Memory of another machine, a batch that was prepared for a machine that gives more or less,
/// and what stops this one.
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
    let gift = Gift::Queries;
    if batch.is_given() != machine.takes(gift) {
        return Err(ProgramError::Gift { gift });
    }
    let subtrees = subtree_ranges(&mut machine.keep_words(QUERY_WORDS), kin)?;
    let (of_sizes, contracted) = (subtrees.rounds, subtrees.contracted.clone());
    let paths = decompose(&mut machine.keep_words(QUERY_WORDS), kin, subtrees)?;
    let mut lca = Vec::with_capacity(batch.len());
    for wave in batch.waves() {
        let wave = answer(machine, &paths, wave, params)?;
        lca.extend(wave.answers().map(|address| batch.origin(address)));
    }
    let (layers, rounds) = (paths.layers, [of_sizes, paths.rounds]);
    Ok(Answers { lca, layers, rounds, contracted })
}

/// A wave with its queries answered.
fn answer(
    machine: &mut Machine,
    paths: &PathDecomposition,
    mut wave: Wave,
    params: LcaParams,
) -> Result<Wave, ProgramError> {
    let subtrees = paths.vertices.clone().map(|_, vertex| vertex.subtree);
    wave.queries = wave.queries.beside(subtrees).map(Queries::about_descendants);
    let mut cover = SubtreeCover::new(paths.clone(), params);
    let mut blocks = None;
    let machine = &mut machine.keep(&wave.queries);
    // Copies have room for everything: nobody looks for blocks.
    if !machine.takes(Gift::Queries)
        && let Some(found) = find_blocks(machine, paths, wave.more.clone(), &wave.input)?
    {
        cover = cover.with_blocks(found.spread, found.below);
        blocks = Some(found.blocks);
    }
    let machine = &mut machine.keep_words(blocks.as_ref().map_or(0, |_| words_of::<Block>()));
    while let Some(turn) = cover.turn(machine)? {
        wave.queries = wave.queries.beside(turn.vertices).map(Queries::across);
        let heard = blocks.zip(turn.blocks);
        blocks = heard.map(|(blocks, forks)| blocks.beside(forks).map(Block::across));
    }
    if let Some(blocks) = blocks {
        debug_assert!(blocks.states().iter().all(|block| block.unheard == 0));
        wave.held = blocks.map(|_, block| block.held);
    }
    Ok(wave)
}
