//! Scores by site, whatever the costs are and wherever the tree is.

use super::fitch::Fitch;
use super::sankoff::{Costs, Number, SITES, Sankoff, least_of};
use super::{CostMatrix, ParsimonyError, TipSets, sankoff_small};
use palmette_core::Tree;
use palmette_tree::distributed::Scalar;
use palmette_tree::fold::{Fold, Live, live};
use std::convert::Infallible;

/// A tree that is folded, from the leaves to the roots.
pub(super) trait Folded {
    type Error;
    /// The most children of a vertex.
    fn most_children(&self) -> u64;
    /// What is here of so many blocks.
    fn live<F: Fold<Word: Scalar>>(&mut self, op: &F, blocks: usize) -> Folds<F, Self::Error>;
}

pub(super) type Folds<F, E> = Result<Vec<Live<<F as Fold>::Word, <F as Fold>::Note>>, E>;

impl Folded for &Tree {
    type Error = Infallible;

    fn most_children(&self) -> u64 {
        self.child_counts().into_iter().max().unwrap_or(0).into()
    }

    fn live<F: Fold<Word: Scalar>>(&mut self, op: &F, blocks: usize) -> Folds<F, Infallible> {
        Ok(live(self, op, 0..blocks))
    }
}

/// How costs of a tree with so many vertices are added up exactly.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Exactly {
    /// Every change costs 1.
    Changes,
    Single,
    Double,
}

/// The numbers to take for costs.
pub(super) fn exactly(
    vertices: u64,
    tips: &TipSets<'_>,
    costs: Option<&CostMatrix>,
) -> Result<Exactly, ParsimonyError> {
    let Some(costs) = costs.filter(|costs| costs.states() != tips.states() || !costs.is_unit())
    else {
        return Ok(Exactly::Changes);
    };
    if costs.states() != tips.states() {
        return Err(ParsimonyError::States { costs: costs.states(), states: tips.states() });
    }
    match costs.largest() * vertices as f64 {
        ..f32::MOST => Ok(Exactly::Single),
        ..f64::MOST => Ok(Exactly::Double),
        _ => {
            let (largest, vertices) = (costs.largest() / costs.scale(), vertices as usize);
            Err(ParsimonyError::LargeCosts { largest, vertices })
        }
    }
}

/// The number of changes at every site, of the vertices that are here.
pub(super) fn changes<T: Folded, const BITS: u32>(
    tree: &mut T,
    tips: &TipSets<'_>,
) -> Result<Vec<f64>, T::Error> {
    let blocks = tree.live(&Fitch::<BITS, false> { tips }, tips.blocks())?;
    let sites = blocks.into_iter().flat_map(|block| block.note.by_site());
    Ok(sites.take(tips.sites()).map(|changes| changes as f64).collect())
}

/// The least cost of every site, in units; that of roots which are elsewhere is not in it.
pub(super) fn costs<T: Folded, N: Number>(
    tree: &mut T,
    tips: &TipSets<'_>,
    costs: &CostMatrix,
) -> Result<Vec<f64>, T::Error> {
    match sankoff_small::scores(tree, tips, costs)? {
        Some(scores) => Ok(scores),
        None => any_costs::<T, N>(tree, tips, &Costs::new(costs)),
    }
}

/// As [`costs`], however large they are.
pub(super) fn any_costs<T: Folded, N: Number>(
    tree: &mut T,
    tips: &TipSets<'_>,
    costs: &Costs<N>,
) -> Result<Vec<f64>, T::Error> {
    let sites = tips.sites();
    let mut scores = Vec::with_capacity(sites.next_multiple_of(SITES));
    for block in tree.live(&Sankoff { tips, costs }, sites.div_ceil(SITES))? {
        let mut sums = [0.0; SITES];
        for root in block.roots.chunks_exact(costs.states * SITES) {
            sums.iter_mut().zip(least_of(root)).for_each(|(sum, x)| *sum += x.float());
        }
        scores.extend(sums);
    }
    scores.truncate(sites);
    Ok(scores)
}

/// What cannot fail.
pub(super) fn certain<T>(found: Result<T, Infallible>) -> T {
    match found {
        Ok(found) => found,
    }
}
