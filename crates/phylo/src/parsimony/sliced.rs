//! Scores by site on a tree that no rank has whole.
//!
//! **Problem.** Every rank has a stretch of the tree's vertices ([`FoldSlices`]) and the sequences of its tips; it
//! gets the least costs of its share of the sites.
//!
//! **Method.** The folds of one machine, on slices: what a rank counts at its own vertices, and the costs of roots where they
//! are, are added up over ranks. Costs are whole numbers of a unit.
//!
//! **Cost.** That of [`FoldSlices::live`], and a word per site and rank. A sum over children that is told has 2 KB
//! per block of 128 sites of up to four states, with small costs 1 KB per state.
//!
//! **Determinism.** The scores of one machine, on any number of ranks.

use super::scores::{Exactly, Folded, Folds, changes, costs as costs_of, exactly};
use super::{CostMatrix, ParsimonyError, TipSets};
use palmette_tree::distributed::{
    DistributedError, FoldSlices, Metered, Ranks, RanksError, Scalar, Slices,
};
use palmette_tree::fold::Fold;
use thiserror::Error;

/// The scores of a rank's share of the sites.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedScores {
    /// Its first site, from 0.
    pub first: usize,
    /// The least cost of each.
    pub scores: Vec<f64>,
}

/// Why ranks have no answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SharedParsimonyError {
    /// States or costs.
    #[error(transparent)]
    Parsimony(#[from] ParsimonyError),
    /// The tree, or what is between ranks.
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

impl From<RanksError> for SharedParsimonyError {
    fn from(error: RanksError) -> SharedParsimonyError {
        SharedParsimonyError::Distributed(error.into())
    }
}

/// More than all costs that are added exactly.
const IMPOSSIBLE: u64 = 1 << 54;

struct OnRanks<'a, R: Ranks> {
    ranks: &'a mut Metered<R>,
    tree: &'a FoldSlices,
}

impl<R: Ranks> Folded for OnRanks<'_, R> {
    type Error = DistributedError;

    fn most_children(&self) -> u64 {
        self.tree.most_children()
    }

    fn live<F: Fold<Word: Scalar>>(&mut self, op: &F, blocks: usize) -> Folds<F, DistributedError> {
        self.tree.live(self.ranks, op, 0..blocks)
    }
}

/// The least cost of every site. `tips` are by place of the rank's stretch. Without costs every change
/// costs 1.
///
/// # Errors
/// As [`parsimony`](super::parsimony), and when communication between ranks fails.
pub fn shared_parsimony<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &FoldSlices,
    tips: &TipSets<'_>,
    costs: Option<&CostMatrix>,
) -> Result<SharedScores, SharedParsimonyError> {
    let checked = match tips.positions() == tree.len() {
        true => exactly(tree.total(), tips, costs),
        false => {
            let (expected, actual) = (tree.len(), tips.positions());
            Err(ParsimonyError::Rows { expected, actual })
        }
    };
    let kind = ranks.agree(checked.map_err(SharedParsimonyError::from))?;
    let mut folded = OnRanks { ranks, tree };
    let own = match (kind, costs) {
        (Exactly::Single, Some(costs)) => costs_of::<_, f32>(&mut folded, tips, costs)?,
        (Exactly::Double, Some(costs)) => costs_of::<_, f64>(&mut folded, tips, costs)?,
        _ => match tips.bits() {
            4 => changes::<_, 4>(&mut folded, tips)?,
            8 => changes::<_, 8>(&mut folded, tips)?,
            16 => changes::<_, 16>(&mut folded, tips)?,
            _ => changes::<_, 32>(&mut folded, tips)?,
        },
    };
    let units = |&score: &f64| if score.is_finite() { score as u64 } else { IMPOSSIBLE };
    let own: Vec<u64> = own.iter().map(units).collect();
    let shares = Slices::even(own.len() as u64, ranks.ranks());
    let length = |rank: usize| (shares.of(rank).end - shares.of(rank).start) as usize;
    let counts: Vec<usize> = (0..ranks.ranks()).map(length).collect();
    let mail = ranks.exchange(&own, &counts)?;
    let mine = counts[ranks.rank()];
    let mut sums = vec![0; mine];
    for words in mail.words.chunks_exact(mine.max(1)) {
        sums.iter_mut().zip(words).for_each(|(sum, word)| *sum += word);
    }
    let first = shares.of(ranks.rank()).start as usize;
    let wrong = sums.iter().position(|&sum| sum >= IMPOSSIBLE).map(|k| first + k + 1);
    let sites = sums.iter().filter(|&&sum| sum >= IMPOSSIBLE).count();
    let sites = ranks.sum(sites as u64)? as usize;
    let wrong = wrong.map(|first| ParsimonyError::Impossible { sites, first });
    ranks.agree(wrong.map_or(Ok(()), |error| Err(SharedParsimonyError::from(error))))?;
    let scale = costs.filter(|_| kind != Exactly::Changes).map_or(1.0, CostMatrix::scale);
    Ok(SharedScores { first, scores: sums.into_iter().map(|sum| sum as f64 / scale).collect() })
}
