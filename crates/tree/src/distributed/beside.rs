//! Several columns in one computation.
//!
//! **Method.** The structure is followed once for up to [`TOGETHER`] columns, whose words make one element.
//! Every column has the answers that it has alone.

use super::{DistributedError, DistributedTree, Metered, Ranks};
use crate::{Direction, Scope};
use palmette_core::Monoid;
use palmette_core::memory::huge_collect;

/// Columns of one element: half a cache line.
const TOGETHER: usize = 4;

/// An operator on each of `K` words.
struct Beside<'a, M, const K: usize>(&'a M);

impl<M: Monoid<Elem = [u64; 1]>, const K: usize> Monoid for Beside<'_, M, K> {
    type Elem = [u64; K];
    #[inline]
    fn identity(&self) -> [u64; K] {
        [self.0.identity()[0]; K]
    }
    #[inline]
    fn combine(&self, left: [u64; K], right: [u64; K]) -> [u64; K] {
        std::array::from_fn(|k| self.0.combine([left[k]], [right[k]])[0])
    }
}

impl DistributedTree {
    /// The rootfix or leaffix of so many columns of one word, given by column and vertex of the slice:
    /// a vector of answers for each.
    ///
    /// # Errors
    /// As [`leaffix`](DistributedTree::leaffix).
    pub fn columns<R: Ranks, M: Monoid<Elem = [u64; 1]>>(
        &self,
        ranks: &mut Metered<R>,
        direction: Direction,
        columns: usize,
        word: &(dyn Fn(usize, usize) -> u64 + Sync),
        op: &M,
        scope: Scope,
    ) -> Result<Vec<Vec<u64>>, DistributedError> {
        let mut all = Vec::with_capacity(columns);
        while all.len() < columns {
            let first = all.len();
            let word = |k: usize, v: usize| word(first + k, v);
            match columns - first {
                1 => self.some::<R, M, 1>(ranks, direction, &word, op, scope, &mut all)?,
                2 => self.some::<R, M, 2>(ranks, direction, &word, op, scope, &mut all)?,
                3 => self.some::<R, M, 3>(ranks, direction, &word, op, scope, &mut all)?,
                _ => self.some::<R, M, TOGETHER>(ranks, direction, &word, op, scope, &mut all)?,
            }
        }
        Ok(all)
    }

    fn some<R: Ranks, M: Monoid<Elem = [u64; 1]>, const K: usize>(
        &self,
        ranks: &mut Metered<R>,
        direction: Direction,
        word: &(dyn Fn(usize, usize) -> u64 + Sync),
        op: &M,
        scope: Scope,
        all: &mut Vec<Vec<u64>>,
    ) -> Result<(), DistributedError> {
        let own = self.slices.of(ranks.rank());
        let n = (own.end - own.start) as usize;
        let elements: Vec<[u64; K]> = huge_collect(n, |v| std::array::from_fn(|k| word(k, v)));
        let answers = match direction {
            Direction::Rootfix => self.rootfix(ranks, &elements, &Beside::<M, K>(op), scope),
            Direction::Leaffix => self.leaffix(ranks, &elements, &Beside::<M, K>(op), scope),
        }?;
        drop(elements);
        all.extend((0..K).map(|k| answers.iter().map(|answer| answer[k]).collect()));
        Ok(())
    }
}
