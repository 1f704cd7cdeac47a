//! Conjugate gradients: one loop for all matrices and kinds of vectors.
//!
//! **Problem.** A symmetric positive definite matrix `A`, an approximate inverse `M`, a
//! right-hand side `b`; out comes `x` with `‖b − A x‖ ≤ tolerance ‖b‖`.
//!
//! **Method.** The recurrence of Hestenes and Stiefel. When its residual is small enough, the
//! true one is computed; where rounding has driven them apart, the iteration starts again from
//! the true residual, until a few starts in a row have not halved it.
//!
//! **Determinism.** The loop computes `α` and `β`. All else, and so the order of additions, is
//! up to the [`CgVectors`]: arrays in memory (`graph/src/solve`), or parts of a mesh on ranks
//! (`mesh/src/spmv/solve`).
//!
//! **Reference.** Hestenes and Stiefel, *Methods of conjugate gradients for solving linear
//! systems*, 1952; Saad, *Iterative methods for sparse linear systems*, 2003, section 6.7
//! (the tridiagonal matrix behind the coefficients).
//!
//! **When not to use.** With a preconditioner that changes from step to step.

use crate::Cancel;
use thiserror::Error;

/// Starts in a row that may fail to halve the residual.
const PATIENCE: usize = 4;

/// When conjugate gradients stop.
#[derive(Debug, Clone, PartialEq)]
pub struct CgParams {
    /// Relative residual to reach.
    pub tolerance: f64,
    /// The most iterations.
    pub max_iterations: usize,
    /// Ends the iterations early.
    pub cancel: Option<Cancel>,
}

impl CgParams {
    /// Checks the tolerance and the limit on iterations.
    ///
    /// # Errors
    /// [`CgError::Tolerance`], [`CgError::NoIterations`].
    pub fn check(&self) -> Result<(), CgError> {
        let tolerance = self.tolerance;
        match self.max_iterations {
            _ if !(tolerance > 0.0 && tolerance < 1.0) => Err(CgError::Tolerance { tolerance }),
            0 => Err(CgError::NoIterations),
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

/// Why conjugate gradients found no solution.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum CgError {
    /// A tolerance that no residual can meet, or every one.
    #[error("the tolerance must be a number between 0 and 1, not {tolerance}")]
    Tolerance { tolerance: f64 },
    /// No iterations are allowed.
    #[error("the limit on iterations must be at least 1")]
    NoIterations,
    /// The solve was cancelled.
    #[error("cancelled after {iterations} iterations")]
    Cancelled { iterations: usize },
    /// The residual did not get small enough. The history has the relative residual before the
    /// first and after each iteration.
    #[error(
        "did not converge: after {iterations} iterations the relative residual is {residual:.3e}, \
        above {tolerance:e}"
    )]
    NotConverged { iterations: usize, residual: f64, tolerance: f64, history: Vec<f64> },
    /// The iteration cannot go on: matrix or preconditioner is not positive definite to
    /// working precision.
    #[error(
        "breakdown in iteration {iterations}: {what} is {value:e}; the relative residual is \
        {residual:.3e}"
    )]
    Breakdown { iterations: usize, residual: f64, what: &'static str, value: f64 },
}

/// The vectors of a solve: the solution `x`, the residual `r`, `z = M r`, the direction `p`,
/// and `q = A p`. Residuals are relative to the right-hand side.
pub trait CgVectors {
    /// Why a vector cannot be computed, or the solve ends.
    type Error: From<CgError>;

    /// `z = M r`; returns `r · z`.
    ///
    /// # Errors
    /// Those of the vectors.
    fn precondition(&mut self) -> Result<f64, Self::Error>;

    /// `p = z + β p`; without `β`, `p = z`.
    fn turn(&mut self, beta: Option<f64>);

    /// `q = A p`; returns `p · q`.
    ///
    /// # Errors
    /// Those of the vectors.
    fn curvature(&mut self) -> Result<f64, Self::Error>;

    /// `x += α p` and `r −= α q`; returns the residual.
    ///
    /// # Errors
    /// Those of the vectors.
    fn step(&mut self, alpha: f64) -> Result<f64, Self::Error>;

