//! Preconditioned conjugate gradients on arrays in memory. The loop is that of
//! [`palmette_core::conjugate_gradients`].
//!
//! **Problem.** A symmetric positive semi-definite matrix `A`, an approximate inverse `M`, a
//! right-hand side `b` in the range of `A`; out comes `x` with `‖b − A x‖ ≤ tolerance ‖b‖`.
//!
//! **Method.** On floating components (see [`Laplacian`]) constants are subtracted from what `M`
//! gives: they change nothing in exact arithmetic, but their rounding errors would grow without
//! bound. A run that starts again after the true residual was computed finds a *correction*,
//! which is then added to what earlier runs found: iterative refinement. Its steps are rounded
//! at the size of the correction, not of the solution.
//!
//! **Cost.** An iteration: one product with `A`, one with `M`, and four passes that read 10
//! and write 3 vectors; two more passes when several components float. Five vectors.
//!
//! **Determinism.** Sums run over fixed blocks: the same bits on any number of threads.

use super::SolveError;
use super::spectrum::ritz_values;
use super::vectors::{add, direction, dot, dot_and_sum, square_and_sum, step};
use crate::Laplacian;
use palmette_core::LinOp;
use palmette_core::conjugate_gradients::{Cg, CgParams, CgVectors};

/// What constants the matrix does not see.
#[derive(Debug, Clone, Copy)]
pub enum Floating<'a> {
    /// None: the matrix has full rank.
    Nothing,
    /// One constant on all vertices.
    Everything,
    /// One on each floating component.
    Components(&'a Laplacian<'a>),
}

/// What conjugate gradients found.
#[derive(Debug, Clone, PartialEq)]
pub struct CgSolution {
    /// The solution.
    pub x: Vec<f64>,
    /// Iterations done.
    pub iterations: usize,
    /// The relative residual `‖b − A x‖ / ‖b‖`, computed from `x`.
    pub residual: f64,
    /// The relative residual before the first and after each iteration, from the recurrence
    /// but for the last.
    pub history: Vec<f64>,
    /// The coefficients `(α, β)` of the first run of the recurrence; see
    /// [`ritz_values`](super::spectrum::ritz_values).
    pub coefficients: Vec<(f64, f64)>,
}

impl<'a> Floating<'a> {
    /// What floats in a Laplacian.
    pub fn of(laplacian: &'a Laplacian<'a>) -> Self {
        match laplacian.floating() {
            [true] => Floating::Everything,
            parts if parts.contains(&true) => Floating::Components(laplacian),
            _ => Floating::Nothing,
        }
    }

    /// `r · z` with constants out of `z`, and what is still to be subtracted from `z`.
    fn product(self, r: &[f64], sum_r: f64, z: &mut [f64]) -> (f64, f64) {
        if let Floating::Components(laplacian) = self {
            laplacian.balance(z);
        }
        let [product, sum_z] = dot_and_sum(r, z);
        match self {
            Floating::Everything => {
                let mean = sum_z / z.len() as f64;
                (product - mean * sum_r, mean)
            }
            _ => (product, 0.0),
        }
    }
}

/// Solves `matrix · x = b` with an approximate inverse of the matrix.
///
/// # Errors
/// [`SolveError::Length`] when sizes differ; [`SolveError::Iteration`] otherwise.
pub fn conjugate_gradients(
    matrix: &dyn LinOp,
    inverse: &dyn LinOp,
    floating: Floating<'_>,
    b: &[f64],
    params: &CgParams,
) -> Result<CgSolution, SolveError> {
    params.check()?;
    for size in [inverse.size(), b.len()] {
        if size != matrix.size() {
            return Err(SolveError::Length { expected: matrix.size(), actual: size });
        }
    }
    let mut run = start(matrix, inverse, floating, b);
    let residual = if run.vectors.norm == 0.0 { 0.0 } else { run.solve(params)? };
    Ok(solution(run, residual))
}

fn solution(run: Cg<Vectors<'_>>, residual: f64) -> CgSolution {
    let Cg { vectors, iterations, history, coefficients, .. } = run;
    CgSolution { x: vectors.into_x(), iterations, residual, history, coefficients }
}

