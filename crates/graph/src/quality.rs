//! How well a sparsifier stands for a graph.
//!
//! **Problem.** A graph `G` and a spanning subgraph `S`; out come the ends of the spectrum of
//! `L_S⁻¹ L_G`, their ratio (the relative condition number, whose root bounds iterations) and
//! how effective resistances at sampled edges of `G` compare, `R_S / R_G`.
//!
//! **Method.** `S` is factored. Steps of conjugate gradients on `L_G` with that factor and a
//! random right-hand side give Ritz values. They approach both ends of the spectrum
//! from inside, faster than power iterations, so the condition number is a lower bound.
//! With the weights of `G` on the edges of `S` no eigenvalue is below 1. Resistances in `S`
//! come from the factor, in `G` from [`resistances`].
//!
//! **Cost.** A factor of `S`; `iterations` products with `G` and solves with the factor; for
//! each sample one solve with `G`.
//!
//! **Determinism.** The seed fixes everything.
//!
//! **Reference.** Saad, *Iterative methods for sparse linear systems*, 2003, section 6.7.3.
//!
//! **When not to use.** As a proof: both ends are estimates.

use crate::Laplacian;
use crate::solve::{
    Augmented, Floating, SolveError, SolveParams, factor_skeleton, resistances, spectrum_of,
};
use palmette_core::random::{Purpose, Random};
use palmette_core::{DEFAULT_SEED, Graph, LinOp};

/// Options of [`quality`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QualityParams {
    /// The most steps towards the ends of the spectrum; fewer are done when the last third of them
    /// moves the condition number by less than a hundredth.
    pub iterations: usize,
    /// Edges at which resistances are compared.
    pub samples: usize,
    /// The seed.
    pub seed: u64,
    /// The most bytes for the sparsifier's factor; by default three quarters of what is available.
    pub memory: Option<u64>,
}

impl Default for QualityParams {
    fn default() -> Self {
        QualityParams { iterations: 400, samples: 100, seed: DEFAULT_SEED, memory: None }
    }
}

/// What [`quality`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// The largest generalized eigenvalue of `(L_G, L_S)`, estimated from below.
    pub largest: f64,
    /// The smallest one that is not 0, estimated from above.
    pub smallest: f64,
    /// Their ratio.
    pub condition: f64,
    /// By which part of it the last third of the steps raised it: what it may still be short of.
    pub condition_error: f64,
    /// Steps that were done; fewer than asked for when the spectrum was found.
    pub iterations: usize,
    /// The mean of `R_S / R_G` over the sampled edges.
    pub resistance_mean: f64,
    /// The largest `R_S / R_G`.
    pub resistance_max: f64,
    /// Edges that were sampled.
    pub samples: usize,
}

/// Compares a sparsifier with its graph.
///
/// # Errors
/// A sparsifier that does not span the graph; as
/// [`Factor::new`](crate::solve::Factor::new) and [`resistances`].
pub fn quality(
    graph: &Graph,
    sparsifier: &Graph,
    params: &QualityParams,
) -> Result<Quality, SolveError> {
    let laplacian = Laplacian::new(graph, None);
    let augmented = Augmented::new(&laplacian)?;
    let factor = factor_skeleton(&augmented, sparsifier, params.memory, None)?;
    let floating = Floating::of(&laplacian);
    let n = graph.len();

    let mut random = Random::new(params.seed, Purpose::Vectors);
    let mut b: Vec<f64> = (0..n).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    let spectrum = spectrum_of(&laplacian, &factor, floating, &b, params.iterations);
    let (smallest, largest) = (spectrum.smallest, spectrum.largest);

    let (mut sum, mut resistance_max) = (0.0, 0.0f64);
    let edges = sampled_edges(graph, params);
    let exactly = SolveParams {
        tolerance: 1e-8,
        seed: params.seed,
        memory: params.memory,
        ..SolveParams::default()
    };
    let in_graph = resistances(&laplacian, &edges, &exactly)?;
    let mut currents = vec![0.0; n];
    let mut x = vec![0.0; n];
    for (&(a, b), in_graph) in edges.iter().zip(in_graph) {
        let (a, b) = (a as usize, b as usize);
        (currents[a], currents[b]) = (1.0, -1.0);
        factor.apply(&currents, &mut x);
        (currents[a], currents[b]) = (0.0, 0.0);
        let ratio = (x[a] - x[b]) / in_graph;
        sum += ratio;
        resistance_max = resistance_max.max(ratio);
    }
    let samples = edges.len();
    let (resistance_mean, resistance_max) =
        if samples == 0 { (1.0, 1.0) } else { (sum / samples as f64, resistance_max) };
    let (condition, iterations) = (spectrum.condition(), spectrum.steps);
    Ok(Quality {
        largest,
        smallest,
        condition,
        condition_error: spectrum.moved,
        iterations,
        resistance_mean,
        resistance_max,
        samples,
    })
}

/// Edges drawn with equal chances, perhaps some of them twice; all of them when there are
/// not more than asked for.
fn sampled_edges(graph: &Graph, params: &QualityParams) -> Vec<(u32, u32)> {
    let count = graph.edge_count();
    let ends = |(a, b, _): (u32, u32, f64)| (a, b);
    if count <= params.samples {
        return graph.edges().map(ends).collect();
    }
    let mut random = Random::new(params.seed, Purpose::Samples);
    let mut drawn: Vec<u32> = (0..params.samples).map(|_| random.below(count as u32)).collect();
    drawn.sort_unstable();
    let mut next = 0;
    let mut edges = Vec::with_capacity(drawn.len());
    for (number, edge) in graph.edges().enumerate() {
        while drawn.get(next).is_some_and(|&d| d as usize == number) {
            edges.push(ends(edge));
            next += 1;
        }
    }
    edges
}
