//! Several columns of values from bare parents.
//!
//! **Problem.** Vertices in no order have to be put in one, which costs more than the sums.
//! **Method.** Two or four columns make one pass: the values of a vertex lie side by side, and are
//! combined each for itself. **Cost.** One peeling per four columns, and a copy of the values in and of
//! the answers out; where there is no room for these, a peeling per column. **Determinism.** Values
//! are combined in the same order as column by column.

use super::Once;
use palmette_core::memory::{check_room, huge_collect};
use palmette_core::{Commutative, Monoid, TreeError};
use std::array::from_fn;

/// An operator on the entries of a row, each for itself.
struct Each<'a, M, const K: usize>(&'a M);

impl<M: Monoid, const K: usize> Monoid for Each<'_, M, K> {
    type Elem = [M::Elem; K];
    #[inline]
    fn identity(&self) -> [M::Elem; K] {
        [self.0.identity(); K]
    }
    #[inline]
    fn combine(&self, left: [M::Elem; K], right: [M::Elem; K]) -> [M::Elem; K] {
        from_fn(|k| self.0.combine(left[k], right[k]))
    }
}

impl<M: Commutative, const K: usize> Commutative for Each<'_, M, K> {}

/// The most columns of a pass.
const MOST: usize = 4;

impl Once<'_> {
    /// The answers for each of some columns.
    pub(super) fn passes<M: Commutative>(
        &self,
        columns: &[&[M::Elem]],
        op: &M,
    ) -> Result<Vec<Vec<M::Elem>>, TreeError> {
        // Rows, what is peeled of them, and their answers.
        let bytes = 3 * MOST * size_of::<M::Elem>() * self.parents.len();
        let most = if check_room(bytes as u64).is_ok() { MOST } else { 1 };
        let mut found = Vec::with_capacity(columns.len());
        for some in columns.chunks(most) {
            match some {
                [one] => found.push(self.pass(one, op)?),
                [_, _] => found.extend(self.rows::<M, 2>(some, op)?),
                _ => found.extend(self.rows::<M, MOST>(some, op)?),
            }
        }
        Ok(found)
    }

    /// At most `K` columns in one pass.
    fn rows<M: Commutative, const K: usize>(
        &self,
        columns: &[&[M::Elem]],
        op: &M,
    ) -> Result<Vec<Vec<M::Elem>>, TreeError> {
        let n = self.parents.len();
        let entry = |k: usize, v: usize| columns.get(k).map_or(op.identity(), |column| column[v]);
        let rows = huge_collect(n, |v| -> [M::Elem; K] { from_fn(|k| entry(k, v)) });
        let found = self.pass(&rows, &Each(op))?;
        drop(rows);
        Ok((0..columns.len()).map(|k| huge_collect(n, |v| found[v][k])).collect())
    }
}
