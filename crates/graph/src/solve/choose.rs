//! The choice of a preconditioner for `auto`.
//!
//! **Problem.** Given a Laplacian, name the preconditioner that will solve fastest, setup included.
//! **Method.** Count edges and cycles, grow balls of a thousand vertices to see whether the graph
//! spreads, and try a few steps with the diagonal (`trial.rs`); see [`choose`]. **Cost.** Linear,
//! much less than any setup. **Determinism.** A function of the graph and of what it is to be solved
//! for: no clock is involved.

use super::spread::spreads;
use super::trial::{PER_DIGIT, SETUP, trial};
use super::{CgParams, Jacobi, Preconditioner};
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

/// Right-hand sides from which on a factor of any graph that does not spread is considered.
const FEW: usize = 3;

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
/// | does not spread, three or more right-hand sides | [`Preconditioner::Direct`] | if making the factor and solving with it takes fewer operations than what follows |
/// | the diagonal alone is expected to be done sooner than an approximate factor, by the rate of its first steps (random graphs, cliques, hubs, small meshes in space) | [`Preconditioner::Jacobi`] | few steps, no setup |
/// | any other | [`Preconditioner::ApproximateCholesky`] | nearly linear on every kind of graph |
///
/// [`Solver`](super::Solver) takes the last one, too, where a factor turns out too large. Here the
/// steps are tried on random currents, for one right-hand side and a residual of 1e-6;
/// [`Solver::with_currents`](super::Solver::with_currents) tries them on the currents to be solved
/// for, and keeps what they found.
pub fn choose(laplacian: &Laplacian<'_>) -> Preconditioner {
    match structure(laplacian) {
        Structure::Certain(preconditioner) => preconditioner,
        Structure::Open { spreads } => {
            let (b, params) = (random_currents(laplacian), CgParams::default());
            let jacobi = Jacobi::new(laplacian);
            match trial(laplacian, &jacobi, &b, (spreads, 1), &params).reached {
                true => Preconditioner::Jacobi,
                false => Preconditioner::ApproximateCholesky,
            }
        }
    }
}

/// What a look at the graph says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    Certain(Preconditioner),
    Open { spreads: bool },
}

pub(super) fn structure(laplacian: &Laplacian<'_>) -> Structure {
    let graph = laplacian.graph();
    let (n, edges) = (graph.len(), graph.edge_count());
    let grounds = laplacian
        .ground()
        .map_or(0, |ground| ground.iter().filter(|conductance| **conductance > 0.0).count());
    // Edges of a spanning forest, in which ground joins all components that have any.
    let floating = laplacian.floating().iter().filter(|floating| **floating).count();
    let extra = edges + grounds + floating - n;
    if extra == 0 {
        return Structure::Certain(Preconditioner::Tree);
    }
    let at_most = |part: f64| extra as f64 <= part * n as f64;
    if n < SMALL || at_most(NEARLY_FOREST) {
        return Structure::Certain(Preconditioner::Direct);
    }
    let spreads = spreads(graph);
    if n <= FLAT_SIZE && at_most(NEARLY_FLAT) && !spreads {
        return Structure::Certain(Preconditioner::Direct);
    }
    Structure::Open { spreads }
}

/// Operations of a factor that take as long as an approximate factor and its iterations: a
/// step with the diagonal takes about four nanoseconds per edge and ten per vertex, and five
/// operations of a factor take one. None where a factor is not worth being looked at.
pub(super) fn worthwhile(
    laplacian: &Laplacian<'_>,
    spreads: bool,
    tolerance: f64,
    count: usize,
) -> Option<u64> {
    if spreads || count < FEW {
        return None;
    }
    let graph = laplacian.graph();
    let step = 4.0 * graph.edge_count() as f64 + 10.0 * graph.len() as f64;
    let steps = SETUP[0] + count as f64 * PER_DIGIT * -tolerance.log10();
    Some((5.0 * step * steps) as u64)
}

/// Random currents that add up to 0 wherever they must.
pub(super) fn random_currents(laplacian: &Laplacian<'_>) -> Vec<f64> {
    let mut random = Random::new(0, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    b
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
