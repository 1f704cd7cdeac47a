//! The effective resistances of all edges.
//!
//! **Problem.** A [`Laplacian`]; out comes for each edge the resistance `R` between its ends, of the
//! whole network. `w R` is the probability that a random spanning tree has the edge: its centrality.
//!
//! **Method.** [Exactly](edge_resistances): the entries of the inverse at the edges
//! (`factor/selected.rs`), `R = Z(u,u) + Z(v,v) − 2 Z(u,v)`. [By projection](projected_resistances):
//! `R` is the squared length of a difference of columns of `W^½ B L⁺`; random signs for the rows,
//! `k` times, keep it up to a relative error of `√(2/k)` in the mean square, for one solve each.
//!
//! **Cost.** A factor and as much again; or `k` solves.
//!
//! **Determinism.** The seed gives the signs; the same answer on any number of threads.
//!
//! **Reference.** Takahashi and others, 1973; Spielman and Srivastava, *Graph sparsification by
//! effective resistances*, 2008.
//!
//! **When not to use.** Exactly: where a factor does not fit. For few edges: [`resistances`].

use super::{Factor, SolveError, SolveParams, Solver, check_ground, resistances};
use crate::Laplacian;
use palmette_core::random::{Purpose, Random};

/// Edges whose projected resistances are compared with exact ones.
const SAMPLE: usize = 20;

/// The resistances of all edges.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EdgeResistances {
    /// By number of the edge.
    pub values: Vec<f64>,
    /// A relative error. Of exact ones: how far their sum with weights (and that of conductances to
    /// ground) is from the number of vertices less that of floating components, which it
    /// equals (Foster). Of projected ones: the root of the mean square on a sample of edges.
    pub error: f64,
}

/// The resistances of all edges, to rounding, in at most `memory` bytes.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::{Laplacian, solve::edge_resistances};
/// let triangle = Graph::from_edges(3, &[(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)])?;
/// let found = edge_resistances(&Laplacian::new(&triangle, None), &Default::default())?;
/// assert!(found.values.iter().all(|r| (r - 2.0 / 3.0).abs() < 1e-15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Factor::within`]; conductances that are no numbers.
pub fn edge_resistances(
    laplacian: &Laplacian<'_>,
    params: &SolveParams,
) -> Result<EdgeResistances, SolveError> {
    check_ground(laplacian)?;
    let graph = laplacian.graph();
    let selected = Factor::selected(laplacian, params)?;
    let (diagonal, across) = (&selected.diagonal, &selected.across);
    let ends = graph.edges().zip(across);
    let resistance = |((a, b, _), &z): ((u32, u32, f64), &f64)| {
        (diagonal[a as usize] - z) + (diagonal[b as usize] - z)
    };
    let values: Vec<f64> = ends.map(resistance).collect();
    let edges: f64 = graph.edges().zip(&values).map(|(edge, r)| edge.2 * r).sum();
    let ground = laplacian.ground().unwrap_or_default().iter();
    let to_ground: f64 = ground.zip(diagonal).map(|(g, z)| g * z).sum();
    let floating = laplacian.floating().iter().filter(|&&floats| floats).count();
    let expected = (graph.len() - floating) as f64;
    let error = (edges + to_ground - expected).abs() / expected.max(1.0);
    Ok(EdgeResistances { values, error })
}

/// The resistances of all edges by `count` random projections; solves as `params` says.
///
/// # Errors
/// As [`Solver::new`] and [`Solver::solve`].
pub fn projected_resistances(
    laplacian: &Laplacian<'_>,
    count: usize,
    params: &SolveParams,
) -> Result<EdgeResistances, SolveError> {
    params.check()?;
    check_ground(laplacian)?;
    let graph = laplacian.graph();
    let right_hand_sides = count.max(1);
    let params = SolveParams { right_hand_sides, ..params.clone() };
    let solver = Solver::new(laplacian, &params)?;
    let mut values = vec![0.0; graph.edge_count()];
    // So many potentials are held at a time.
    let together = rayon::current_num_threads().max(1);
    for first in (0..right_hand_sides).step_by(together) {
        let many = together.min(right_hand_sides - first);
        let potentials = solver.solve_each(many, |k| {
            let signs = Random::numbered(params.seed, Purpose::Samples, (first + k) as u64);
            Ok(solver.solve(&currents(laplacian, signs))?.x)
        })?;
        for x in potentials {
            for ((a, b, _), value) in graph.edges().zip(&mut values) {
                *value += (x[a as usize] - x[b as usize]).powi(2);
            }
        }
    }
    values.iter_mut().for_each(|value| *value /= right_hand_sides as f64);
    let error = sampled_error(laplacian, &values, &params)?;
    Ok(EdgeResistances { values, error })
}

/// Random signs times roots of conductances, summed at the vertices.
fn currents(laplacian: &Laplacian<'_>, mut signs: Random) -> Vec<f64> {
    let graph = laplacian.graph();
    let mut currents = vec![0.0; graph.len()];
    let mut sign = |x: f64| if signs.below(2) == 0 { x } else { -x };
    for (a, b, w) in graph.edges() {
        let flow = sign(w.sqrt());
        currents[a as usize] += flow;
        currents[b as usize] -= flow;
    }
    for (current, g) in currents.iter_mut().zip(laplacian.ground().unwrap_or_default()) {
        *current += sign(g.sqrt());
    }
    currents
}

fn sampled_error(
    laplacian: &Laplacian<'_>,
    values: &[f64],
    params: &SolveParams,
) -> Result<f64, SolveError> {
    let m = values.len();
    if m == 0 {
        return Ok(0.0);
    }
    let mut random = Random::new(params.seed, Purpose::Samples);
    let mut chosen: Vec<u32> = (0..SAMPLE.min(m)).map(|_| random.below(m as u32)).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut pairs = Vec::with_capacity(chosen.len());
    let mut wanted = chosen.iter().peekable();
    for (number, (a, b, _)) in laplacian.graph().edges().enumerate() {
        if wanted.next_if(|&&next| next as usize == number).is_some() {
            pairs.push((a, b));
        }
    }
    let exact = resistances(laplacian, &pairs, params)?;
    let square = |(&k, exact): (&u32, &f64)| (values[k as usize] / exact - 1.0).powi(2);
    Ok((chosen.iter().zip(&exact).map(square).sum::<f64>() / chosen.len() as f64).sqrt())
}
