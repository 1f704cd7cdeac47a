//! The choice of a preconditioner for `auto`.
//!
//! **Problem.** Given a Laplacian, name the preconditioner that will solve fastest, setup included.
//! **Method.** Count edges and cycles, grow balls of a thousand vertices to see whether the graph
//! spreads, and try a few steps with the diagonal; see [`choose`]. **Cost.** Linear, much less than
//! any setup. **Determinism.** A function of the graph: no clock is involved.

use super::spread::spreads;
use super::{Floating, Jacobi, Preconditioner, reaches};
use crate::Laplacian;
use palmette_core::random::{Purpose, Random};

/// Below this many vertices a factor is quick whatever the graph.
const SMALL: usize = 2_000;

/// Edges beyond a forest, as a part of the vertices, up to which a factor hardly fills in.
const NEARLY_FOREST: f64 = 0.5;

/// The same for graphs of a size up to which it fills in little if they do not spread: wires in
/// rows and columns with gaps, of which square grids, at 1, are the limit.
const NEARLY_FLAT: f64 = 0.9;
const FLAT_SIZE: usize = 1 << 15;

/// Edges per vertex from which on a graph may spread whatever enters it in a few steps, even if
/// its balls grow as in space.
const MANY_EDGES: f64 = 3.5;

/// The residual that a trial with the diagonal must reach: then it needs about a hundred steps in
/// all, fewer than it takes to make another preconditioner.
const FAST: f64 = 1.0 / 32.0;

/// Steps of the trial, and the residual after them that makes more steps worth while. On grids and
/// plane meshes it is larger by then. Where graphs spread, approximate factors fill in and take
/// as long as hundreds of steps, so that the trial may be longer; with few edges as well they
/// need weights that are alike, which shows early.
const TRIAL: &[(usize, f64)] = &[(12, FAST)];
const LONG_TRIAL: &[(usize, f64)] = &[(12, 2.0 * FAST), (24, FAST)];
const SHORT_TRIAL: &[(usize, f64)] = &[(8, FAST)];

/// The preconditioner for a Laplacian when none is named.
///
/// Ground counts as a vertex, and a conductance to it as an edge. A graph *spreads* when balls of
/// a thousand vertices grow faster than they could in space. The times behind the table are in
/// docs/benchmarks.md, "Solving".
///
/// | graph | preconditioner | why |
/// |---|---|---|
/// | no cycles | [`Preconditioner::Tree`] | exact in linear time |
/// | fewer than 2,000 vertices | [`Preconditioner::Direct`] | one factor, one step |
/// | at most half as many edges beyond a forest as vertices (roads, rivers) | [`Preconditioner::Direct`] | chains and leaves go without fill |
/// | at most 32,768 vertices and 0.9 times as many edges beyond a forest, does not spread (power grids) | [`Preconditioner::Direct`] | little fill |
/// | in a trial the diagonal divides the residual by 32: in 12 steps with at least 3.5 edges per vertex, in 24 if it spreads as well, in 8 if it spreads only (random graphs, cliques, small meshes in space) | [`Preconditioner::Jacobi`] | converges in at most about a hundred steps, while factors fill in |
/// | any other | [`Preconditioner::ApproximateCholesky`] | nearly linear on every kind of graph |
///
/// [`Solver`](super::Solver) takes the last one, too, where a factor turns out too large.
pub fn choose(laplacian: &Laplacian<'_>) -> Preconditioner {
    let graph = laplacian.graph();
    let (n, edges) = (graph.len(), graph.edge_count());
    let grounds = laplacian
        .ground()
        .map_or(0, |ground| ground.iter().filter(|conductance| **conductance > 0.0).count());
    // Edges of a spanning forest, in which ground joins all components that have any.
    let floating = laplacian.floating().iter().filter(|floating| **floating).count();
    let extra = edges + grounds + floating - n;
    if extra == 0 {
        return Preconditioner::Tree;
    }
    let at_most = |part: f64| extra as f64 <= part * n as f64;
    if n < SMALL || at_most(NEARLY_FOREST) {
        return Preconditioner::Direct;
    }
    let spreads = spreads(graph);
    if n <= FLAT_SIZE && at_most(NEARLY_FLAT) && !spreads {
        return Preconditioner::Direct;
    }
    let trial = match (spreads, edges as f64 >= MANY_EDGES * n as f64) {
        (true, true) => LONG_TRIAL,
        (true, false) => SHORT_TRIAL,
        (false, true) => TRIAL,
        (false, false) => return Preconditioner::ApproximateCholesky,
    };
    match converges_fast(laplacian, trial) {
        true => Preconditioner::Jacobi,
        false => Preconditioner::ApproximateCholesky,
    }
}

/// Whether a few steps of conjugate gradients with the diagonal make the residual small.
fn converges_fast(laplacian: &Laplacian<'_>, trial: &[(usize, f64)]) -> bool {
    let mut random = Random::new(0, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    let (jacobi, floating) = (Jacobi::new(laplacian), Floating::of(laplacian));
    reaches(laplacian, &jacobi, floating, &b, FAST, trial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::Graph;
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
            ("random:100000:10", uneven, Jacobi),
            ("random:20000:8", uneven, Jacobi),
            ("random:20000:6", Weights::Unit, Jacobi),
            ("random:20000:6", uneven, ApproximateCholesky),
            ("random:20000:10", Weights::LogUniform(1e-4, 1e4), ApproximateCholesky),
            ("clique:2000", uneven, Jacobi),
        ] {
            let graph = generate(shape.parse().unwrap(), weights, 1).unwrap().graph;
            assert_eq!(choose(&Laplacian::new(&graph, None)), expected, "{shape}");
        }
    }

    /// The edges of a square grid but every `skip`-th.
    fn grid_with_gaps(side: u32, skip: usize) -> Graph {
        let across = |v: u32| [(v, v + 1, 1.0), (v, v + side, 1.0)];
        let inside =
            |&(a, b, _): &(u32, u32, f64)| b < side * side && (b != a + 1 || b % side != 0);
        let all = (0..side * side).flat_map(across).filter(inside);
        let kept = all.enumerate().filter(|(k, _)| k % skip != 0).map(|(_, edge)| edge);
        Graph::from_edges((side * side) as usize, &kept.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn flat_wires_with_gaps_are_factored() {
        for (side, skip, expected) in [
            (120, 10, Preconditioner::Direct),
            (120, 1000, Preconditioner::ApproximateCholesky),
            (200, 10, Preconditioner::ApproximateCholesky),
        ] {
            let graph = grid_with_gaps(side, skip);
            assert_eq!(choose(&Laplacian::new(&graph, None)), expected, "{side} {skip}");
        }
        // As many edges that go anywhere.
        let random = generate("random:14000:3.6".parse().unwrap(), Weights::Unit, 1).unwrap();
        let chosen = choose(&Laplacian::new(&random.graph, None));
        assert_ne!(chosen, Preconditioner::Direct);
    }
}
