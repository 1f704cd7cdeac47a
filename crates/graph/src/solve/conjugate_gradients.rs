//! Preconditioned conjugate gradients.
//!
//! **Problem.** A symmetric positive semi-definite matrix `A`, an approximate inverse `M`, a
//! right-hand side `b` in the range of `A`; out comes `x` with `‖b − A x‖ ≤ tolerance ‖b‖`.
//!
//! **Method.** The recurrence of Hestenes and Stiefel. When its residual is small enough,
//! the true one is computed; where rounding has driven them apart, the iteration starts
//! again from the true residual, as long as each start at least halves it. On floating
//! components (see [`Laplacian`]) constants are taken out of what `M` gives: they change
//! nothing in exact arithmetic, but what they add to rounding is without bound.
//!
//! **Cost.** An iteration: one product with `A`, one with `M`, and four passes that read 10
//! and write 3 vectors; two more passes when several components float. Five vectors.
//!
//! **Determinism.** Sums run over fixed blocks: the same bits on any number of threads.
//!
//! **Reference.** Hestenes and Stiefel, *Methods of conjugate gradients for solving linear
//! systems*, 1952; Saad, *Iterative methods for sparse linear systems*, 2003, section 6.7
//! (the tridiagonal matrix behind the coefficients).
//!
//! **When not to use.** With a preconditioner that changes from step to step.

use super::SolveError;
use super::vectors::{direction, dot, dot_and_sum, square_and_sum, step, subtract_from};
use crate::Laplacian;
use palmette_core::{Cancel, LinOp};

/// When conjugate gradients stop.
#[derive(Debug, Clone, PartialEq)]
pub struct CgParams {
    /// The relative residual that is small enough.
    pub tolerance: f64,
    /// The most iterations.
    pub max_iterations: usize,
    /// Ends the iterations early.
    pub cancel: Option<Cancel>,
}

impl CgParams {
    /// Whether iterations can end well.
    ///
    /// # Errors
    /// [`SolveError::Tolerance`], [`SolveError::NoIterations`].
    pub fn check(&self) -> Result<(), SolveError> {
        let tolerance = self.tolerance;
        match self.max_iterations {
            _ if !(tolerance > 0.0 && tolerance < 1.0) => Err(SolveError::Tolerance { tolerance }),
            0 => Err(SolveError::NoIterations),
            _ => Ok(()),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(Cancel::is_raised)
    }
}

impl Default for CgParams {
    fn default() -> Self {
        CgParams { tolerance: 1e-6, max_iterations: 100_000, cancel: None }
    }
}

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
/// As [`CgParams::check`]; [`SolveError::NotConverged`] when the tolerance is not reached,
/// [`SolveError::Cancelled`] when [`CgParams::cancel`] is raised before it is,
/// [`SolveError::Breakdown`] when a product that must be positive is not,
/// [`SolveError::Length`] when sizes differ.
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
    let norm = square_and_sum(b)[0].sqrt();
    let mut run = Run::new(matrix, inverse, floating, b, norm);
    if norm == 0.0 {
        return Ok(run.finish(0.0));
    }
    let mut before = 1.0;
    loop {
        let broken = run.iterate(params);
        let residual = run.true_residual();
        if residual <= params.tolerance {
            return Ok(run.finish(residual));
        }
        let iterations = run.iterations;
        if params.is_cancelled() {
            return Err(SolveError::Cancelled { iterations });
        }
        // NaN is no progress either.
        let stuck = residual.is_nan() || residual >= 0.5 * before;
        match broken {
            Some((what, value)) if stuck => {
                return Err(SolveError::Breakdown { iterations, residual, what, value });
            }
            _ if stuck || iterations >= params.max_iterations => {
                let tolerance = params.tolerance;
                let history = run.history;
                return Err(SolveError::NotConverged { iterations, residual, tolerance, history });
            }
            _ => before = residual,
        }
    }
}

/// The coefficients of `iterations` steps, for the spectrum; fewer when the residual
/// is at rounding.
pub(crate) fn coefficients(
    matrix: &dyn LinOp,
    inverse: &dyn LinOp,
    floating: Floating<'_>,
    b: &[f64],
    iterations: usize,
) -> Vec<(f64, f64)> {
    let norm = square_and_sum(b)[0].sqrt();
    let mut run = Run::new(matrix, inverse, floating, b, norm);
    run.iterate(&CgParams { tolerance: 1e-12, max_iterations: iterations, cancel: None });
    run.coefficients
}

