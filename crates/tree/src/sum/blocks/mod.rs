//! Sums carried in wider numbers, by blocks of the preorder.
//!
//! **Problem.** As [`leaffix`](mod@crate::leaffix) and [`rootfix`](mod@crate::rootfix), but a
//! sum is carried in an element that is larger than a value and larger than an answer: pairs
//! of floats, or whole numbers of many words.
//!
//! **Method.** Wide elements live in a scratch block that stays in the cache; memory sees
//! values and answers only. What a block needs from elsewhere comes from sums of whole blocks
//! (leaffix) or of chains of open vertices (rootfix), and else from the values again. The
//! blocks and what is open in them are those of `crate::blocks`. Four blocks of small elements
//! are swept in turn, a step in each: on deep trees a step waits for the step before, and four
//! chains wait at the same time.
//!
//! **Cost.** Linear. Beside the sweeps, values are added a second time for the sums of blocks
//! or chains; and what lies between a block and the end of a subtree, or the parent of a
//! vertex, in another block, at most twice in all: intervals of the preorder nest, and edges
//! do not cross, so that of m blocks at most 2m pairs have to do with each other. Memory: one
//! element per block, and for a thread [`BLOCK`] elements or, of small ones, four times as many.
//!
//! Ragged trees ([`Grain::Ragged`]), whose blocks would walk chains of many others, are swept
//! whole where elements are small.
//!
//! **Determinism.** Blocks have a fixed length, so the brackets do not depend on threads.

mod leaffix;
mod rootfix;
mod whole;

use leaffix::leaffix;
use rootfix::rootfix;
use whole::whole;

use crate::blocks::{BLOCK, Blocks, Grain};
use crate::{Direction, Scope};
use palmette_core::{Group, Monoid, Tree, parallel};
use std::sync::{Mutex, PoisonError};

const MOST_LANES: usize = 4;

/// An operator whose elements carry sums of values and end as answers.
pub(crate) trait Carrier: Sync {
    type Elem: Copy + Send + Sync;
    type Value: Copy + Send + Sync;
    type Answer: Copy + Send + Sync;
    /// The operator on elements alone, which knows nothing of values: engines are compiled
    /// once for several types of these.
    type Engine: Group<Elem = Self::Elem>;
    fn engine(&self) -> Self::Engine;
    #[inline(always)]
    fn identity(&self) -> Self::Elem {
        self.engine().identity()
    }
    #[inline(always)]
    fn combine(&self, left: Self::Elem, right: Self::Elem) -> Self::Elem {
        self.engine().combine(left, right)
    }
    /// Blocks that are swept in turn.
    const LANES: usize = if size_of::<Self::Elem>() <= 16 { MOST_LANES } else { 1 };
    /// Whether ragged trees are swept whole: sums and the bounds on their errors must agree on
    /// the brackets, so that this holds for the elements of both.
    const SWEPT_WHOLE: bool = size_of::<Self::Elem>() <= 24;
    /// The sum of one value.
    #[inline(always)]
    fn lift(&self, value: Self::Value) -> Self::Elem {
        let mut sum = self.identity();
        self.add(&mut sum, value);
        sum
    }
    /// Adds a value to a sum.
    fn add(&self, sum: &mut Self::Elem, value: Self::Value);
    /// What a sum is in the end.
    fn answer(&self, sum: Self::Elem) -> Self::Answer;

    /// The sum of a row of values: four rows side by side, so that no addition waits for the
    /// one before.
    #[inline(always)]
    fn total(&self, values: &[Self::Value]) -> Self::Elem {
        let mut sums = [self.identity(); 4];
        let fours = values.chunks_exact(4);
        let rest = fours.remainder();
        for four in fours {
            sums.iter_mut().zip(four).for_each(|(sum, &value)| self.add(sum, value));
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
            _ if C::SWEPT_WHOLE && Blocks::new(self.tree).grain() == Grain::Ragged => {
                whole(self, direction, out);
            }
            Direction::Leaffix => leaffix(self, out),
            Direction::Rootfix => rootfix(self, out),
        }
    }

    /// Something for every block.
    fn each_block<R: Send + Sync>(&self, count: usize, make: impl Fn(usize) -> R + Sync) -> Vec<R> {
        match self.alone {
            true => (0..count).map(make).collect(),
            false => parallel::map(count, 1, make),
        }
    }

    /// Fills the answers of every group of [`Carrier::LANES`] blocks, with scratch memory for
    /// each task; `work` also gets the group's first position.
    fn fill(
        &self,
        out: &mut [C::Answer],
        work: impl Fn(&mut Vec<C::Elem>, usize, &mut [C::Answer]) + Sync,
    ) {
        let group = C::LANES * BLOCK;
        // What tasks have used, for the next.
        let scratches: Mutex<Vec<Vec<C::Elem>>> = Mutex::default();
        let free = || scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let work = |start: usize, out: &mut [C::Answer]| {
            let mut scratch = free().pop().unwrap_or_default();
            scratch.resize(out.len(), self.op.identity());
            work(&mut scratch, start, out);
            free().push(scratch);
        };
        match self.alone {
            true => out.chunks_mut(group).enumerate().for_each(|(g, out)| work(g * group, out)),
            false => parallel::chunks_mut(out, group, work),
        }
    }
}

/// Steps over a group of whole blocks, which take turns: `step` gets the number of a block in
/// the group and a place in the group. A closure of its own for each way to step is inlined.
#[inline(always)]
fn in_turn<C: Carrier>(backwards: bool, mut step: impl FnMut((usize, usize))) {
    for i in 0..BLOCK {
        let i = if backwards { BLOCK - 1 - i } else { i };
        for lane in 0..C::LANES {
            step((lane, lane * BLOCK + i));
        }
    }
}

/// Steps over a group of blocks of `len` positions in all, one after the other.
#[inline(always)]
fn one_by_one(len: usize, backwards: bool, mut step: impl FnMut((usize, usize))) {
    for (lane, from) in (0..len).step_by(BLOCK).enumerate() {
        let length = BLOCK.min(len - from);
        for i in 0..length {
            step((lane, from + if backwards { length - 1 - i } else { i }));
        }
    }
}
