//! Currents that are given, and conductances to ground.
//!
//! **Method.** Vertices with an infinite conductance to ground have potential 0 and leave the
//! system; edges to them become conductances to ground of their other ends.

use crate::Laplacian;
use crate::solve::{SolveError, SolveParams, Solver};
use palmette_core::{Graph, NONE};
use thiserror::Error;

/// What given currents do.
#[derive(Debug, Clone, PartialEq)]
pub struct Driven {
    /// By vertex, the potential against ground; 0 in components where nothing enters.
    pub potentials: Vec<f64>,
    /// By vertex, all that flows into it: from neighbours, ground and outside.
    pub currents: Vec<f64>,
    /// Iterations of the solver, and what was compared with the tolerance.
    pub reached: (usize, f64),
}

/// Why given currents have no potentials.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DrivenError {
    /// Current enters a component that has no ground.
    #[error("{sum} enters the component of vertex {vertex} ({size} vertices), which has no ground")]
    NoGround { vertex: u32, size: u32, sum: f64 },
    /// No potentials were found.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The potentials and currents when `entering[v]` enters at each vertex `v`, which has conductance
/// `ground[v]`, perhaps infinite, to ground.
///
/// # Errors
/// [`DrivenError::NoGround`]; a conductance that is none; as [`Solver::solve`].
///
/// # Panics
/// Without a current and a conductance for each vertex.
pub fn driven_currents(
    graph: &Graph,
    entering: &[f64],
    ground: &[f64],
    params: &SolveParams,
) -> Result<Driven, DrivenError> {
    let n = graph.len();
    assert_eq!((entering.len(), ground.len()), (n, n), "an entry for each vertex");
    if let Some(vertex) = ground.iter().position(|g| g.is_nan() || *g < 0.0) {
        return Err(SolveError::Ground { vertex, conductance: ground[vertex] }.into());
    }
    check_ground(graph, entering, ground)?;
    let fixed = |v: u32| ground[v as usize] == f64::INFINITY;
    let mut places = vec![NONE; n];
    let mut free = Vec::new();
    for v in (0..n as u32).filter(|&v| !fixed(v)) {
        places[v as usize] = free.len() as u32;
        free.push(v);
    }
    let mut to_ground: Vec<f64> = free.iter().map(|&v| ground[v as usize]).collect();
    let mut edges = Vec::new();
    for (a, b, w) in graph.edges() {
        match (places[a as usize], places[b as usize]) {
            (NONE, NONE) => {}
            (NONE, place) | (place, NONE) => to_ground[place as usize] += w,
            (a, b) => edges.push((a, b, w)),
        }
    }
    let mut potentials = vec![0.0; n];
    let mut reached = (0, 0.0);
    if !free.is_empty() {
        let inner = Graph::from_edges(free.len(), &edges).map_err(SolveError::from)?;
        let b: Vec<f64> = free.iter().map(|&v| entering[v as usize]).collect();
        let laplacian = Laplacian::new(&inner, Some(&to_ground));
        let found = Solver::with_currents(&laplacian, params, &[b])
            .map_err(|error| renamed(error, &free))?
            .1;
        reached = (found[0].iterations, found[0].residual);
        free.iter().zip(&found[0].x).for_each(|(&v, &x)| potentials[v as usize] = x);
    }
    let current = |v: usize| {
        let (neighbours, weights) = (graph.neighbours(v as u32), graph.weights(v as u32));
        let flows = neighbours
            .iter()
            .zip(weights)
            .map(|(&u, w)| w * (potentials[u as usize] - potentials[v]));
        let mut inward = entering[v].max(0.0);
        let mut rest = entering[v];
        for flow in flows {
            inward += flow.max(0.0);
            rest += flow;
        }
        match fixed(v as u32) {
            true => inward + (-rest).max(0.0),
            false => inward + (-ground[v] * potentials[v]).max(0.0),
        }
    };
    let currents = (0..n).map(current).collect();
    Ok(Driven { potentials, currents, reached })
}

/// Refuses currents that have nowhere to go.
fn check_ground(graph: &Graph, entering: &[f64], ground: &[f64]) -> Result<(), DrivenError> {
    let components = graph.components();
    let mut grounded = vec![false; components.count()];
    for (v, _) in ground.iter().enumerate().filter(|(_, g)| **g > 0.0) {
        grounded[components.of[v] as usize] = true;
    }
    for (vertex, (&sum, &c)) in (0..).zip(entering.iter().zip(&components.of)) {
        if sum != 0.0 && !grounded[c as usize] {
            let size = components.sizes[c as usize];
            return Err(DrivenError::NoGround { vertex, size, sum });
        }
    }
    Ok(())
}

/// An error with the vertices of the whole graph.
fn renamed(mut error: SolveError, free: &[u32]) -> SolveError {
    if let SolveError::Current { vertex, .. }
    | SolveError::Ground { vertex, .. }
    | SolveError::Diagonal { vertex, .. }
    | SolveError::Overflow { vertex }
    | SolveError::Pivot { vertex } = &mut error
    {
        *vertex = free[*vertex] as usize;
    }
    error
}
