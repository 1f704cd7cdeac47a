//! Minimum cuts: where a graph falls apart most easily.
//!
//! **Problem.** A graph with positive weights. Out comes the least weight of edges whose removal
//! separates it ([`minimum_cut`]), with the two sides and the edges; [all such cuts](all_minimum_cuts);
//! or the least weight that separates [two given vertices](separate), for many pairs or for
//! [all](gomory_hu).
//!
//! **Method.** Weights become whole numbers (`units.rs`). 1. The graph shrinks: ends of edges that
//! no cut below the best known has are made one vertex, by tests at a glance (`rules.rs`) and by
//! scans in maximum adjacency order (`scan.rs`). 2. What is left is packed with spanning trees
//! (`packing.rs`); lowest common ancestors and a leaffix give the cuts that one edge of a tree
//! decides (`one.rs`). The loads of edges say when no lighter cut can be left: that is a proof, not
//! a probability. Where it does not come, cuts that two edges decide are looked at, too
//! (`two.rs`). A better cut on the way makes the graph shrink again.
//!
//! **Cost.** On meshes and power laws the first part leaves nothing, in O(m). On expanders 32 trees
//! or so, each O(m) with a small constant. Up to 150 bytes per edge.
//!
//! **Determinism.** The value is exact, and the sides cut exactly that. The same seed gives the same
//! sides on any number of threads.
//!
//! **Weights that are not whole.** Binary fractions are exact. Where doubles differ in more than
//! 57 bits, sums included, after weights were lowered to twice the least degree (which changes no cut that matters), they
//! are rounded, and [`MinCut::error`] says by how much a lighter cut could be below the value.
//!
//! **Reference.** Karger, *Minimum cuts in near-linear time*, 2000; Padberg and Rinaldi 1990;
//! Nagamochi, Ono, Ibaraki 1994; Henzinger, Noe, Schulz, Strash 2018.
//!
//! **When not to use.** For two given vertices: [`separate`] is one flow.

mod all;
mod flow;
mod gomory_hu;
mod kernel;
mod one;
mod packing;
mod rules;
mod scan;
mod search;
mod segments;
#[cfg(test)]
mod tests;
mod two;
mod units;

pub use all::{AllMinCuts, all_minimum_cuts};
pub use gomory_hu::{GomoryHu, gomory_hu};

use flow::Network;
use kernel::Kernel;
use palmette_core::{Cancel, DEFAULT_SEED, Graph};
use rayon::prelude::*;
use thiserror::Error;
use units::Units;

/// Options of [`minimum_cut`] and the others.
#[derive(Debug, Clone, PartialEq)]
pub struct MinCutParams {
    /// For ties among trees; it decides which of several minimum cuts is found.
    pub seed: u64,
    /// Cuts that [`all_minimum_cuts`] lists at most.
    pub most: usize,
    /// Ends the work early when raised.
    pub cancel: Option<Cancel>,
}

impl Default for MinCutParams {
    fn default() -> Self {
        MinCutParams { seed: DEFAULT_SEED, most: 100_000, cancel: None }
    }
}

/// Why there is no minimum cut.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MinCutError {
    /// Nothing to separate.
    #[error("a cut needs two vertices, and the graph has {vertices}")]
    TooFew { vertices: usize },
    /// A pair names no vertex.
    #[error("vertex {vertex} does not exist; there are {vertices}")]
    Vertex { vertex: u32, vertices: usize },
    /// A vertex cannot be separated from itself.
    #[error("vertex {vertex} cannot be separated from itself")]
    Same { vertex: u32 },
    /// More minimum cuts than wanted.
    #[error("there are more than {most} minimum cuts")]
    TooMany { most: usize },
    /// All ways to deal out components are cuts.
    #[error(
        "the graph has {components} components, and all ways to separate them are minimum cuts"
    )]
    Disconnected { components: usize },
    /// The work was ended.
    #[error("cancelled")]
    Cancelled,
}

/// A minimum cut.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MinCut {
    /// The weight of its edges; 0 if the graph is not connected.
    pub value: f64,
    /// The vertices of one side, rising: the one with fewer vertices, or else without vertex 0.
    pub side: Vec<u32>,
    /// The edges of the cut in the order of their numbers: smaller end, larger end, weight.
    pub edges: Vec<(u32, u32, f64)>,
    /// How far below `value` a lighter cut could be, because weights were rounded; 0 if exact.
    pub error: f64,
    /// Spanning trees whose cuts were looked at.
    pub trees: usize,
    /// Those of them of which cuts of two edges were looked at.
    pub double_trees: usize,
    /// Vertices of the graph that trees were packed in; 0 if it shrank to nothing before.
    pub kernel: usize,
}