/// Whether the recurrence's relative residual gets as small as `tolerance`. At each of the
/// `stages`, in as many steps, it must have come down to the second number to go on.
pub(crate) fn reaches(
    matrix: &dyn LinOp,
    inverse: &dyn LinOp,
    floating: Floating<'_>,
    b: &[f64],
    tolerance: f64,
    stages: &[(usize, f64)],
) -> bool {
    let norm = square_and_sum(b)[0].sqrt();
    let mut run = Run::new(matrix, inverse, floating, b, norm);
    for &(max_iterations, needed) in stages {
        let broken = run.iterate(&CgParams { tolerance, max_iterations, cancel: None });
        match run.history.last() {
            Some(&residual) if broken.is_none() && residual <= tolerance => return true,
            Some(&residual) if broken.is_none() && residual <= needed => {}
            _ => return false,
        }
    }
    false
}

struct Run<'a> {
    matrix: &'a dyn LinOp,
    inverse: &'a dyn LinOp,
    floating: Floating<'a>,
    b: &'a [f64],
    norm: f64,
    x: Vec<f64>,
    r: Vec<f64>,
    sum_r: f64,
    /// The preconditioned residual, then the product with the direction.
    z: Vec<f64>,
    p: Vec<f64>,
    /// The preconditioned square of the residual before; nothing where the recurrence starts.
    before: Option<f64>,
    iterations: usize,
    history: Vec<f64>,
    coefficients: Vec<(f64, f64)>,
    runs: usize,
}

impl<'a> Run<'a> {
    fn new(
        matrix: &'a dyn LinOp,
        inverse: &'a dyn LinOp,
        floating: Floating<'a>,
        b: &'a [f64],
        norm: f64,
    ) -> Self {
        let zeros = vec![0.0; b.len()];
        let sum_r = square_and_sum(b)[1];
        Run {
            matrix,
            inverse,
            floating,
            b,
            norm,
            x: zeros.clone(),
            r: b.to_vec(),
            sum_r,
            z: zeros.clone(),
            p: zeros,
            before: None,
            iterations: 0,
            history: vec![if norm == 0.0 { 0.0 } else { 1.0 }],
            coefficients: Vec::new(),
            runs: 0,
        }
    }

    /// Runs the recurrence until its residual is small, it breaks down (says where), it is
    /// cancelled or the iterations are used up; then it may go on with more.
    fn iterate(&mut self, params: &CgParams) -> Option<(&'static str, f64)> {
        self.runs += usize::from(self.before.is_none());
        while self.iterations < params.max_iterations && !params.is_cancelled() {
            self.inverse.apply(&self.r, &mut self.z);
            let (product, shift) = self.floating.product(&self.r, self.sum_r, &mut self.z);
            if !(product > 0.0 && product.is_finite()) {
                return Some(("the residual's preconditioned square", product));
            }
            let beta = self.before.map_or(0.0, |before| product / before);
            self.before = Some(product);
            direction(&mut self.p, &self.z, shift, beta);
            self.matrix.apply(&self.p, &mut self.z);
            let curvature = dot(&self.p, &self.z);
            if !(curvature > 0.0 && curvature.is_finite()) {
                return Some(("the direction's square by the matrix", curvature));
            }
            let alpha = product / curvature;
            let [square, sum_r] = step(&mut self.x, &mut self.r, &self.p, &self.z, alpha);
            self.sum_r = sum_r;
            if self.runs == 1 {
                self.coefficients.push((alpha, beta));
            }
            self.iterations += 1;
            let residual = square.sqrt() / self.norm;
            self.history.push(residual);
            if residual <= params.tolerance || !residual.is_finite() {
                break;
            }
        }
        None
    }

    /// Replaces the recurrence's residual by the true one, from which it starts again.
    fn true_residual(&mut self) -> f64 {
        self.before = None;
        self.matrix.apply(&self.x, &mut self.r);
        let [square, sum_r] = subtract_from(self.b, &mut self.r);
        self.sum_r = sum_r;
        let residual = square.sqrt() / self.norm;
        if let Some(last) = self.history.last_mut() {
            *last = residual;
        }
        residual
    }

    fn finish(self, residual: f64) -> CgSolution {
        let Run { x, iterations, history, coefficients, .. } = self;
        CgSolution { x, iterations, residual, history, coefficients }
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
        matrix.0.apply(&found.x, &mut y);
        let [square, _] = subtract_from(&b, &mut y);
        let norm = square_and_sum(&b)[0].sqrt();
        assert_eq!(square.sqrt() / norm, found.residual);
        assert!(found.residual <= 1e-9);
        // The first run ended with a wrong residual, which was replaced by the true one.
        assert!(found.history.iter().any(|&h| h > 1e-6 && h < 1e-2));
        assert!(found.iterations > found.coefficients.len(), "there was a second run");
    }
}
