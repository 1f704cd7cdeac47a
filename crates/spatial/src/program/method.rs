//! Which of two algorithms a program runs: the one that was published, or ours.

use super::list_ranking::{Element, Ranks, random_mate, ranking_words};
use super::treefix::{self, Treefix, published};
use super::{Kin, ProgramError};
use crate::machine::{Fold, Machine, Memory};
use palmette_core::named;

named! {
    /// How lists and trees are contracted. Both give the same answers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Method("method") {
        /// Lists by random priorities, trees by addresses; nobody speaks where nothing happens.
        #[default]
        Ours = "ours",
        /// In rounds, with coins, as *Low-Depth Spatial Tree Algorithms* prints it, corrected.
        Published = "published",
    }
}

impl Method {
    /// Products over subtrees: [`treefix::leaffix`] or [`published::leaffix`].
    ///
    /// # Errors
    /// As those.
    pub fn leaffix<M: Fold>(
        self,
        machine: &mut Machine,
        name: &str,
        operator: M,
        kin: &Memory<Kin>,
        values: Memory<M::Elem>,
    ) -> Result<Treefix<M::Elem>, ProgramError> {
        match self {
            Method::Ours => treefix::leaffix(machine, name, operator, kin, values),
            Method::Published => published::leaffix(machine, name, operator, kin, values),
        }
    }

    /// Products down from the root: [`treefix::rootfix`] or [`published::rootfix`].
    ///
    /// # Errors
    /// As those.
    pub fn rootfix<M: Fold>(
        self,
        machine: &mut Machine,
        name: &str,
        operator: M,
        kin: &Memory<Kin>,
        values: Memory<M::Elem>,
    ) -> Result<Treefix<M::Elem>, ProgramError> {
        match self {
            Method::Ours => treefix::rootfix(machine, name, operator, kin, values),
            Method::Published => published::rootfix(machine, name, operator, kin, values),
        }
    }

    /// The words of a processor for [`Method::leaffix`], the [virtual tree](super::kin()) found
    /// before.
    pub const fn leaffix_words<M: Fold>(self) -> usize {
        match self {
            Method::Ours => treefix::leaffix_words::<M>(),
            Method::Published => published::leaffix_words::<M>(),
        }
    }

    /// The words of a processor for [`Method::rootfix`], the [virtual tree](super::kin()) found
    /// before.
    pub const fn rootfix_words<M: Fold>(self) -> usize {
        match self {
            Method::Ours => treefix::rootfix_words::<M>(),
            Method::Published => published::rootfix_words::<M>(),
        }
    }

    /// The words of a processor for [`Method::rank`], with `S` elements per processor.
    pub const fn rank_words<const S: usize>(self) -> usize {
        match self {
            Method::Ours => ranking_words::<S>(),
            Method::Published => random_mate::ranking_words::<S>(),
        }
    }

    /// Ranks of lists: [`rank`](super::list_ranking::rank) or [`random_mate::rank`].
    ///
    /// # Errors
    /// As those.
    pub fn rank<const S: usize>(
        self,
        machine: &mut Machine,
        name: &str,
        lists: Memory<[Element; S]>,
    ) -> Result<Ranks<S>, ProgramError> {
        match self {
            Method::Ours => super::list_ranking::rank(machine, name, lists),
            Method::Published => Ok(random_mate::rank(machine, name, lists)?),
        }
    }
}