/// The ends of a spectrum, from inside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spectrum {
    pub(crate) smallest: f64,
    pub(crate) largest: f64,
    /// By which part the last third of the steps moved the ratio of both.
    pub(crate) moved: f64,
    pub(crate) steps: usize,
}

impl Spectrum {
    pub(crate) fn condition(&self) -> f64 {
        self.largest / self.smallest
    }
}

/// Steps of the first look at a spectrum; each further one has twice as many.
const FIRST_LOOK: usize = 30;

/// The ends of a spectrum are found when the last third of the steps moves their ratio by less.
const SETTLED: f64 = 0.01;

/// The ends of the spectrum of `inverse · matrix`, by at most `most` steps; fewer when they have
/// settled, or the residual is at rounding.
pub(crate) fn spectrum_of(
    matrix: &dyn LinOp,
    inverse: &dyn LinOp,
    floating: Floating<'_>,
    b: &[f64],
    most: usize,
) -> Spectrum {
    let mut run = start(matrix, inverse, floating, b);
    let mut found = Spectrum { smallest: 1.0, largest: 1.0, moved: 0.0, steps: 0 };
    if run.vectors.norm == 0.0 {
        return found;
    }
    let mut look = FIRST_LOOK;
    loop {
        let max_iterations = look.min(most);
        let params = CgParams { tolerance: 1e-10, max_iterations, cancel: None };
        let ended = run.iterate(&params) != Ok(None);
        let all = &run.coefficients[..];
        let Some((smallest, largest)) = ritz_values(all) else { return found };
        let before = ritz_values(&all[..all.len() - all.len() / 3]).unwrap_or((1.0, 1.0));
        let moved = 1.0 - (before.1 / before.0) / (largest / smallest);
        found = Spectrum { smallest, largest, moved, steps: all.len() };
        let done = ended || all.len() < max_iterations || all.len() >= most;
        if done || moved < SETTLED {
            return found;
        }
        look *= 2;
    }
}

/// Iterations from zero.
pub(super) fn start<'a>(
    matrix: &'a dyn LinOp,
    inverse: &'a dyn LinOp,
    floating: Floating<'a>,
    b: &'a [f64],
) -> Cg<Vectors<'a>> {
    let [square, sum_r] = square_and_sum(b);
    let (norm, zeros) = (square.sqrt(), vec![0.0; b.len()]);
    let (x, r, z, p) = (zeros.clone(), b.to_vec(), zeros.clone(), zeros);
    let (found, shift, backward) = (Vec::new(), 0.0, None);
    let vectors =
        Vectors { matrix, inverse, floating, b, norm, backward, found, x, r, sum_r, z, shift, p };
    Cg::new(vectors, if norm == 0.0 { 0.0 } else { 1.0 })
}

/// What a solve needs beside its vectors.
pub(super) struct System<'a> {
    pub(super) laplacian: &'a Laplacian<'a>,
    pub(super) inverse: &'a dyn LinOp,
    /// A norm of the matrix, for residuals relative to `‖A‖ ‖x‖ + ‖b‖`.
    pub(super) backward: Option<f64>,
}

/// As [`conjugate_gradients`], from a first guess, if there is one. The second part of an error is
/// what was found until then.
pub(super) fn improve(
    system: &System<'_>,
    guess: Option<Vec<f64>>,
    b: &[f64],
    params: &CgParams,
) -> Result<CgSolution, (SolveError, Vec<f64>)> {
    let (matrix, floating) = (system.laplacian, Floating::of(system.laplacian));
    let mut run = start(matrix, system.inverse, floating, b);
    run.vectors.backward = system.backward;
    if run.vectors.norm == 0.0 {
        return Ok(solution(run, 0.0));
    }
    if let Some(guess) = guess {
        run.vectors.x = guess;
        let residual = run.vectors.true_residual().map_err(|error| (error, Vec::new()))?;
        run.history = vec![residual];
        if residual <= params.tolerance {
            return Ok(solution(run, residual));
        }
    }
    match run.solve(params) {
        Ok(residual) => Ok(solution(run, residual)),
        Err(error) => Err((error, run.vectors.into_x())),
    }
}

