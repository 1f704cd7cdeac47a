//! Graphs, grounds and right-hand sides.

use palmette_core::Graph;
use palmette_core::graph::generate::{Weights, generate};
use palmette_core::random::{Purpose, Random};
use palmette_graph::solve::Preconditioner;

/// All that can be named.
pub(crate) const NAMED: [Preconditioner; 7] = [
    Preconditioner::None,
    Preconditioner::Jacobi,
    Preconditioner::IncompleteCholesky,
    Preconditioner::Tree,
    Preconditioner::Sparsifier,
    Preconditioner::ApproximateCholesky,
    Preconditioner::Direct,
];

pub(crate) fn made(shape: &str, weights: &str) -> Graph {
    generate(shape.parse().unwrap(), weights.parse().unwrap(), 3).unwrap().graph
}

/// Small graphs by name.
pub(crate) fn small() -> Vec<(&'static str, Graph)> {
    let weights = "log-uniform:0.1:10";
    let mut graphs: Vec<(&'static str, Graph)> = [
        "grid:6x7",
        "grid:3x4x3",
        "path:30",
        "star:90",
        "road:60",
        "clique:9",
        "clique:80",
        "random:60:1.5",
        "random:50:6",
        "geometric:60:5",
        "path:1",
        "path:2",
    ]
    .map(|shape| (shape, made(shape, weights)))
    .to_vec();
    graphs.push(("no vertices", Graph::from_edges(0, &[]).unwrap()));
    graphs.push(("no edges", Graph::from_edges(7, &[]).unwrap()));
    let parts = [(0, 3, 1.0), (3, 5, 2.0), (5, 0, 0.5), (1, 6, 4.0), (8, 9, 1.0), (9, 10, 3.0)];
    graphs.push(("parts", Graph::from_edges(12, &parts).unwrap()));
    graphs
}

/// No ground, one vertex, a third of the vertices, all of them.
pub(crate) fn grounds(n: usize) -> Vec<Option<Vec<f64>>> {
    let every = |k: usize| (0..n).map(|v| if v % k == 0 { 0.5 + v as f64 } else { 0.0 }).collect();
    vec![None, Some(every(n.max(1))), Some(every(3)), Some(every(1)), Some(vec![0.0; n])]
}

pub(crate) fn currents(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Vectors);
    (0..n).map(|_| random.unit() - 0.5).collect()
}

/// A grid with weights over sixteen decades.
pub(crate) fn extreme() -> Graph {
    generate("grid:12x12".parse().unwrap(), Weights::LogUniform(1e-8, 1e8), 5).unwrap().graph
}
