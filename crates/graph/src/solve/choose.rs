//! What `auto` means.

use super::{Floating, Jacobi, Preconditioner, residual_after};
use crate::Laplacian;
use palmette_core::random::{Purpose, Random};

/// Below this many vertices a factor is quick whatever the graph.
const SMALL: usize = 2_000;

/// Edges beyond a forest, as a part of the vertices, up to which a factor hardly fills in.
const NEARLY_FOREST: f64 = 0.5;

/// Edges a vertex from which on a graph may spread whatever enters it in a few steps.
const MANY_EDGES: f64 = 3.5;

/// Steps of the trial with the diagonal, and the residual after them up to which it needs
/// about a hundred in all: fewer than it takes to make another preconditioner. On grids and
/// plane meshes the residual is larger by then.
const TRIAL: usize = 12;
const FAST: f64 = 1.0 / 32.0;

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
/// | at least 3.5 edges a vertex, and twelve steps with the diagonal divide the residual by 32 (random graphs, cliques, small meshes in space) | [`Preconditioner::Jacobi`] | converges in at most about a hundred steps, while factors fill in |
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

/// Whether a few steps of conjugate gradients with the diagonal make the residual small.
fn mixes_fast(laplacian: &Laplacian<'_>) -> bool {
    let mut random = Random::new(0, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    let (jacobi, floating) = (Jacobi::new(laplacian), Floating::of(laplacian));
    residual_after(laplacian, &jacobi, floating, &b, TRIAL) <= FAST
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
            ("random:20000:10", uneven, Jacobi),
            ("random:20000:6", uneven, ApproximateCholesky),
            ("clique:2000", uneven, Jacobi),
        ] {
            let graph = generate(shape.parse().unwrap(), weights, 1).unwrap().graph;
            assert_eq!(choose(&Laplacian::new(&graph, None)), expected, "{shape}");
        }
    }
}
