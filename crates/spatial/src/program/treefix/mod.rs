//! Treefix: leaffix and rootfix by contraction.

mod contract;
mod sequence;
#[cfg(test)]
mod tests;

pub use contract::Fold;

use super::priority::Priorities;
use super::{Kin, ProgramError};
use crate::collective::Nothing;
use crate::local::{appended_siblings, check, halves};
use crate::machine::{Machine, Memory};
use contract::{Contract, Input, Rules, State};
use palmette_core::Monoid;

/// The answer of a treefix, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Treefix<T> {
    /// The product of every vertex, by address.
    pub values: Memory<T>,
    /// The longest chain of contractions of which each waited for the one before.
    pub rounds: u32,
    /// In which such round every vertex was contracted.
    pub contracted: Memory<u32>,
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

impl<T: Copy + Send + Sync + 'static> Treefix<T> {
    fn new(answers: Memory<(T, u32)>) -> Treefix<T> {
        let contracted = answers.clone().map(|_, (_, round)| round);
        Treefix {
            values: answers.map(|_, (value, _)| value),
            rounds: contracted.states().iter().copied().max().unwrap_or(0),
            contracted,
        }
    }
}

/// What every vertex knows in the end: both products, and the round of its contraction.
type Answers<U, D> = Memory<(<U as Monoid>::Elem, <D as Monoid>::Elem, u32)>;

fn run<U: Fold, D: Fold>(
    machine: &mut Machine,
    name: &str,
    (up, down): (U, D),
    kin: &Memory<Kin>,
    values: Memory<(U::Elem, D::Elem)>,
) -> Result<Answers<U, D>, ProgramError> {
    check(machine, kin, &values)?;
    let states = kin.clone().beside(values).map(|_, (Kin { family, links }, (up, down))| {
        State::new(Input {
            parent: family.parent,
            links,
            alone: family.siblings == 1,
            blocks: [family.children, appended_siblings(&family)].map(halves),
            up,
            down,
        })
    });
    let rules = Rules { up, down, priorities: Priorities::draw(machine) };
    Ok(machine.run::<Contract<U, D>>(name, rules, states)?.map(|_, state| state.answer()))
}
