//! Distances between trees, and consensus.
//!
//! **Problem.** Trees over the same tips. How many branches do two of them not share, how much do their
//! lengths differ, and which branches do most trees have?
//!
//! A branch cuts the tips in two. Rooted, it stands for the *cluster* of the tips below it; unrooted, for the
//! *split* into the tips on either side. A cluster of one tip or of all tips, and a split with one tip on a
//! side, are in every tree and count only where lengths do. Branches with the same split are one, whose
//! lengths are added: the two at a binary root (unrooted), and those above and below a vertex with one child.
//! A root's own length is ignored.
//!
//! | distance | is |
//! |---|---|
//! | Robinson–Foulds | inner splits that one of the trees has |
//! | normalised | the same over the inner splits of both; 0 where there are none |
//! | weighted | Σ\|l − l′\| over all splits, those of tips included; 0 where a tree has none |
//! | branch score (Kuhner–Felsenstein) | √Σ(l − l′)² over the same |
//! | quartets | sets of four tips that the trees divide differently |
//!
//! | engine | for | exact because |
//! |---|---|---|
//! | [`Pair`] | two trees | Day's tables hold intervals, not hashes |
//! | [`Collection`] | all pairs of many, consensus | every split is verified against the first with its hash |
//! | [`Quartets`] | two trees, by sets of four tips | whole numbers |
//!
//! **Reference.** D. F. Robinson, L. R. Foulds, Math. Biosci. 53 (1981); M. K. Kuhner, J. Felsenstein, Mol. Biol.
//! Evol. 11 (1994); W. H. E. Day, J. Classif. 2 (1985).

mod classes;
mod consensus;
mod counters;
mod matrix;
mod pair;
mod quartets;
mod splits;
#[cfg(test)]
mod tests;
mod tip_tree;
mod verify;
mod weighted;

pub use classes::Collection;
pub use consensus::{Consensus, ConsensusTree};
pub use pair::Pair;
pub use quartets::{MOST_QUARTET_TIPS, Quartets, quartet_distances};
pub use splits::Splits;
pub use tip_tree::TipTree;

use thiserror::Error;

/// Whether trees have roots that mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rooting {
    /// Roots are ignored: splits are compared.
    #[default]
    Unrooted,
    /// Clusters are compared.
    Rooted,
}

/// Why trees cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CompareError {
    /// A tip number that is no tip.
    #[error("tip number {tip} of {tips} tips")]
    NoTip { tip: u32, tips: usize },
    /// Two leaves have one number.
    #[error("tip {tip} is twice in a tree")]
    Twice { tip: u32 },
    /// A tree lacks a tip.
    #[error("a tree lacks tip {tip}")]
    Missing { tip: u32 },
    /// More tips than quartets can be counted for.
    #[error("quartets of {tips} tips: at most {MOST_QUARTET_TIPS} can be compared")]
    TooManyForQuartets { tips: usize },
}

/// How far two trees are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TreeDistance {
    /// Inner splits of the first tree.
    pub first: usize,
    /// Inner splits of the second.
    pub second: usize,
    /// Inner splits of both.
    pub shared: usize,
    /// Σ|l − l′|, where both trees have lengths.
    pub weighted: Option<f64>,
    /// √Σ(l − l′)², where both trees have lengths.
    pub branch_score: Option<f64>,
}

impl TreeDistance {
    /// Inner splits that one of the trees has: Robinson–Foulds.
    pub fn robinson_foulds(&self) -> usize {
        self.first + self.second - 2 * self.shared
    }

    /// The same over the inner splits of both trees; 0 where there are none.
    pub fn normalised(&self) -> f64 {
        normalised(self.robinson_foulds(), self.first + self.second)
    }
}

/// A distance over what it can be at most.
pub(crate) fn normalised(distance: usize, most: usize) -> f64 {
    if most == 0 { 0.0 } else { distance as f64 / most as f64 }
}
