//! The tree of starts: on every rank when it is small, else peeled like the tree itself.

use super::{Limits, Peeled};
use crate::distributed::ranks::Slices;
use crate::distributed::ranks::{Metered, Ranks, RanksError};
use crate::distributed::{DistributedError, NO_VERTEX};
use palmette_core::{Monoid, NONE};

/// What is left after chains.
#[derive(Default)]
pub(super) enum Rest {
    /// Nothing.
    #[default]
    None,
    /// Everything, on every rank.
    Whole(Whole),
    /// Another tree on all ranks.
    Deeper(Box<Peeled>),
}

/// A tree that every rank has.
pub(super) struct Whole {
    /// The first vertex of this rank, and how many it has.
    first: usize,
    own: usize,
    parents: Vec<u32>,
    /// Each after all below it.
    order: Vec<u32>,
}

impl Rest {
    /// Takes the parents of this rank's starts, by their numbers on all ranks. Without a result,
    /// there are too many.
    pub(super) fn of<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: Slices,
        stops: Vec<u32>,
        limits: Limits,
    ) -> Result<Option<Rest>, DistributedError> {
        if slices.total() <= limits.starts {
            let whole = Whole::gather(ranks, &slices, &stops)?;
            let lost = whole.lost();
            let lost = lost.map_or(Ok(()), |vertex| Err(DistributedError::Cycle { vertex }));
            ranks.agree(lost)?;
            return Ok(Some(Rest::Whole(whole)));
        }
        let wide = |&stop: &u32| if stop == NONE { NO_VERTEX } else { stop.into() };
        let parents: Vec<u64> = stops.iter().map(wide).collect();
        drop(stops);
        let deeper = Peeled::contract(ranks, &slices, &parents, limits)?;
        Ok(deeper.map(|deeper| Rest::Deeper(Box::new(deeper))))
    }

    /// For each start here, what is below it, from what each has with the chain above it.
    pub(super) fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        totals: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match self {
            Rest::None => Ok(Vec::new()),
            Rest::Whole(whole) => Ok(whole.up(ranks, op, totals)?),
            Rest::Deeper(deeper) => deeper.up(ranks, op, totals, true),
        }
    }

    /// For each start here, what is above its chain.
    pub(super) fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        totals: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match self {
            Rest::None => Ok(Vec::new()),
            Rest::Whole(whole) => Ok(whole.down(ranks, op, totals)?),
            Rest::Deeper(deeper) => deeper.down(ranks, op, totals, true),
        }
    }
}

impl Whole {
    fn gather<R: Ranks>(
        ranks: &mut Metered<R>,
        slices: &Slices,
        stops: &[u32],
    ) -> Result<Whole, RanksError> {
        let words: Vec<u64> = stops.iter().map(|&stop| stop.into()).collect();
        let all = ranks.gather(&words)?;
        let parents: Vec<u32> = all.words.iter().map(|&parent| parent as u32).collect();
        drop(all);
        let mut pending = vec![0u32; parents.len()];
        let above = |v: u32| Some(parents[v as usize]).filter(|&parent| parent != NONE);
        (0..parents.len() as u32).filter_map(above).for_each(|p| pending[p as usize] += 1);
        let ready = |&v: &u32| pending[v as usize] == 0;
        let mut order: Vec<u32> = (0..parents.len() as u32).filter(ready).collect();
        let mut head = 0;
        while let Some(&v) = order.get(head) {
            head += 1;
            if let Some(parent) = above(v) {
                pending[parent as usize] -= 1;
                if pending[parent as usize] == 0 {
                    order.push(parent);
                }
            }
        }
        let first = slices.of(ranks.rank()).start as usize;
        Ok(Whole { first, own: stops.len(), parents, order })
    }

    /// A vertex of this rank that goes round.
    fn lost(&self) -> Option<u64> {
        if self.order.len() == self.parents.len() {
            return None;
        }
        let mut seen = vec![false; self.parents.len()];
        self.order.iter().for_each(|&v| seen[v as usize] = true);
        (self.first..self.first + self.own).find(|&v| !seen[v]).map(|v| v as u64)
    }

    fn up<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        totals: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let all = ranks.gather(totals.as_flattened())?;
        let totals = all.records::<N>();
        let mut below = vec![op.identity(); totals.len()];
        for &v in &self.order {
            if let Some(parent) = below.get(self.parents[v as usize] as usize) {
                let sum = op.combine(below[v as usize], totals[v as usize]);
                below[self.parents[v as usize] as usize] = op.combine(*parent, sum);
            }
        }
        Ok(below[self.first..self.first + self.own].to_vec())
    }

    fn down<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        op: &M,
        totals: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, RanksError> {
        let all = ranks.gather(totals.as_flattened())?;
        let totals = all.records::<N>();
        let mut above = vec![op.identity(); totals.len()];
        for &v in self.order.iter().rev() {
            let parent = self.parents[v as usize] as usize;
            if let Some(&outer) = above.get(parent) {
                above[v as usize] = op.combine(outer, totals[parent]);
            }
        }
        Ok(above[self.first..self.first + self.own].to_vec())
    }
}
