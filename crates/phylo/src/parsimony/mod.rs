//! Parsimony: the fewest or cheapest changes along a tree that explain an alignment, and ancestral
//! states.
//!
//! **Problem.** Input: a tree, a set of possible states at every tip and site, perhaps costs of changes.
//! Output: the least cost by site ([`Parsimony::site_scores`]); by branch, of one reconstruction that has
//! this cost ([`Parsimony::branch_scores`]); and states of all vertices ([`StateKind`]).
//!
//! | costs | method | file |
//! |---|---|---|
//! | every change costs 1 | Fitch's and Hartigan's rules on bit sets, 16 sites of four states per word | `fitch.rs`, `hartigan.rs` |
//! | a matrix, row = parent, column = child | Sankoff's least costs by state; scores in bytes where costs are small | `sankoff.rs`, `sankoff_down.rs`, `sankoff_small.rs` |
//!
//! Vertices may have any number of children; a tip without data may have any state, and so may a gap.
//! Both methods are a [fold with a finish](palmette_tree::fold) and its twin from the root down.
//!
//! **Determinism.** Threads share blocks of sites; costs are whole numbers, so that sums are exact: the
//! same bits on any number of threads. Ties of the one reconstruction: the parent's state where it is
//! among the best, otherwise the first of the best in the order of the alphabet.
//!
//! **When not to use.** Branch lengths have no effect: likelihood is another problem.

mod cost;
mod fitch;
mod hartigan;
mod lanes;
#[cfg(test)]
mod reference;
mod sankoff;
mod sankoff_down;
mod sankoff_small;
mod scores;
mod sliced;
#[cfg(test)]
mod sliced_tests;
mod solve;
mod states;
mod tally;
#[cfg(test)]
mod tests;
mod tips;

pub use cost::CostMatrix;
pub use sliced::{SharedParsimonyError, SharedScores, shared_parsimony};
pub use solve::parsimony;
pub use states::StateSets;
pub use tips::TipSets;

use palmette_core::named;
use palmette_core::sites::MOST_STATES;
use thiserror::Error;

named! {
    /// Which states of vertices are meant.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum StateKind("kind of states") {
        /// All that some reconstruction of least cost has (most parsimonious reconstructions).
        #[default]
        Mpr = "mpr",
        /// Those with which the subtree costs least.
        FirstPass = "first-pass",
        /// Those of one reconstruction of least cost.
        One = "one",
    }
}

/// What is wanted beside scores by site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ParsimonyParams {
    /// Costs by branch.
    pub branches: bool,
    /// States of all vertices.
    pub states: Option<StateKind>,
}

/// Costs and states.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsimony {
    /// The least cost of each site.
    pub site_scores: Vec<f64>,
    /// By position, what changes on the branch to the parent cost, over all sites, in the reconstruction
    /// of [`StateKind::One`]; 0 at roots. They sum up to the score.
    pub branch_scores: Option<Vec<f64>>,
    /// States by position.
    pub states: Option<StateSets>,
}

impl Parsimony {
    /// The least cost of the alignment.
    pub fn score(&self) -> f64 {
        self.site_scores.iter().sum()
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ParsimonyError {
    /// The matrix of costs has not one entry for each pair of states.
    #[error("{actual} costs where {expected} are expected")]
    Costs { expected: usize, actual: usize },
    /// An entry of the matrix of costs is none.
    #[error(
        "the cost from state {from} to state {to} is {cost}; costs are at least 0, 0 on the diagonal, \
        with at most 6 digits after the point"
    )]
    Cost { from: usize, to: usize, cost: f64 },
    /// Costs for another number of states.
    #[error("costs of {costs} states for an alignment of {states}")]
    States { costs: usize, states: usize },
    /// Costs so large that sums of them are not exact.
    #[error(
        "costs up to {largest} on {vertices} vertices have sums that are not exact; divide all costs"
    )]
    LargeCosts { largest: f64, vertices: usize },
    /// Sites that no states explain, because all changes that could are infinite.
    #[error("{sites} sites have no finite cost, the first is site {first}")]
    Impossible { sites: usize, first: usize },
    /// Rows of sets that are not what the number of states and sites makes them.
    #[error("{actual} words of sets where {expected} are expected")]
    Words { expected: usize, actual: usize },
    /// The number of states is 0, or larger than [`MOST_STATES`].
    #[error("{0} states; expected 1 to {MOST_STATES}")]
    ManyStates(usize),
    /// Not one row for each position, or rows that are not there.
    #[error("rows of tips: expected {expected}, found {actual}")]
    Rows { expected: usize, actual: usize },
}
