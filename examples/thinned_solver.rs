//! A graph thinned to its spectral skeleton, and a solver that the skeleton speeds up.
use palmette::core::graph::generate::{Weights, generate};
use palmette::graph::Laplacian;
use palmette::graph::solve::{Preconditioner, SolveParams, Solver};
use palmette::graph::sparsify::{Rule, SparsifyParams, sparsify};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A grid of 60 x 60 with conductances over four orders of magnitude.
    let graph = generate("grid:60x60".parse()?, Weights::LogUniform(0.01, 100.0), 7)?.graph;
    assert_eq!(graph.edge_count(), 2 * 60 * 59);

    // What is kept: a spanning tree of n - 1 edges, and n / 10 edges beside it.
    let skeleton = sparsify(&graph, &SparsifyParams { rule: Rule::Fegrass, ..Default::default() })?;
    assert_eq!((skeleton.tree.len(), skeleton.recovered.len()), (3599, 360));
    assert_eq!(skeleton.graph(&graph).edge_count(), 3599 + 360);

    // Potentials that we choose, with mean 0, and the currents that they drive: edge by edge,
    // conductance times difference.
    let mean = (graph.len() - 1) as f64 / 2.0;
    let potentials: Vec<f64> = (0..graph.len()).map(|v| (v as f64 - mean) / mean).collect();
    let mut currents = vec![0.0; graph.len()];
    for (a, b, conductance) in graph.edges() {
        let (a, b) = (a as usize, b as usize);
        let flow = conductance * (potentials[a] - potentials[b]);
        currents[a] += flow;
        currents[b] -= flow;
    }

    // The solver must find them again. On the thinned graph it factors, on the whole it iterates.
    let laplacian = Laplacian::new(&graph, None);
    let mut iterations = Vec::new();
    for preconditioner in [Preconditioner::Sparsifier, Preconditioner::None] {
        let params = SolveParams { preconditioner, tolerance: 1e-12, ..SolveParams::default() };
        let solution = Solver::new(&laplacian, &params)?.solve(&currents)?;
        let errors = solution.x.iter().zip(&potentials).map(|(x, exact)| (x - exact).abs());
        let worst = errors.fold(0.0, f64::max);
        println!(
            "{}: {} iterations, off by {worst:.1e}",
            preconditioner.name(),
            solution.iterations
        );
        assert!(worst < 1e-6, "{worst}");
        iterations.push(solution.iterations);
    }
    assert!(5 * iterations[0] < iterations[1], "{iterations:?}");
    Ok(())
}
