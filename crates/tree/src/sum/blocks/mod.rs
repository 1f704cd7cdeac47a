//! Sums carried in wider numbers, by blocks of the preorder.
//!
//! **Problem.** As [`leaffix`](mod@crate::leaffix) and [`rootfix`](mod@crate::rootfix), but a
//! sum is carried in an element that is larger than a value and larger than an answer: pairs
//! of floats, or whole numbers of many words.
//!
//! **Method.** Wide elements live in a scratch block that stays in the cache; memory sees
//! values and answers only. What a block needs from elsewhere comes from sums of whole blocks
//! (leaffix) or of chains of open vertices (rootfix), and else from the values again. The
//! blocks and what is open in them are those of `crate::blocks`.
//!
//! **Cost.** Linear. Beside the sweeps, values are added a second time for the sums of blocks
//! or chains; and what lies between a block and the end of a subtree, or the parent of a
//! vertex, in another block, at most twice in all: intervals of the preorder nest, and edges
//! do not cross, so that of m blocks at most 2m pairs have to do with each other. Memory: one
//! element a block and [`BLOCK`] elements a thread.
//!
//! **Determinism.** Blocks have a fixed length, so the brackets do not depend on threads.

mod leaffix;
mod rootfix;

pub(super) use leaffix::leaffix;
pub(super) use rootfix::rootfix;

use crate::blocks::BLOCK;
use crate::{Direction, Scope};
use palmette_core::{Group, Monoid, Tree};
use rayon::prelude::*;

/// An operator whose elements carry sums of values and end as answers.
pub(crate) trait Carrier: Monoid {
    type Value: Copy + Send + Sync;
    type Answer: Copy + Send + Sync;
    /// The operator on elements alone, which knows nothing of values: engines are compiled
    /// once for several types of these.
    type Engine: Group<Elem = Self::Elem>;
    fn engine(&self) -> Self::Engine;
    /// Adds a value to a sum.
    fn add(&self, sum: &mut Self::Elem, value: Self::Value);
    /// What a sum is in the end.
    fn answer(&self, sum: Self::Elem) -> Self::Answer;

    /// The sum of a row of values: four quarters side by side, so that no addition waits
    /// for the one before.
    #[inline(always)]
    fn total(&self, values: &[Self::Value]) -> Self::Elem {
        let quarter = values.len() / 4;
        let mut sums = [self.identity(); 4];
        let (rows, rest) = values.split_at(4 * quarter);
        for i in 0..quarter {
            for (lane, sum) in sums.iter_mut().enumerate() {
                self.add(sum, rows[lane * quarter + i]);
            }
        }
        let [a, b, c, d] = sums;
        let mut total = self.combine(self.combine(a, b), self.combine(c, d));
        rest.iter().for_each(|&value| self.add(&mut total, value));
        total
    }
}

/// A problem for the engines of this folder.
pub(super) struct Job<'a, C: Carrier> {
    pub(super) tree: &'a Tree,
    pub(super) values: &'a [C::Value],
    pub(super) op: &'a C,
    pub(super) scope: Scope,
    /// Use the calling thread only.
    pub(super) alone: bool,
}

impl<C: Carrier> Job<'_, C> {
    /// Fills `out`, by position.
    pub(super) fn run(&self, direction: Direction, out: &mut [C::Answer]) {
        match direction {
            Direction::Leaffix => leaffix(self, out),
            Direction::Rootfix => rootfix(self, out),
        }
    }

    /// Something for every block.
    fn each_block<R: Send>(&self, count: usize, make: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        match self.alone {
            true => (0..count).map(make).collect(),
            false => (0..count).into_par_iter().map(make).collect(),
        }
    }

    /// Fills the answers of every block, with a scratch block for each task.
    fn fill(
        &self,
        out: &mut [C::Answer],
        work: impl Fn(&mut [C::Elem], usize, &mut [C::Answer]) + Sync + Send,
    ) {
        let scratch = || vec![self.op.identity(); BLOCK.min(self.tree.len())];
        if self.alone {
            let mut scratch = scratch();
            out.chunks_mut(BLOCK).enumerate().for_each(|(b, out)| work(&mut scratch, b, out));
        } else {
            out.par_chunks_mut(BLOCK)
                .enumerate()
                .for_each_init(scratch, |scratch, (b, out)| work(scratch, b, out));
        }
    }
}
