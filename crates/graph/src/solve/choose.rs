//! What `auto` means.

use super::spectrum::ritz_values;
use super::{Floating, Jacobi, Preconditioner, coefficients};
use crate::Laplacian;
use palmette_core::random::{Purpose, Random};

/// Below this many vertices a factor is quick whatever the graph.
const SMALL: usize = 2_000;

/// Edges beyond a forest, as a part of the vertices, up to which a factor hardly fills in.
const NEARLY_FOREST: f64 = 0.5;

/// Edges a vertex from which on a graph may spread whatever enters it in a few steps.
const MANY_EDGES: f64 = 2.5;

/// Steps of the trial, and the condition number with the diagonal up to which no other
/// preconditioner is worth making. On grids and meshes twelve steps see more than that.
const TRIAL: usize = 12;
const WELL_CONDITIONED: f64 = 30.0;

/// The preconditioner for a Laplacian when none is named.
///
/// Ground counts as a vertex, and a conductance to it as an edge. The times behind the table
/// are in docs/benchmarks.md, "Solving".
///
/// | graph | preconditioner | why |
/// |---|---|---|
/// | no cycles | [`Preconditioner::Tree`] | exact in linear time |
/// | fewer than 2,000 vertices | [`Preconditioner::Direct`] | one factor, one step |
/// | at most half as many edges beyond a forest as vertices (roads, rivers) | [`Preconditioner::Direct`] | chains and leaves go without fill |
/// | at least 2.5 edges a vertex, and twelve steps with the diagonal show a condition number of at most 30 (random graphs, cliques) | [`Preconditioner::Jacobi`] | converges in some tens of steps, while factors fill in |
/// | any other | [`Preconditioner::ApproximateCholesky`] | nearly linear on every kind of graph |
pub fn choose(laplacian: &Laplacian<'_>) -> Preconditioner {
    let graph = laplacian.graph();
    let n = graph.len();
    let grounds = laplacian
        .ground()
        .map_or(0, |ground| ground.iter().filter(|conductance| **conductance > 0.0).count());
    // Edges of a spanning forest, in which ground joins all components that have any.
    let floating = laplacian.floating().iter().filter(|floating| **floating).count();
    let extra = graph.edge_count() + grounds + floating - n;
    if extra == 0 {
        Preconditioner::Tree
    } else if n < SMALL || extra as f64 <= NEARLY_FOREST * n as f64 {
        Preconditioner::Direct
    } else if graph.edge_count() as f64 >= MANY_EDGES * n as f64 && mixes_fast(laplacian) {
        Preconditioner::Jacobi
    } else {
        Preconditioner::ApproximateCholesky
    }
}

/// Whether a few steps of conjugate gradients with the diagonal see a small condition
/// number. They see at most the true one; where it is large, already twelve steps tell.
fn mixes_fast(laplacian: &Laplacian<'_>) -> bool {
    let mut random = Random::new(0, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    let (jacobi, floating) = (Jacobi::new(laplacian), Floating::of(laplacian));
    match ritz_values(&coefficients(laplacian, &jacobi, floating, &b, TRIAL)) {
        Some((smallest, largest)) => largest <= WELL_CONDITIONED * smallest,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::graph::generate::{Weights, generate};

    #[test]
    fn the_table_holds() {
        use Preconditioner::{ApproximateCholesky, Direct, Jacobi, Tree};
        let uneven = Weights::LogUniform(0.01, 100.0);
        for (shape, weights, expected) in [
            ("path:5000", uneven, Tree),
            ("grid:40x40", uneven, Direct),
            ("road:20000", uneven, Direct),
            ("grid:100x100", Weights::Unit, ApproximateCholesky),
            ("grid:20x20x20", Weights::Unit, ApproximateCholesky),
            ("grid:20x20x20", uneven, ApproximateCholesky),
            ("geometric:20000:10", Weights::Unit, ApproximateCholesky),
            ("geometric:5000:40", Weights::Unit, ApproximateCholesky),
            ("random:20000:10", Weights::Unit, Jacobi),
            ("clique:2000", uneven, Jacobi),
        ] {
            let graph = generate(shape.parse().unwrap(), weights, 1).unwrap().graph;
            assert_eq!(choose(&Laplacian::new(&graph, None)), expected, "{shape}");
        }
    }
}
