//! Treefix: products over subtrees and along root paths, by contraction.
//!
//! **Problem.** A tree lies on the machine in light-first order, every vertex has a value.
//! [`leaffix`]: every vertex gets the product of its subtree, in preorder. [`rootfix`]:
//! every vertex gets the product of the path from the root down to it. Any associative
//! operator will do: no inverse, no commutativity.
//!
//! **Method.** Every vertex continues the path of its last child, the one with the largest subtree: the
//! tree falls into paths, and from the root to a leaf there are at most log2 n changes of path.
//! - COMPRESS: the vertices of a path are joined to ranges, and ranges to larger ones, until the first
//!   of the path has joined them all. Who joins whom is fixed by addresses (`range.rs`): nobody
//!   tosses coins, no seed is shared, nobody agrees with anybody. Vertices with large subtrees
//!   beside the path join late, when these are done.
//! - RAKE (leaffix): the product of a path whose first vertex is no last child goes to that vertex's
//!   parent, along the [virtual tree](crate::local) with those of its siblings.
//!
//! Then backwards: every range hears the product of what is after it on its path (leaffix) or of what
//! is above it (rootfix), and tells the two that it was joined from. In a rootfix paths are
//! contracted all at once, because they need nothing from below, and expanded from the root down:
//! children other than the last hear from their parent along the virtual tree.
//!
//! *Any delays.* A vertex waits for a known set of messages before it speaks (`contract.rs`). So energy,
//! messages and depth depend on the tree alone: not on delays, and on no seed.
//!
//! **Cost.** *Energy* O(n) on a distance-bound curve: a message up or down a path crosses less than
//! 2^(k+1) addresses if its range is of level k, or a range and all that hangs from the vertex before
//! it. At most O(n / 2^k) ranges of level k are longer than 2^k, those inside are half as long
//! each, and the square roots of their lengths have a sum of O(n); so have those of what hangs from
//! vertices, of two subtrees the smaller. The rest goes along edges of the tree and of the virtual
//! tree (Theorems 1 and 3). *Depth* O(log n) where degrees are bounded: on a path with s vertices
//! below it, who waits for w vertices beside the path has log2 s - log2 w + O(1) joins before it, and
//! the next path is among these w: the sum telescopes. With D children per vertex O(log n log D)
//! more. Measured on Hilbert curves with n from 2^8 to 2^18, over all shapes of
//! [`palmette_core::generate`], the virtual tree not included:
//!
//! | | energy | depth | rounds |
//! |---|---|---|---|
//! | leaffix | 2.1 n (star) to 4.5 n (path) | 3.3 log2 n | 2.0 log2 n |
//! | rootfix | 2.2 n (star) to 4.9 n (perfect) | 3.4 log2 n | log2 n + 1 |
//!
//! Depth and rounds are the largest over thirty seeds; docs/theorems.md has them by size.
//!
//! [`LEAFFIX_WORDS`] and [`ROOTFIX_WORDS`] words and five values per processor; messages of 4 words and a
//! value. At most six messages wait for a processor that starts late, three in a rootfix: nobody
//! answers to who has not spoken. Handlers take O(1) time, but the first of a processor O(log D), to
//! find its vertex's place among D siblings.
//!
//! **Determinism.** Products are bracketed by the tree and its positions alone: floats have the same
//! bits whatever the seed, the delays and the threads.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section V, Lemmas 10 to 12, for the problem,
//! RAKE and COMPRESS; paths as in Sleator and Tarjan, *A data structure for dynamic trees*, JCSS
//! 1983, with their idea that a tree over a path be biased by what hangs from it. The reversal
//! printed in the former gives wrong sums.
//!
//! **When not to use.** On a CPU: `palmette_tree` has engines for that.
//!
//! ```
//! use palmette_core::operator::Max;
//! use palmette_core::tree::SiblingOrder::LightFirst;
//! use palmette_core::{NONE, Tree, TreeParams};
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::machine::{Machine, MachineParams, Memory};
//! use palmette_spatial::program::{kin, treefix::leaffix};
//!
//! let parents: Vec<u32> = (0..100u32).map(|v| if v == 0 { NONE } else { v / 3 }).collect();
//! let params = TreeParams { siblings: LightFirst, ..TreeParams::default() };
//! let tree = Tree::with_params(&parents, params)?;
//! let curve = CurveKind::Hilbert.fitting(100)?;
//! let mut machine = Machine::on_curve(&curve, 100, MachineParams::default())?;
//! let kin = kin(&mut machine, &tree)?;
//! let values = Memory::new(100, |position| position);
//! let largest = leaffix(&mut machine, "largest", Max::new(), &kin, values)?;
//! // Positions are a preorder: the last of a subtree is its largest.
//! assert_eq!(largest.values.states()[0], 99);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod contract;
pub mod published;
mod range;
mod state;
#[cfg(test)]
mod tests;

