//! **Problem.** `A x = b` with a symmetric positive definite matrix.
//!
//! **Method.** Conjugate gradients, plain or preconditioned by the diagonal (Jacobi). The
//! right-hand side is partial, as loads come from elements. When the recurrence says that the
//! residual is small the true one is computed; where both differ too much, the iteration
//! starts again from there. When that no longer halves the residual, it is an error.
//!
//! **Cost.** An iteration: one product with one assembly, and two sums over all parts; with
//! the diagonal two of the numbers go into one sum. Nothing is allocated but the history.
//!
//! **Determinism.** The same bits on any number of threads and ranks.
//!
//! **Reference.** Hestenes and Stiefel, *Methods of conjugate gradients for solving linear
//! systems*, 1952.

use crate::spmv::{Full, Matrix, Partial, Product, Traffic, Transport, Vector, World, WorldError};

/// Options of [`conjugate_gradients`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CgParams {
    /// The residual to reach, relative to the right-hand side.
    pub tolerance: f64,
    /// The most iterations.
    pub max_iterations: usize,
}

impl Default for CgParams {
    fn default() -> Self {
        CgParams { tolerance: 1e-8, max_iterations: 10_000 }
    }
}

/// How an iteration went.
#[derive(Debug, Clone, PartialEq)]
pub struct CgResult {
    /// Iterations done.
    pub iterations: usize,
    /// The true relative residual.
    pub residual: f64,
    /// Relative residuals: that of the start, then of every iteration.
    pub history: Vec<f64>,
    /// Messages and words of all parts.
    pub traffic: Traffic,
}

/// Solves `A x = b` from the `x` that is given; see the file. With `diagonal`, the assembled
/// diagonal of `A`, residuals are divided by it.
///
/// # Errors
/// [`WorldError::NotConverged`] with what was reached, [`WorldError::Breakdown`] when a number
/// that must be positive is not, or a rank that cannot be reached.
///
/// # Panics
/// When something is not of this world.
pub fn conjugate_gradients<T: Transport>(
    world: &mut World<T>,
    a: &Matrix,
    diagonal: Option<&Vector<Full>>,
    b: &Vector<Partial>,
    x: &mut Vector<Full>,
    params: &CgParams,
) -> Result<CgResult, WorldError> {
    let before = world.traffic();
    let mut r = world.full(0.0);
    world.assemble_into(b, &mut r)?;
    let norm = world.norm(&r)?;
    let vector = || world.full(0.0);
    let (z, p, q) = (diagonal.map(|_| vector()), vector(), vector());
    let mut run = Run { a, diagonal, b, norm, r, z, p, q, iterations: 0, history: Vec::new() };
    let mut last = f64::INFINITY;
    loop {
        let residual = run.true_residual(world, x)?;
        run.history.push(residual);
        let iterations = run.iterations;
        if residual <= params.tolerance {
            let traffic = world.traffic().since(&before);
            return Ok(CgResult { iterations, residual, history: run.history, traffic });
        }
        // Not a number is no progress, either.
        let stuck = residual.is_nan() || residual > 0.5 * last;
        if stuck || iterations >= params.max_iterations {
            let tolerance = params.tolerance;
            return Err(WorldError::NotConverged { iterations, residual, tolerance });
        }
        last = residual;
        run.iterate(world, x, params)?;
        // The true residual takes the place of the recurrence's.
        run.history.pop();
    }
}

struct Run<'a> {
    a: &'a Matrix,
    diagonal: Option<&'a Vector<Full>>,
    b: &'a Vector<Partial>,
    norm: f64,
    r: Vector<Full>,
    /// The residual divided by the diagonal, if there is one.
    z: Option<Vector<Full>>,
    p: Vector<Full>,
    q: Vector<Full>,
    iterations: usize,
    history: Vec<f64>,
}

impl Run<'_> {
    /// `r = b − A x`, assembled; its norm relative to that of `b`.
    fn true_residual<T: Transport>(
        &mut self,
        world: &mut World<T>,
        x: &Vector<Full>,
    ) -> Result<f64, WorldError> {
        let product = Product { scale: -1.0, matrix: self.a, vector: x };
        world.multiply_assembled(&[product], &[(1.0, self.b)], &mut self.r)?;
        let square = world.norm(&self.r)?;
        Ok(relative(square, self.norm))
    }

    /// Runs the recurrence until its residual is small or the iterations are used up.
    fn iterate<T: Transport>(
        &mut self,
        world: &mut World<T>,
        x: &mut Vector<Full>,
        params: &CgParams,
    ) -> Result<(), WorldError> {
        let [mut rho, _] = self.precondition(world)?;
        world.copy(self.z.as_ref().unwrap_or(&self.r), &mut self.p);
        while self.iterations < params.max_iterations {
            let product = Product { scale: 1.0, matrix: self.a, vector: &self.p };
            world.multiply_assembled(&[product], &[], &mut self.q)?;
            let curvature = world.dot(&self.q, &self.p)?;
            self.positive("the direction's square by the matrix", curvature)?;
            self.positive("the residual's preconditioned square", rho)?;
            let alpha = rho / curvature;
            world.combine(1.0, &[(alpha, &self.p)], x);
            world.combine(1.0, &[(-alpha, &self.q)], &mut self.r);
            self.iterations += 1;
            let [next, square] = self.precondition(world)?;
            let residual = relative(square.sqrt(), self.norm);
            self.history.push(residual);
            if residual <= params.tolerance || !residual.is_finite() {
                break;
            }
            let beta = next / rho;
            rho = next;
            world.combine(beta, &[(1.0, self.z.as_ref().unwrap_or(&self.r))], &mut self.p);
        }
        Ok(())
    }

    /// `z = r ∕ diagonal`; `[r · z, r · r]`.
    fn precondition<T: Transport>(&mut self, world: &mut World<T>) -> Result<[f64; 2], WorldError> {
        match (&mut self.z, self.diagonal) {
            (Some(z), Some(diagonal)) => {
                world.divide(&self.r, diagonal, z);
                let r = &self.r;
                world.dots([(r.into(), &*z), (r.into(), r)])
            }
            _ => {
                let square = world.dot(&self.r, &self.r)?;
                Ok([square, square])
            }
        }
    }

    fn positive(&self, what: &'static str, value: f64) -> Result<(), WorldError> {
        if value > 0.0 && value.is_finite() {
            return Ok(());
        }
        let residual = self.history.last().copied().unwrap_or(f64::NAN);
        Err(WorldError::Breakdown { iterations: self.iterations, residual, what, value })
    }
}

/// A zero right-hand side is measured by itself.
fn relative(norm: f64, of: f64) -> f64 {
    if of == 0.0 { norm } else { norm / of }
}
