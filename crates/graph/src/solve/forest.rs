//! A spanning forest of largest weight as a preconditioner: exact on forests.
//!
//! **Problem.** Potentials on a spanning forest of the graph for given currents.
//!
//! **Method.** Kruskal on the graph with ground as a vertex ([`Augmented`]) and edges by
//! falling weight; ground and the heaviest vertex of each floating component are roots. In
//! a tree the current to the parent is the sum of the currents in the subtree, a leaffix;
//! a potential is the sum of the drops `current / weight` on the path from the root, a
//! rootfix.
//!
//! **Cost.** A sort of edges, then linear. An application: two treefix passes and two
//! permutations, on all threads. 40 bytes per vertex.
//!
//! **Determinism.** Ties go to the lower edge number; treefix on floats does not depend on
//! the number of threads.
//!
//! **Reference.** Vaidya, *Solving linear equations with symmetric diagonally dominant
//! matrices by constructing good preconditioners*, 1991.
//!
//! **When not to use.** On graphs with many more edges than vertices: one edge in two
//! of a grid is missing, and iterations grow with its size.

use super::scratch::Scratch;
use super::vectors::BLOCK;
use super::{Augmented, SolveError};
use crate::Laplacian;
use crate::sparsify::breadth_first;
use palmette_core::graph::Sets;
use palmette_core::operator::Sum;
use palmette_core::{Graph, LinOp, NONE, Tree, TreeParams};
use palmette_tree::leaffix::leaffix_into;
use palmette_tree::rootfix::rootfix_into;
use rayon::prelude::*;

/// A spanning forest and the conductance from each vertex to its parent.
#[derive(Debug)]
pub struct Forest {
    /// On the vertices of the graph, and ground last where there is one.
    tree: Tree,
    /// By position, the resistance to the parent; 0 at roots.
    resistances: Vec<f64>,
    /// The number of vertices without ground.
    vertices: usize,
    scratch: Scratch,
}

impl Forest {
    /// The forest of largest weight in the graph of a Laplacian.
    ///
    /// # Errors
    /// As [`Augmented::new`].
    pub fn new(laplacian: &Laplacian<'_>) -> Result<Self, SolveError> {
        let augmented = Augmented::new(laplacian)?;
        let edges = heaviest_forest(augmented.graph());
        let forest = Graph::from_edges(augmented.graph().len(), &edges)?;
        let parents = parents(&forest, augmented.ground(), laplacian.diagonal());
        let params = TreeParams { forest: true, ..Default::default() };
        let tree = Tree::with_params(&parents, params)?;
        let resistance = |&v: &u32| match parents[v as usize] {
            NONE => 0.0,
            parent => 1.0 / forest.weight(v, parent).expect("a parent is a neighbour"),
        };
        let resistances = tree.vertices().par_iter().map(resistance).collect();
        let scratch = Scratch::new(tree.len());
        Ok(Forest { tree, resistances, vertices: laplacian.size(), scratch })
    }

    /// The forest on the vertices of the graph, and ground last where there is one.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// By position, the resistance to the parent; 0 at roots.
    pub fn resistances(&self) -> &[f64] {
        &self.resistances
    }
}

impl LinOp for Forest {
    fn size(&self) -> usize {
        self.vertices
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let (mut values, mut sums) = (self.scratch.take(), self.scratch.take());
        let (vertices, positions) = (self.tree.vertices(), self.tree.positions());
        // What ground is given does not matter: it is a root, and no edge is above it.
        let current = |&v: &u32| x.get(v as usize).map_or(0.0, |x| *x);
        values.par_chunks_mut(BLOCK).zip(vertices.par_chunks(BLOCK)).for_each(|(to, from)| {
            to.iter_mut().zip(from).for_each(|(to, v)| *to = current(v));
        });
        let (sum, params) = (Sum::new(), Default::default());
        leaffix_into(&self.tree, &values, &sum, params, &mut sums).expect("lengths agree");
        let drops = sums.par_chunks_mut(BLOCK).zip(self.resistances.par_chunks(BLOCK));
        drops.for_each(|(flow, resistance)| {
            flow.iter_mut().zip(resistance).for_each(|(flow, resistance)| *flow *= resistance);
        });
        rootfix_into(&self.tree, &sums, &sum, params, &mut values).expect("lengths agree");
        let places = positions[..self.vertices].par_chunks(BLOCK);
        y.par_chunks_mut(BLOCK).zip(places).for_each(|(y, places)| {
            y.iter_mut().zip(places).for_each(|(y, &i)| *y = values[i as usize]);
        });
        self.scratch.give(values);
        self.scratch.give(sums);
    }
}

/// The edges of a spanning forest of largest weight.
fn heaviest_forest(graph: &Graph) -> Vec<(u32, u32, f64)> {
    let mut edges: Vec<(u32, u32, f64)> = graph.edges().collect();
    // Stable: ties stay in the order of numbers.
    edges.par_sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut sets = Sets::new(graph.len());
    edges.retain(|&(a, b, _)| sets.link(a, b));
    edges
}

/// Parents by breadth-first search from ground, then from the heaviest vertex of each
/// component that is left.
fn parents(forest: &Graph, ground: Option<u32>, diagonal: &[f64]) -> Vec<u32> {
    let weight = |v: u32| if Some(v) == ground { f64::INFINITY } else { diagonal[v as usize] };
    let roots = forest.components().heaviest(weight);
    breadth_first(forest.len(), |v| forest.neighbours(v), &roots)
}
