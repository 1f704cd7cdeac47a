//! Treefix as it was published: COMPACT in rounds, with coins, and its reversal.
//!
//! **Problem.** That of [treefix](super): products over subtrees, or down from the root, for any
//! associative operator, on a tree of any degree in light-first order.
//!
//! **Method.** Section V as printed. A supervertex is kept by its topmost vertex. A round of
//! COMPACT has five steps; `contract.rs` has the messages.
//! 1. Everyone tells its children whether it is branching, that is has several, and its coin.
//! 2. A vertex with one child, whose parent is not branching, is viable. Random mate: it is chosen
//!    when its coin shows heads and its parent's tails.
//! 3. COMPRESS: a chosen vertex is absorbed by its parent, which inherits its child.
//! 4. Everyone tells its children again; an inherited child hears of its new parent.
//! 5. RAKE: children tell whether they are leaves, and their products. Where at most one is not a
//!    leaf, all leaves are taken into the parent.
//!
//! Branching vertices speak and hear along the [virtual tree](crate::local). When the root has no
//! child left, contractions are undone: `last_contracted` of a supervertex is the vertex absorbed
//! last, and `saved_state` of that one is the value of `last_contracted` before.
//!
//! *Corrected* against the text:
//! - COMPRESS of u with its only child v asks that v, not u, has one child.
//! - At a RAKE, u need not be a single vertex: a path could not be contracted then. It is one when
//!   it has several children, so that local messages still reach them all.
//! - The partial sum P_u is a pair (L, R) around the hole, the place of the child that is left:
//!   sum(u) = L∘A∘R. With one value, operators would have to commute.
//! - The reversal. Undoing COMPRESS, v takes the *old* A_u, and A_u becomes L_v∘A_u∘R_v. Printed is
//!   that A_v is the new one: on a path with values 1, 10, 100 the last vertex gets another's sum.
//!   Undoing RAKE, a leaf has nothing below, and A_u was what u has raked *last*, not all of P_u
//!   but its own value: u may have absorbed others before. P_u itself is not restored: sum(u) does
//!   not change while contractions are undone, and nobody reads P_u any more. No inverse is needed.
//! - Top-down, RAKE leaves the product F_u along u as it is: a raked child has A_u∘F_u above it,
//!   an absorbed one A_u∘F_u with F_u from before, which it keeps.
//!
//! **Waiting.** Nobody uses time, or that a message does not come. A vertex begins a round when it
//! has had all messages of the round before: it knows how many those are. A leaf does not learn
//! that it was raked before that is undone: it hears of the next round, or of the reversal.
//! *Order of messages*: none is relied on. Two messages from above may pass each other, and those
//! of the next round may come while a vertex still waits for its children; they are told apart by
//! their kind and kept, one of each: more cannot come, because everyone waits in every round for
//! an answer to what it said. So a processor holds at most six messages: a report of each of four
//! virtual children, and two from above.
//!
//! **Cost.** Up to four messages per live edge and round: O(n) energy and O(1) depth per round
//! where degrees are bounded, O(log n) else (Lemma 10); O(log n) rounds with high probability
//! (Lemmas 11 and 12). Medians over eleven seeds on Hilbert curves at n = 2^14: leaffix takes 8.4 n
//! energy on a star, 20.5 n on a perfect tree, 33.6 n on a path, in 42, 51 and 151 steps; a double
//! broom takes 99 n, growing like n log n, and 720 steps. A processor has [`PUBLISHED_LEAFFIX_WORDS`] words and seven values, or
//! [`PUBLISHED_ROOTFIX_WORDS`] words and four; messages have 3 words and two values, or 2 words and one. Handlers take O(1) time.
//! docs/theorems.md compares with [ours](super).
//!
//! **Determinism.** Las Vegas: coins decide costs, never answers. Every processor has random bits
//! of its own and hashes them with the round: no seed is shared, and coins do not depend on when
//! messages arrive.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section V, Lemmas 10 to 12.
//!
//! **When not to use.** For anything but comparisons: [ours](super) is silent where nothing
//! happens.

mod block;
mod contract;
mod state;
#[cfg(test)]
mod tests;
mod uncontract;

use super::{Contracted, Treefix};
use crate::collective::Nothing;
use crate::local::check;
use crate::machine::{Fold, Machine, Memory, Program, program_words, words_of};
use crate::program::{Kin, ProgramError, coin};
use contract::Compact;
use palmette_core::Monoid;
use state::{Operators, State};

/// The words of a processor's state besides seven values and the operator.
pub const PUBLISHED_LEAFFIX_WORDS: usize = 21;
/// The words of a processor's state besides four values and the operator.
pub const PUBLISHED_ROOTFIX_WORDS: usize = 21;

/// The most messages that a processor holds at a time: a report of each of four virtual children,
/// and two from above.
const HELD: usize = 6;

/// The words of a processor for a [`leaffix`], the [virtual tree](crate::program::kin()) found
/// before: for its state, the operator and the messages that it holds.
pub const fn leaffix_words<M: Fold>() -> usize {
    program_words::<Compact<M, Nothing>>(HELD)
}

/// The same for a [`rootfix`].
pub const fn rootfix_words<M: Fold>() -> usize {
    program_words::<Compact<Nothing, M>>(HELD)
}

/// Every vertex gets the product of its own value and its descendants', in preorder. The ledger
/// has the phases `{name}: mate`, `compress`, `announce`, `rake` and `uncontract`.
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
    Ok(Treefix::new(answers.map(|_, (up, (), how)| (up, how))))
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
    Ok(Treefix::new(answers.map(|_, ((), down, how)| (down, how))))
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
    let coins = coin::purses(machine);
    let states = kin.clone().beside(values).beside(coins);
    let states = states.map(|_, ((kin, values), coins)| State::new(kin, values, coins));
    let operators = Operators { up, down };
    Ok(machine.run::<Compact<U, D>>(name, operators, states)?.map(|_, state| state.answer()))
}

const _: () = {
    type Word = palmette_core::operator::Sum<u32>;
    assert!(words_of::<State<u32, ()>>() == PUBLISHED_LEAFFIX_WORDS + 7);
    assert!(words_of::<State<(), u32>>() == PUBLISHED_ROOTFIX_WORDS + 4);
    assert!(Compact::<Word, Nothing>::MESSAGE_WORDS == 3 + 2);
    assert!(Compact::<Nothing, Word>::MESSAGE_WORDS == 2 + 1);
};