/// A minimum cut of a graph.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::mincut::minimum_cut;
/// // Two triangles and a light edge.
/// let edges = [(0, 1, 3.0), (1, 2, 3.0), (0, 2, 3.0), (3, 4, 3.0), (4, 5, 3.0), (3, 5, 3.0)];
/// let graph = Graph::from_edges(6, &[&edges[..], &[(2, 3, 2.5)]].concat())?;
/// let cut = minimum_cut(&graph, &Default::default())?;
/// assert_eq!((cut.value, cut.side, cut.edges), (2.5, vec![3, 4, 5], vec![(2, 3, 2.5)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fewer than two vertices; cancelled.
pub fn minimum_cut(graph: &Graph, params: &MinCutParams) -> Result<MinCut, MinCutError> {
    let vertices = graph.len();
    if vertices < 2 {
        return Err(MinCutError::TooFew { vertices });
    }
    let components = graph.components();
    if components.count() > 1 {
        let mut sizes = vec![0usize; components.count()];
        components.of.iter().for_each(|&c| sizes[c as usize] += 1);
        let least = (0..sizes.len()).min_by_key(|&c| sizes[c]).expect("some");
        let side: Vec<bool> = components.of.iter().map(|&c| c as usize == least).collect();
        return Ok(MinCut::around(graph, &side, 0.0));
    }
    let units = Units::of(graph, least_degree(graph));
    let kernel = Kernel::new(graph.offsets(), graph.all_neighbours(), units.weights);
    let (best, effort) = search::minimum(kernel, params.seed, params.cancel.as_ref())?;
    let cut = MinCut::around(graph, &best.side, units.rounding);
    Ok(MinCut {
        trees: effort.trees,
        double_trees: effort.double_trees,
        kernel: effort.packed_vertices,
        ..cut
    })
}

/// The least weight of edges whose removal separates `u` and `v`, for each pair, on the threads of
/// the current pool; 0 where nothing joins them. Whole weights as for [`minimum_cut`], but not
/// lowered. One maximum flow per different pair (Dinic).
///
/// # Errors
/// A pair that names no vertex, or one twice; cancelled.
pub fn separate(
    graph: &Graph,
    pairs: &[(u32, u32)],
    params: &MinCutParams,
) -> Result<Vec<f64>, MinCutError> {
    let vertices = graph.len();
    if let Some(&(u, v)) = pairs.iter().find(|p| p.0.max(p.1) as usize >= vertices) {
        return Err(MinCutError::Vertex { vertex: u.max(v), vertices });
    }
    if let Some(&(vertex, _)) = pairs.iter().find(|pair| pair.0 == pair.1) {
        return Err(MinCutError::Same { vertex });
    }
    let network = Network::of(graph);
    let each = pairs.par_iter().map_init(
        || network.flow(),
        |flow, &(u, v)| {
            if params.cancel.as_ref().is_some_and(Cancel::is_raised) {
                return Err(MinCutError::Cancelled);
            }
            flow.maximum(u, v);
            let side = flow.side();
            Ok(total(edges_between(graph, |x| side[x as usize])))
        },
    );
    each.collect()
}

fn least_degree(graph: &Graph) -> f64 {
    let degree = |v: u32| graph.weights(v).iter().sum();
    (0..graph.len() as u32).map(degree).fold(f64::INFINITY, f64::min)
}

/// The sum of weights. Of none it is 0, where `sum` has -0.
fn total(edges: impl Iterator<Item = (u32, u32, f64)>) -> f64 {
    edges.fold(0.0, |sum, edge| sum + edge.2)
}

/// The edges of a cut, in the order of their numbers.
fn edges_between(
    graph: &Graph,
    inside: impl Fn(u32) -> bool,
) -> impl Iterator<Item = (u32, u32, f64)> {
    graph.edges().filter(move |&(a, b, _)| inside(a) != inside(b))
}

/// Whether `side` is the smaller one, or else without vertex 0.
fn is_small(side: &[bool]) -> bool {
    let count = side.iter().filter(|&&inside| inside).count();
    2 * count < side.len() || (2 * count == side.len() && !side[0])
}

/// The vertices of the smaller side, rising.
fn smaller(side: &[bool]) -> Vec<u32> {
    let small = is_small(side);
    (0..side.len() as u32).filter(|&v| side[v as usize] == small).collect()
}

impl MinCut {
    fn around(graph: &Graph, side: &[bool], rounding: f64) -> MinCut {
        let edges: Vec<(u32, u32, f64)> = edges_between(graph, |v| side[v as usize]).collect();
        let value = total(edges.iter().copied());
        let lightest = graph.all_weights().iter().copied().fold(f64::INFINITY, f64::min);
        // A lighter cut has no more edges than this.
        let others = (value / lightest).min(graph.edge_count() as f64);
        let error = rounding * (edges.len() as f64 + others);
        let (trees, double_trees, kernel) = (0, 0, 0);
        let side = smaller(side);
        MinCut { value, side, edges, error, trees, double_trees, kernel }
    }
}
