//! The matrix of a graph: `L + D`, its Laplacian and conductances to ground.
//!
//! **Problem.** For a graph with conductances `w` and conductances `g` to ground, the
//! current that flows out of each vertex when it has potential `x`:
//! `y(v) = Σ w(u,v) (x(v) − x(u)) + g(v) x(v)`.
//!
//! **Components.** A component without any conductance to ground is *floating*: there the
//! matrix is singular, a constant can be added to potentials, and currents must add up
//! to zero. [`Laplacian::balance`] takes the mean out of each floating component.
//!
//! **Residuals** are added up from currents of edges, `w (x(v) − x(u))`. Where a large
//! conductance joins two vertices, their potentials are nearly equal and the difference is
//! exact, while `d x(v)` and `Σ w x(u)` would be rounded at the size of potentials.
//!
//! **Cost.** A product reads the graph once: 12 bytes per end of an edge, on all threads.
//!
//! **Determinism.** Each row is added up in the order of neighbours: the same bits on any
//! number of threads.

use palmette_core::graph::Components;
use palmette_core::{Graph, LinOp};
use rayon::prelude::*;

/// Rows that a thread takes at once.
const ROWS: usize = 1 << 12;

/// A floating component whose currents do not add up to 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unbalanced {
    /// Its first vertex.
    pub first: u32,
    /// How many vertices it has.
    pub size: u32,
    /// What its currents add up to.
    pub sum: f64,
    /// The vertex with the largest current, in absolute value.
    pub largest: u32,
}

/// The matrix of a graph with conductances to ground.
#[derive(Debug, Clone)]
pub struct Laplacian<'a> {
    graph: &'a Graph,
    ground: Option<&'a [f64]>,
    diagonal: Vec<f64>,
    components: Components,
    /// By component: whether no vertex has a conductance to ground.
    floating: Vec<bool>,
}

impl<'a> Laplacian<'a> {
    /// The Laplacian of a graph; `ground` has a conductance (0 or more) for each vertex.
    ///
    /// # Panics
    /// When `ground` has another length than the graph has vertices.
    pub fn new(graph: &'a Graph, ground: Option<&'a [f64]>) -> Self {
        let components = graph.components();
        let mut floating = vec![true; components.count()];
        if let Some(ground) = ground {
            assert_eq!(ground.len(), graph.len(), "a conductance to ground for each vertex");
            for (v, _) in ground.iter().enumerate().filter(|g| *g.1 > 0.0) {
                floating[components.of[v] as usize] = false;
            }
        }
        let sum = |v: usize| {
            graph.weights(v as u32).iter().sum::<f64>() + ground.map_or(0.0, |ground| ground[v])
        };
        let diagonal = (0..graph.len()).into_par_iter().with_min_len(ROWS).map(sum).collect();
        Laplacian { graph, ground, diagonal, components, floating }
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// By vertex, the conductance to ground; `None` when there is none anywhere.
    pub fn ground(&self) -> Option<&'a [f64]> {
        self.ground
    }