use super::{Kin, ProgramError};
use crate::local::{appended_siblings, check};
use crate::machine::{Fold, Machine, Memory, Plain, Program, program_words, words_of};
use crate::plain;
use contract::Contract;
use state::{Input, State};

/// The words of a processor's state besides five values and the operator.
pub const LEAFFIX_WORDS: usize = 17;
/// The words of a processor's state besides five values and the operator.
pub const ROOTFIX_WORDS: usize = LEAFFIX_WORDS;

/// The most messages that a processor of a leaffix holds at a time: a block from each of four virtual
/// children, who the last child is, and what is behind.
const HELD: usize = 6;
/// The same of a rootfix: who the last child is, what is behind, and what is above or before.
const ROOTFIX_HELD: usize = 3;

/// The words of a processor for a [`leaffix`], the [virtual tree](super::kin()) found before: for
/// its state, the operator and the messages that it holds.
pub const fn leaffix_words<M: Fold>() -> usize {
    program_words::<Contract<M, true>>(HELD)
}

/// The same for a [`rootfix`].
pub const fn rootfix_words<M: Fold>() -> usize {
    program_words::<Contract<M, false>>(ROOTFIX_HELD)
}

/// The answer of a treefix, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Treefix<T> {
    /// The product of every vertex, by address.
    pub values: Memory<T>,
    /// The longest chain of contractions of which each waited for the one before.
    pub rounds: u32,
    /// How every vertex was contracted.
    pub contracted: Memory<Contracted>,
}

plain! {
    /// How a vertex was contracted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Contracted {
        /// In which round.
        pub round: u32,
        /// By its parent, as a link of a chain; others are raked, but for the root.
        pub compressed: bool,
    }
}

/// Every vertex gets the product of its own value and its descendants', in preorder.
///
/// # Errors
/// Another number of processors, a value too large for them, and what stops the machine.
pub fn leaffix<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    kin: &Memory<Kin>,
    values: Memory<M::Elem>,
) -> Result<Treefix<M::Elem>, ProgramError> {
    run::<M, true>(machine, name, operator, kin, values)
}

/// Every vertex gets the product of its ancestors' values and its own, from the root down.
///
/// # Errors
/// As [`leaffix`].
pub fn rootfix<M: Fold>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    kin: &Memory<Kin>,
    values: Memory<M::Elem>,
) -> Result<Treefix<M::Elem>, ProgramError> {
    run::<M, false>(machine, name, operator, kin, values)
}

impl<T: Plain> Treefix<T> {
    /// How many vertices were contracted in each round, from the first; the root, at
    /// address 0, never is.
    pub fn by_round(&self) -> Vec<u64> {
        super::by_round(self.rounds, self.contracted.states().iter().skip(1).map(|c| c.round))
    }

    fn new(answers: Memory<(T, Contracted)>) -> Treefix<T> {
        let contracted = answers.clone().map(|_, (_, contracted)| contracted);
        Treefix {
            values: answers.map(|_, (value, _)| value),
            rounds: contracted.states().iter().map(|c| c.round).max().unwrap_or(0),
            contracted,
        }
    }
}

fn run<M: Fold, const UP: bool>(
    machine: &mut Machine,
    name: &str,
    operator: M,
    kin: &Memory<Kin>,
    values: Memory<M::Elem>,
) -> Result<Treefix<M::Elem>, ProgramError> {
    check(machine, kin, &values)?;
    let states = kin.clone().beside(values).map(|me, (Kin { family, links }, value)| {
        let (appended, steps) = appended_siblings(&family);
        let input = Input {
            me,
            parent: family.parent,
            links,
            siblings: family.siblings,
            index: family.index,
            children: family.children,
            first_child: family.first_child,
            appended,
            steps,
            value,
        };
        State::new(input, UP)
    });
    let states = machine.run::<Contract<M, UP>>(name, operator, states)?;
    Ok(Treefix::new(states.map(|_, state| state.answer())))
}

const _: () = {
    type Word = palmette_core::operator::Sum<u32>;
    assert!(words_of::<State<u32>>() == LEAFFIX_WORDS + 5);
    assert!(Contract::<Word, true>::MESSAGE_WORDS == 4 + 1);
};
