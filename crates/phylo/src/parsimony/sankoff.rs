//! Costs of one's own: the least cost of a subtree for every state of its root.
//!
//! **Problem.** Input: a set of states at every tip and a matrix of costs `c[parent][child]`. Output: for
//! every vertex and state `a` the least cost `S_v[a]` of its subtree.
//!
//! **Method.** `S_v[a] = Σ_children min_b (c[a][b] + S_child[b])`; at a tip 0 for its states, infinite for
//! others. A value is a row per state of [`SITES`] numbers, so that the inner loop takes the same states
//! of neighbouring sites. Costs are whole numbers (see [`CostMatrix`]): f32 holds them exactly while
//! vertices × the largest cost stay below 2^24, f64 otherwise.
//!
//! **Cost.** states² additions and minima per site and vertex; for scores 16 × 4 × states bytes per
//! vertex that waits for its parent and thread, with sets or branches so many per vertex; twice as many
//! with f64.
//!
//! **Reference.** D. Sankoff, *Minimal mutation trees of sequences*, 1975.

use super::{CostMatrix, TipSets};
use palmette_core::sites;
use palmette_tree::distributed::Scalar;
use palmette_tree::fold::Fold;
use std::ops::{Add, AddAssign, Sub};

/// Sites of a block.
pub(super) const SITES: usize = 16;

/// The numbers of a state at a vertex.
pub(super) type Row<T> = [T; SITES];

/// Numbers that hold costs exactly, up to some size.
pub(super) trait Number:
    Scalar + PartialOrd + Add<Output = Self> + AddAssign + Sub<Output = Self>
{
    const INFINITE: Self;
    /// Whole numbers up to here are exact.
    const MOST: f64;
    fn of(cost: f64) -> Self;
    fn float(self) -> f64;
}

impl Number for f32 {
    const INFINITE: f32 = f32::INFINITY;
    const MOST: f64 = (1u32 << 24) as f64;
    fn of(cost: f64) -> f32 {
        cost as f32
    }
    fn float(self) -> f64 {
        self.into()
    }
}

impl Number for f64 {
    const INFINITE: f64 = f64::INFINITY;
    const MOST: f64 = (1u64 << 53) as f64;
    fn of(cost: f64) -> f64 {
        cost
    }
    fn float(self) -> f64 {
        self
    }
}

/// Costs as numbers of a type, row after row.
pub(super) struct Costs<T> {
    pub(super) states: usize,
    pub(super) units: Vec<T>,
}

impl<T: Number> Costs<T> {
    pub(super) fn new(costs: &CostMatrix) -> Costs<T> {
        let units = costs.units().iter().map(|&cost| T::of(cost)).collect();
        Costs { states: costs.states(), units }
    }

    #[inline(always)]
    pub(super) fn row(&self, parent: usize) -> &[T] {
        &self.units[parent * self.states..][..self.states]
    }

    /// `min_b (c[a][b] + below[b])` for a state `a` of the parent.
    #[inline(always)]
    pub(super) fn least(&self, a: usize, below: &[Row<T>]) -> Row<T> {
        let mut least = [T::INFINITE; SITES];
        for (&cost, row) in self.row(a).iter().zip(below) {
            lower(&mut least, cost, row);
        }
        least
    }

    /// `min_a (above[a] + c[a][b])` for a state `b` of the child.
    #[inline(always)]
    pub(super) fn least_above(&self, b: usize, above: &[Row<T>]) -> Row<T> {
        let mut least = [T::INFINITE; SITES];
        for (a, row) in above.iter().enumerate() {
            lower(&mut least, self.units[a * self.states + b], row);
        }
        least
    }
}

#[inline(always)]
fn lower<T: Number>(least: &mut Row<T>, cost: T, row: &Row<T>) {
    for (least, &x) in least.iter_mut().zip(row) {
        let through = cost + x;
        // This form, not `min`, is one instruction.
        *least = if through < *least { through } else { *least };
    }
}

/// The rows of the states.
#[inline(always)]
pub(super) fn rows<T>(value: &[T]) -> &[Row<T>] {
    value.as_chunks().0
}

#[inline(always)]
pub(super) fn rows_mut<T>(value: &mut [T]) -> &mut [Row<T>] {
    value.as_chunks_mut().0
}

/// The first pass.
pub(super) struct Sankoff<'a, T> {
    pub(super) tips: &'a TipSets<'a>,
    pub(super) costs: &'a Costs<T>,
}

impl<T: Number> Fold for Sankoff<'_, T> {
    type Word = T;
    type Note = ();

    fn value_words(&self) -> usize {
        self.costs.states * SITES
    }

    fn sum_words(&self) -> usize {
        self.costs.states * SITES
    }

    fn note(&self, _block: usize) {}

    fn leaf(&self, block: usize, vertex: u32, value: &mut [T]) {
        let mut sets = [self.tips.all_states(); SITES];
        if let Some(row) = self.tips.row(vertex) {
            for (k, set) in sets.iter_mut().enumerate() {
                *set = sites::get(row, self.tips.bits(), block * SITES + k);
            }
        }
        for (state, row) in rows_mut(value).iter_mut().enumerate() {
            for (x, &set) in row.iter_mut().zip(&sets) {
                *x = if set >> state & 1 == 1 { T::default() } else { T::INFINITE };
            }
        }
    }

    fn clear(&self, sum: &mut [T]) {
        sum.fill(T::default());
    }

    #[inline(always)]
    fn gather(&self, _: usize, _: u32, value: &[T], sum: &mut [T]) {
        let below = rows(value);
        for (a, sum) in rows_mut(sum).iter_mut().enumerate() {
            let least = self.costs.least(a, below);
            for (sum, x) in sum.iter_mut().zip(least) {
                *sum += x;
            }
        }
    }

    fn finish(&self, _: usize, _: u32, sum: &[T], value: &mut [T], (): &mut ()) {
        value.copy_from_slice(sum);
    }

    #[inline(always)]
    fn pair(&self, _: usize, _: u32, children: [&[T]; 2], value: &mut [T], (): &mut ()) -> bool {
        let [left, right] = children.map(rows);
        for (a, sum) in rows_mut(value).iter_mut().enumerate() {
            let (x, y) = (self.costs.least(a, left), self.costs.least(a, right));
            for (sum, (x, y)) in sum.iter_mut().zip(x.into_iter().zip(y)) {
                *sum = x + y;
            }
        }
        true
    }
}

/// The least of all states, by site.
pub(super) fn least_of<T: Number>(value: &[T]) -> Row<T> {
    let mut least = [T::INFINITE; SITES];
    rows(value).iter().for_each(|row| lower(&mut least, T::default(), row));
    least
}

/// The set of states that are best, by site.
pub(super) fn best_of<T: Number>(value: &[T]) -> [u32; SITES] {
    let least = least_of(value);
    let mut sets = [0; SITES];
    for (state, row) in rows(value).iter().enumerate() {
        for ((set, x), least) in sets.iter_mut().zip(row).zip(&least) {
            *set |= u32::from(x <= least) << state;
        }
    }
    sets
}
