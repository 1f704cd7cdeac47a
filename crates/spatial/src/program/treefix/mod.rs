//! Treefix: products over subtrees and along root paths, by contraction.
//!
//! **Problem.** A tree lies on the machine in light-first order, every vertex has a value.
//! [`leaffix`]: every vertex gets the product of its subtree, in preorder. [`rootfix`]:
//! every vertex gets the product of the path from the root down to it. Any associative
//! operator will do: no inverse, no commutativity.
//!
//! **Method.** The tree is contracted to its root. A *supervertex*, a connected piece, is
//! kept by its topmost vertex as a context (L, R): its product is L∘B∘R with B the product
//! of what hangs in its one hole.
//! - RAKE: children that are finished, leaves of the contracted tree, are multiplied into
//!   their parent until one child or none is left. However many they are, they report along
//!   the [virtual tree](crate::local), each block of siblings once when one of it is left
//!   and once when none is.
//! - COMPRESS: a parent with one child absorbs it if that child has one child too. Which
//!   links of a chain are contracted is decided by random priorities of links, drawn anew
//!   whenever an end of a link changes: a vertex between two links takes part in the lower.
//!   That is random mate without tossing coins in rounds: nobody speaks before something
//!   happens, and nobody waits for a round to end.
//!
//! Reversal needs no record of the contraction either. The vertices that one supervertex u
//! has absorbed, v1 to vk from the top down, are chained: each knows the one absorbed before
//! it. When all below u is known, B of vk is; L∘B∘R of vk is B of its predecessor, and so
//! on. For rootfix the product above u travels the same way, and what u had collected
//! before it absorbed a vertex is kept there: k steps back, as contraction took k steps.
//!
//! *Any delays.* No order of messages is relied on, nor that one does not come; `contract.rs`
//! says what is done about those that overtake others. The graph of messages does depend on
//! delays, for which child is the last to finish does, and with it who is a link of which chain
//! when: with random ones up to 2.12 times the energy of steps on 64 vertices or fewer, and up to
//! 1.78 times the messages (docs/theorems.md, Delays). That of [`published`] does not.
//!
//! **Cost**, on Hilbert curves with n from 2^8 to 2^18, over all shapes of
//! [`palmette_core::generate`]; the virtual tree not included, the seed
//! [given](crate::machine::Gift::Seed). Energy is flat in n. Depth and
//! rounds are the largest over thirty seeds; docs/theorems.md has them by size, with medians.
//!
//! | | energy | depth | rounds |
//! |---|---|---|---|
//! | leaffix | 2.1 n (star, perfect) to 9.6 n (path) | 5.1 log2 n | 2.7 log2 n |
//! | rootfix | 4.2 n to 10.6 n | 6.1 log2 n; 7.9 with many children per vertex | the same |
//!
//! The seed costs at most 1.84 n more, and log2 n / 2 + 1 steps in which children are raked but no
//! chains contracted. With it leaffix takes up to 11.5 n and 5.8 log2 n steps, rootfix 12.5 n and
//! 7.1 log2 n, or 8.2 with many children per vertex; rounds are up to 3.2 log2 n, because some
//! vertices begin later.
//!
//! O(n log n) energy and, for bounded degree, O(log n) depth are proved for contraction in
//! synchronous rounds; that nobody speaks in a round in which nothing happens to it is what
//! makes energy linear here. A double broom, which costs n log n when every vertex speaks in
//! every round, takes 5.8 n.
//!
//! [`LEAFFIX_WORDS`] words and eight values, or [`ROOTFIX_WORDS`] words and four values, a
//! processor; messages of 4 words and two values, or one. At most nine messages wait for one
//! that starts late: two for each of four virtual children and the seed. Nobody who has not
//! started is absorbed or absorbs. No more came at a time in all tests. Handlers take O(1) time, but
//! the first of a processor O(log D), to find its vertex's place among D siblings.
//!
//! **Determinism.** Las Vegas: the seed and delays decide costs, never answers. How floats are
//! bracketed depends on the seed and on delays, not on threads.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section V, Lemmas 10 to 12. The
//! reversal printed there gives wrong sums; contexts replace it.
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
mod sequence;
mod state;
#[cfg(test)]
mod tests;

use super::priority::priorities;
use super::{Kin, ProgramError};
use crate::collective::Nothing;
use crate::local::{appended_siblings, check, halves};
use crate::machine::{Fold, Gift, Machine, Memory, Plain, Program, program_words, words_of};
use crate::plain;
use contract::Contract;
use palmette_core::Monoid;
use state::{Input, Rules, State};

/// The words of a processor's state besides eight values and the operator.
pub const LEAFFIX_WORDS: usize = 29;
/// The words of a processor's state besides four values and the operator.
pub const ROOTFIX_WORDS: usize = 29;

/// The most messages that a processor holds at a time: two for each of four virtual children, and
/// the seed.
const HELD: usize = 9;

/// The words of a processor for a [`leaffix`], the [virtual tree](super::kin()) found before: for
/// its state, the operator and the messages that it holds.
pub const fn leaffix_words<M: Fold>() -> usize {
    program_words::<Contract<M, Nothing>>(HELD)
}

/// The same for a [`rootfix`].
pub const fn rootfix_words<M: Fold>() -> usize {
    program_words::<Contract<Nothing, M>>(HELD)
}

/// The words of a message of a [`rootfix`].
pub(super) const fn rootfix_message_words<M: Fold>() -> usize {
    Contract::<Nothing, M>::MESSAGE_WORDS
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
    let values = values.map(|_, value| (value, ()));
    let answers = run(machine, name, (operator, Nothing), kin, values)?;
    Ok(Treefix::new(answers.map(|_, (up, (), round)| (up, round))))
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
    let values = values.map(|_, value| ((), value));
    let answers = run(machine, name, (Nothing, operator), kin, values)?;
    Ok(Treefix::new(answers.map(|_, ((), down, round)| (down, round))))
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

/// What every vertex knows in the end: both products, and how it was contracted.
type Answers<U, D> = Memory<(<U as Monoid>::Elem, <D as Monoid>::Elem, Contracted)>;

fn run<U: Fold, D: Fold>(
    machine: &mut Machine,
    name: &str,
    (up, down): (U, D),
    kin: &Memory<Kin>,
    values: Memory<(U::Elem, D::Elem)>,
) -> Result<Answers<U, D>, ProgramError> {
    check(machine, kin, &values)?;
    let inputs = kin.clone().beside(values).beside(priorities(machine));
    let states = inputs.map(|_, ((Kin { family, links }, (up, down)), priorities)| {
        let (appended, steps) = appended_siblings(&family);
        State::new(Input {
            parent: family.parent,
            links,
            alone: family.siblings == 1,
            blocks: [family.children, appended].map(halves),
            steps,
            up,
            down,
            priorities,
        })
    });
    let rules = Rules { up, down, seeded: machine.takes(Gift::Seed) };
    Ok(machine.run::<Contract<U, D>>(name, rules, states)?.map(|_, state| state.answer()))
}

const _: () = {
    type Word = palmette_core::operator::Sum<u32>;
    assert!(words_of::<State<u32, ()>>() == LEAFFIX_WORDS + 8);
    assert!(words_of::<State<(), u32>>() == ROOTFIX_WORDS + 4);
    assert!(Contract::<Word, Nothing>::MESSAGE_WORDS == 4 + 2);
    assert!(Contract::<Nothing, Word>::MESSAGE_WORDS == 4 + 1);
};
