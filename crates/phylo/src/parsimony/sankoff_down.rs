//! Costs of one's own, the way down: all states that some best reconstruction has, or one
//! reconstruction.
//!
//! **Method.** With `M_v[a] = min_b (c[a][b] + S_v[b])`, what the vertex adds to its parent in state `a`,
//! the least cost of the whole tree with state `b` at `v` is
//! `F_v[b] = S_v[b] + min_a (F_p[a] − M_v[a] + c[a][b])`, and the states of the final set are those with
//! the least. One reconstruction: the parent's state where it is among the best for it, otherwise the
//! first of the best; the first of the best at a root.
//!
//! **Cost.** 2 states² additions and minima per site and vertex, in place; half for one reconstruction.

use super::sankoff::{Costs, Number, Row, SITES, best_of, rows, rows_mut};
use palmette_tree::fold::Unfold;

/// The least cost of the tree by state of each vertex, in place of that of its subtree.
pub(super) struct WholeTree<'a, T>(pub(super) &'a Costs<T>);

impl<T: Number> Unfold for WholeTree<'_, T> {
    type Word = T;
    /// What the parent's side costs by state of the parent; room, no result.
    type Note = Vec<Row<T>>;

    fn value_words(&self) -> usize {
        self.0.states * SITES
    }

    fn note(&self, _block: usize) -> Vec<Row<T>> {
        vec![[T::default(); SITES]; self.0.states]
    }

    fn root(&self, _: usize, _: u32, _: &mut [T], _: &mut Vec<Row<T>>) {}

    fn step(&self, _: usize, _: u32, parent: &[T], own: &mut [T], rest: &mut Vec<Row<T>>) {
        let whole = rows(parent);
        for (a, (rest, whole)) in rest.iter_mut().zip(whole).enumerate() {
            let added = self.0.least(a, rows(own));
            for ((rest, &whole), added) in rest.iter_mut().zip(whole).zip(added) {
                *rest = if added < T::INFINITE { whole - added } else { T::INFINITE };
            }
        }
        for (b, own) in rows_mut(own).iter_mut().enumerate() {
            let above = self.0.least_above(b, rest);
            for (own, above) in own.iter_mut().zip(above) {
                *own += above;
            }
        }
    }
}

/// One state for each vertex, as a number in the first row, and costs by branch where `branches`.
pub(super) struct OneOfBest<'a, T> {
    pub(super) costs: &'a Costs<T>,
    pub(super) vertices: usize,
    pub(super) branches: bool,
    pub(super) sites: usize,
}

impl<T: Number> Unfold for OneOfBest<'_, T> {
    type Word = T;
    /// Costs by position.
    type Note = Vec<f64>;

    fn value_words(&self) -> usize {
        self.costs.states * SITES
    }

    fn note(&self, _block: usize) -> Vec<f64> {
        vec![0.0; if self.branches { self.vertices } else { 0 }]
    }

    fn root(&self, _: usize, _: u32, own: &mut [T], _: &mut Vec<f64>) {
        let sets = best_of(own);
        rows_mut(own)[0] = sets.map(|set| T::of(set.trailing_zeros().into()));
    }

    fn step(&self, block: usize, vertex: u32, parent: &[T], own: &mut [T], note: &mut Vec<f64>) {
        let above = rows(parent)[0];
        let mut states = [T::default(); SITES];
        let mut sum = 0.0;
        // Sites after the last one are free of change, but may have one state only.
        for k in 0..SITES.min(self.sites - block * SITES) {
            let from = above[k].float() as usize;
            let costs = self.costs.row(from);
            let through = |b: usize| costs[b] + rows(own)[b][k];
            let mut best = from;
            for b in 0..self.costs.states {
                if through(b) < through(best) {
                    best = b;
                }
            }
            states[k] = T::of(best as f64);
            sum += costs[best].float();
        }
        rows_mut(own)[0] = states;
        if let Some(cost) = note.get_mut(vertex as usize) {
            *cost = sum;
        }
    }
}