pub(super) struct Vectors<'a> {
    matrix: &'a dyn LinOp,
    inverse: &'a dyn LinOp,
    floating: Floating<'a>,
    b: &'a [f64],
    norm: f64,
    backward: Option<f64>,
    /// What earlier runs found; empty in the first.
    found: Vec<f64>,
    /// What this run has found.
    x: Vec<f64>,
    r: Vec<f64>,
    sum_r: f64,
    /// The preconditioned residual, then the product with the direction.
    z: Vec<f64>,
    /// What is still to be subtracted from the preconditioned residual.
    shift: f64,
    p: Vec<f64>,
}

impl Vectors<'_> {
    fn residual(&mut self, [square, sum_r]: [f64; 2]) -> Result<f64, SolveError> {
        self.sum_r = sum_r;
        let Some(matrix) = self.backward else { return Ok(square.sqrt() / self.norm) };
        let whole = if self.found.is_empty() { &self.x } else { &self.found };
        Ok(square.sqrt() / (matrix * square_and_sum(whole)[0].sqrt() + self.norm))
    }

    /// Adds what this run has found to what was found before.
    fn settle(&mut self) {
        if self.found.is_empty() {
            self.found = std::mem::take(&mut self.x);
        } else if !self.x.is_empty() {
            add(&mut self.found, &self.x);
            self.x.clear();
        }
    }

    /// All that was found.
    pub(super) fn into_x(mut self) -> Vec<f64> {
        self.settle();
        self.found
    }
}

impl CgVectors for Vectors<'_> {
    type Error = SolveError;

    fn precondition(&mut self) -> Result<f64, SolveError> {
        self.inverse.apply(&self.r, &mut self.z);
        let (product, shift) = self.floating.product(&self.r, self.sum_r, &mut self.z);
        self.shift = shift;
        Ok(product)
    }

    fn turn(&mut self, beta: Option<f64>) {
        self.x.resize(self.b.len(), 0.0);
        direction(&mut self.p, &self.z, self.shift, beta.unwrap_or(0.0));
    }

    fn curvature(&mut self) -> Result<f64, SolveError> {
        self.matrix.apply(&self.p, &mut self.z);
        Ok(dot(&self.p, &self.z))
    }

    fn step(&mut self, alpha: f64) -> Result<f64, SolveError> {
        let sums = step(&mut self.x, &mut self.r, &self.p, &self.z, alpha);
        self.residual(sums)
    }

    fn true_residual(&mut self) -> Result<f64, SolveError> {
        self.settle();
        self.matrix.residual(&self.found, self.b, &mut self.r);
        let sums = square_and_sum(&self.r);
        self.residual(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::Graph;
    use palmette_core::linop::Identity;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A matrix whose first products are wrong.
    struct Drifting<'a>(Laplacian<'a>, AtomicUsize);

    impl LinOp for Drifting<'_> {
        fn size(&self) -> usize {
            self.0.size()
        }

        fn apply(&self, x: &[f64], y: &mut [f64]) {
            self.0.apply(x, y);
            if self.1.fetch_add(1, Ordering::Relaxed) < 3 {
                y.iter_mut().enumerate().for_each(|(i, y)| *y *= 1.0 + 1e-4 * (i % 3) as f64);
            }
        }
    }

    #[test]
    fn a_residual_that_has_drifted_starts_again() {
        let n = 40;
        let edges: Vec<(u32, u32, f64)> = (1..n).map(|v| (v - 1, v, f64::from(v))).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let ground = vec![1.0; n as usize];
        let matrix = Drifting(Laplacian::new(&graph, Some(&ground)), AtomicUsize::new(0));
        let b: Vec<f64> = (0..n).map(|v| f64::from(v % 5) - 1.5).collect();
        let params = CgParams { tolerance: 1e-9, max_iterations: 1000, cancel: None };
        let identity = Identity(n as usize);
        let found =
            conjugate_gradients(&matrix, &identity, Floating::Nothing, &b, &params).unwrap();
        let mut y = vec![0.0; b.len()];
        LinOp::residual(&matrix, &found.x, &b, &mut y);
        let [square, _] = square_and_sum(&y);
        let norm = square_and_sum(&b)[0].sqrt();
        assert_eq!(square.sqrt() / norm, found.residual);
        assert!(found.residual <= 1e-9);
        // The first run ended with a wrong residual, which was replaced by the true one.
        assert!(found.history.iter().any(|&h| h > 1e-6 && h < 1e-2));
        assert!(found.iterations > found.coefficients.len(), "there was a second run");
    }
}
