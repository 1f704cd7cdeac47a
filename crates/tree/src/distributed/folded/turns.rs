//! Blocks of columns on their way from the last rank to the first.

use super::sweep::{Known, Scalar, subtrees, turn};
use super::{DistributedError, FoldSlices};
use crate::distributed::ranks::{Metered, Ranks};
use crate::fold::{Fold, Live};
use palmette_core::parallel;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Bytes of values of subtrees that are kept at a time.
const KEPT: usize = 1 << 28;

/// Groups of blocks per rank that are on their way at a time.
const GROUPS: usize = 4;

/// What is left of each block.
type Lives<F> = Vec<Live<<F as Fold>::Word, <F as Fold>::Note>>;

/// What a rank tells of a block in its turn: the roots' values, and sums for the rank before.
type Turn<W> = (Vec<W>, Vec<W>);

impl FoldSlices {
    /// The values of the roots that this rank has, in their order, and what it noted, of every block.
    /// Positions that the operator sees are places of the rank's stretch.
    ///
    /// # Errors
    /// When communication between ranks fails.
    pub fn live<R: Ranks, F: Fold<Word: Scalar>>(
        &self,
        ranks: &mut Metered<R>,
        op: &F,
        blocks: Range<usize>,
    ) -> Result<Lives<F>, DistributedError> {
        let bytes = self.subtrees.len() * op.value_words() * size_of::<F::Word>();
        let most = ranks.gather(&[bytes as u64])?.words.into_iter().max().unwrap_or(0);
        let window = (KEPT / (most as usize).max(1)).clamp(1, blocks.len().max(1));
        let mut found = Vec::with_capacity(blocks.len());
        for first in blocks.clone().step_by(window) {
            let some = first..(first + window).min(blocks.end);
            self.some(ranks, op, some, &mut found)?;
        }
        Ok(found)
    }

    fn some<R: Ranks, F: Fold<Word: Scalar>>(
        &self,
        ranks: &mut Metered<R>,
        op: &F,
        blocks: Range<usize>,
        found: &mut Lives<F>,
    ) -> Result<(), DistributedError> {
        let (rank, count) = (ranks.rank(), ranks.ranks());
        let known =
            parallel::map(blocks.len(), 1, |k| Mutex::new(subtrees(self, op, blocks.start + k)));
        let group = blocks.len().div_ceil(GROUPS * count);
        let groups = blocks.len().div_ceil(group);
        let long = self.after.len() * op.sum_words();
        let mut roots = Vec::with_capacity(blocks.len());
        let mut told: Vec<F::Word> = Vec::new();
        for round in 0..groups + count - 1 {
            let mut words = Vec::new();
            let own = (round + rank + 1).checked_sub(count).filter(|&own| own < groups);
            if let Some(own) = own {
                let some = own * group..((own + 1) * group).min(blocks.len());
                let turns: Vec<Turn<F::Word>> = parallel::map(some.len(), 1, |k| {
                    let place = some.start + k;
                    let mut known = known[place].lock().unwrap_or_else(PoisonError::into_inner);
                    let told = &told[k * long..(k + 1) * long];
                    turn(self, op, blocks.start + place, &mut known, told)
                });
                for (own_roots, sums) in turns {
                    roots.push(own_roots);
                    words.extend(sums.into_iter().map(Scalar::bits));
                }
            }
            let mut counts = vec![0; count];
            if let Some(before) = rank.checked_sub(1) {
                counts[before] = words.len();
            } else {
                words.clear();
            }
            let mail = ranks.exchange(&words, &counts)?;
            told = mail.words.into_iter().map(Scalar::of_bits).collect();
        }
        let known =
            known.into_iter().map(|k| k.into_inner().unwrap_or_else(PoisonError::into_inner));
        for (roots, Known { note, .. }) in roots.into_iter().zip(known) {
            found.push(Live { roots, note });
        }
        Ok(())
    }
}