    /// `r = b − A x`; returns the residual.
    ///
    /// # Errors
    /// Those of the vectors.
    fn true_residual(&mut self) -> Result<f64, Self::Error>;
}

/// A product that should have been positive, and its value.
type Broken = (&'static str, f64);

/// Iterations under way.
#[derive(Debug)]
pub struct Cg<V> {
    /// The vectors.
    pub vectors: V,
    /// Iterations done.
    pub iterations: usize,
    /// The residual of the start and after each iteration: the recurrence's, and the true one
    /// where it was computed.
    pub history: Vec<f64>,
    /// The coefficients `(α, β)` of the first run of the recurrence.
    pub coefficients: Vec<(f64, f64)>,
    /// `r · z` of the step before; nothing where the recurrence starts.
    before: Option<f64>,
    runs: usize,
}

impl<V: CgVectors> Cg<V> {
    /// Before the first iteration, with a residual of `start`.
    pub fn new(vectors: V, start: f64) -> Cg<V> {
        let (history, coefficients) = (vec![start], Vec::new());
        Cg { vectors, iterations: 0, history, coefficients, before: None, runs: 0 }
    }

    /// Iterates until the true residual is small; returns it.
    ///
    /// # Errors
    /// Those of [`CgError`] but for the first two, and those of the vectors.
    pub fn solve(&mut self, params: &CgParams) -> Result<f64, V::Error> {
        let tolerance = params.tolerance;
        let mut last = self.history[0];
        let mut in_vain = 0;
        loop {
            let broken = self.iterate(params)?;
            let iterations = self.iterations;
            if params.is_cancelled() {
                return Err(CgError::Cancelled { iterations }.into());
            }
            self.before = None;
            let residual = self.vectors.true_residual()?;
            *self.history.last_mut().expect("never empty") = residual;
            if residual <= tolerance {
                return Ok(residual);
            }
            // NaN is no progress either.
            let halved = residual < 0.5 * last;
            in_vain = if halved { 0 } else { in_vain + 1 };
            let stuck = residual.is_nan()
                || in_vain >= PATIENCE
                || (!halved && (broken.is_some() || residual >= self.history[0]));
            match broken {
                Some((what, value)) if stuck => {
                    return Err(CgError::Breakdown { iterations, residual, what, value }.into());
                }
                _ if stuck || iterations >= params.max_iterations => {
                    let history = std::mem::take(&mut self.history);
                    let error = CgError::NotConverged { iterations, residual, tolerance, history };
                    return Err(error.into());
                }
                _ => last = residual.min(last),
            }
        }
    }

    /// Runs the recurrence until its residual is small, it breaks down (says where), it is
    /// cancelled or the iterations are used up; then it may go on with more.
    ///
    /// # Errors
    /// Those of the vectors.
    pub fn iterate(&mut self, params: &CgParams) -> Result<Option<Broken>, V::Error> {
        let vectors = &mut self.vectors;
        let good = |value: f64| value > 0.0 && value.is_finite();
        self.runs += usize::from(self.before.is_none());
        let reached = |history: &[f64]| history.last().is_some_and(|r| *r <= params.tolerance);
        if self.before.is_some() && reached(&self.history) {
            return Ok(None);
        }
        while self.iterations < params.max_iterations && !params.is_cancelled() {
            let product = vectors.precondition()?;
            if !good(product) {
                return Ok(Some(("the residual's preconditioned square", product)));
            }
            let beta = self.before.map(|before| product / before);
            self.before = Some(product);
            vectors.turn(beta);
            let curvature = vectors.curvature()?;
            if !good(curvature) {
                return Ok(Some(("the direction's square by the matrix", curvature)));
            }
            let alpha = product / curvature;
            let residual = vectors.step(alpha)?;
            if self.runs == 1 {
                self.coefficients.push((alpha, beta.unwrap_or(0.0)));
            }
            self.iterations += 1;
            self.history.push(residual);
            if residual <= params.tolerance || !residual.is_finite() {
                break;
            }
        }
        Ok(None)
    }
}