    /// The diagonal: the sum of conductances at each vertex.
    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// As [`LinOp::apply`], for several vectors at once, which lie side by side: the graph is read once
    /// for all of them. The same bits as one by one.
    ///
    /// # Panics
    /// When a length is not the number of vertices.
    pub fn apply_lanes<const L: usize>(&self, x: &[[f64; L]], y: &mut [[f64; L]]) {
        assert_eq!((x.len(), y.len()), (self.size(), self.size()), "an entry for each vertex");
        y.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, y)| {
            for (v, y) in (chunk * ROWS..).zip(y) {
                let mut flow = x[v].map(|x| self.diagonal[v] * x);
                let row = self.graph.neighbours(v as u32).iter();
                for (&u, &w) in row.zip(self.graph.weights(v as u32)) {
                    flow.iter_mut().zip(x[u as usize]).for_each(|(flow, x)| *flow -= w * x);
                }
                *y = flow;
            }
        });
    }

    /// The connected components.
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// By component: whether it has no conductance to ground.
    pub fn floating(&self) -> &[bool] {
        &self.floating
    }

    /// A bound on the norm of the matrix: its largest sum of entries of a row, in absolute value.
    pub fn norm(&self) -> f64 {
        2.0 * self.diagonal.iter().fold(0f64, |most, d| most.max(*d))
    }

    /// What rounding potentials to 64 bits leaves of a residual, to be expected: the norm of
    /// `A δ` for independent errors `δ`, each even within half a unit of the last place.
    pub fn rounding(&self, x: &[f64]) -> f64 {
        let variance = |x: f64| (x * (f64::EPSILON / 2.0)).powi(2) / 6.0;
        let row = |v: usize| {
            let (neighbours, weights) =
                (self.graph.neighbours(v as u32), self.graph.weights(v as u32));
            let others = neighbours.iter().zip(weights);
            self.diagonal[v].powi(2) * variance(x[v])
                + others.map(|(&u, w)| w * w * variance(x[u as usize])).sum::<f64>()
        };
        (0..x.len()).map(row).sum::<f64>().sqrt()
    }

    /// The floating components whose currents add up to more than `tolerance` times the largest
    /// current in absolute value, by their first vertices.
    pub fn unbalanced(&self, currents: &[f64], tolerance: f64) -> Vec<Unbalanced> {
        let most = currents.iter().fold(0f64, |most, b| most.max(b.abs()));
        let mut found: Vec<Option<Unbalanced>> = vec![None; self.floating.len()];
        for (v, (&b, &c)) in (0..).zip(currents.iter().zip(&self.components.of)) {
            let size = self.components.sizes[c as usize];
            let entry = found[c as usize];
            let one = entry.unwrap_or(Unbalanced { first: v, size, sum: 0.0, largest: v });
            let larger = b.abs() > currents[one.largest as usize].abs();
            let largest = if larger { v } else { one.largest };
            found[c as usize] = Some(Unbalanced { sum: one.sum + b, largest, ..one });
        }
        let floating = found.into_iter().zip(&self.floating).filter(|(_, floating)| **floating);
        let some = floating.filter_map(|(one, _)| one.filter(|c| c.sum.abs() > tolerance * most));
        let mut some: Vec<Unbalanced> = some.collect();
        some.sort_unstable_by_key(|one| one.first);
        some
    }

    /// Subtracts from each floating component its mean, so that its entries add up to
    /// zero. Returns the largest mean, in absolute value.
    pub fn balance(&self, vector: &mut [f64]) -> f64 {
        let mut sums = vec![0.0; self.floating.len()];
        for (&x, &c) in vector.iter().zip(&self.components.of) {
            sums[c as usize] += x;
        }
        let mut largest = 0f64;
        for ((sum, &size), &floating) in
            sums.iter_mut().zip(&self.components.sizes).zip(&self.floating)
        {
            *sum = if floating { *sum / f64::from(size) } else { 0.0 };
            largest = largest.max(sum.abs());
        }
        for (x, &c) in vector.iter_mut().zip(&self.components.of) {
            *x -= sums[c as usize];
        }
        largest
    }
}

impl LinOp for Laplacian<'_> {
    fn size(&self) -> usize {
        self.graph.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let (offsets, diagonal) = (self.graph.offsets(), &self.diagonal);
        let (neighbours, weights) = (self.graph.all_neighbours(), self.graph.all_weights());
        y.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, y)| {
            let first = chunk * ROWS;
            for (v, y) in (first..).zip(y) {
                let row = offsets[v]..offsets[v + 1];
                let mut flow = diagonal[v] * x[v];
                for (&u, &w) in neighbours[row.clone()].iter().zip(&weights[row]) {
                    flow -= w * x[u as usize];
                }
                *y = flow;
            }
        });
    }

    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) {
        r.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, r)| {
            let first = chunk * ROWS;
            for (v, r) in (first..).zip(r) {
                let (neighbours, weights) =
                    (self.graph.neighbours(v as u32), self.graph.weights(v as u32));
                let mut left = self.ground.map_or(b[v], |ground| b[v] - ground[v] * x[v]);
                for (&u, &w) in neighbours.iter().zip(weights) {
                    left -= w * (x[v] - x[u as usize]);
                }
                *r = left;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_and_balance() {
        let graph = Graph::from_edges(4, &[(0, 1, 2.0), (1, 2, 3.0)]).unwrap();
        let mut y = [0.0; 4];
        let free = Laplacian::new(&graph, None);
        free.apply(&[1.0, 2.0, 4.0, 7.0], &mut y);
        assert_eq!(y, [-2.0, -4.0, 6.0, 0.0]);
        let mut b = [3.0, 0.0, 0.0, 5.0];
        assert_eq!(free.balance(&mut b), 5.0);
        assert_eq!(b, [2.0, -1.0, -1.0, 0.0]);

        let unbalanced = |sum, first, size, largest| Unbalanced { first, size, sum, largest };
        let currents = [1.0, 3.0, -1.0, 5.0];
        let expected = [unbalanced(3.0, 0, 3, 1), unbalanced(5.0, 3, 1, 3)];
        assert_eq!(free.unbalanced(&currents, 1e-9), expected);
        assert_eq!(free.unbalanced(&[1.0, -2.0, 1.0, 0.0], 1e-9), []);

        let grounded = Laplacian::new(&graph, Some(&[0.5, 0.0, 0.0, 0.0]));
        assert_eq!(grounded.floating(), [false, true]);
        grounded.apply(&[1.0, 2.0, 4.0, 7.0], &mut y);
        assert_eq!(y, [-1.5, -4.0, 6.0, 0.0]);
        let mut b = [3.0, 0.0, 0.0, 5.0];
        grounded.balance(&mut b);
        assert_eq!(b, [3.0, 0.0, 0.0, 0.0]);
    }
}
