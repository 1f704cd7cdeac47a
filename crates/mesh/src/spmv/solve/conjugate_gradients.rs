//! **Problem.** `A x = b` with a symmetric positive definite matrix.
//!
//! **Method.** Conjugate gradients, plain or preconditioned by the diagonal (Jacobi), on vectors
//! in parts; the loop is that of [`palmette_core::conjugate_gradients`]. The right-hand side is
//! partial, as loads come from elements.
//!
//! **Cost.** An iteration: one product with one assembly, and two sums over all parts; with
//! the diagonal two of the numbers go into one sum. Nothing is allocated but the history.
//!
//! **Determinism.** The same bits on any number of threads and ranks.

use crate::spmv::{Full, Matrix, Partial, Product, Traffic, Transport, Vector, World, WorldError};
use palmette_core::conjugate_gradients::{Cg, CgParams, CgVectors};

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
/// [`WorldError::Iteration`], or a rank that cannot be reached.
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
    params.check()?;
    let before = world.traffic();
    let mut r = world.full(0.0);
    world.assemble_into(b, &mut r)?;
    let norm = world.norm(&r)?;
    let vector = || world.full(0.0);
    let (z, p, q) = (diagonal.map(|_| vector()), vector(), vector());
    let mut vectors = Vectors { world, a, diagonal, b, norm, x, r, z, p, q, rho: None };
    let start = vectors.true_residual()?;
    let mut run = Cg::new(vectors, start);
    let residual = if start <= params.tolerance { start } else { run.solve(params)? };
    let Cg { vectors, iterations, history, .. } = run;
    let traffic = vectors.world.traffic().since(&before);
    Ok(CgResult { iterations, residual, history, traffic })
}

struct Vectors<'a, T: Transport> {
    world: &'a mut World<T>,
    a: &'a Matrix,
    diagonal: Option<&'a Vector<Full>>,
    b: &'a Vector<Partial>,
    norm: f64,
    x: &'a mut Vector<Full>,
    r: Vector<Full>,
    /// The residual divided by the diagonal, if there is one.
    z: Option<Vector<Full>>,
    p: Vector<Full>,
    q: Vector<Full>,
    /// `r · z` where a step has computed it already.
    rho: Option<f64>,
}

impl<T: Transport> Vectors<'_, T> {
    /// `z = r ∕ diagonal`; `[r · z, r · r]` by one sum over all parts.
    fn divide(&mut self) -> Result<[f64; 2], WorldError> {
        match (&mut self.z, self.diagonal) {
            (Some(z), Some(diagonal)) => {
                self.world.divide(&self.r, diagonal, z);
                let r = &self.r;
                self.world.dots([(r.into(), &*z), (r.into(), r)])
            }
            _ => {
                let square = self.world.dot(&self.r, &self.r)?;
                Ok([square, square])
            }
        }
    }

    /// A zero right-hand side is measured by itself.
    fn relative(&self, norm: f64) -> f64 {
        if self.norm == 0.0 { norm } else { norm / self.norm }
    }
}

impl<T: Transport> CgVectors for Vectors<'_, T> {
    type Error = WorldError;

    fn precondition(&mut self) -> Result<f64, WorldError> {
        match self.rho.take() {
            Some(rho) => Ok(rho),
            None => Ok(self.divide()?[0]),
        }
    }

    fn turn(&mut self, beta: Option<f64>) {
        let z = self.z.as_ref().unwrap_or(&self.r);
        match beta {
            Some(beta) => self.world.combine(beta, &[(1.0, z)], &mut self.p),
            None => self.world.copy(z, &mut self.p),
        }
    }

    fn curvature(&mut self) -> Result<f64, WorldError> {
        let product = Product { scale: 1.0, matrix: self.a, vector: &self.p };
        self.world.multiply_assembled(&[product], &[], &mut self.q)?;
        self.world.dot(&self.q, &self.p)
    }

    fn step(&mut self, alpha: f64) -> Result<f64, WorldError> {
        self.world.combine(1.0, &[(alpha, &self.p)], self.x);
        self.world.combine(1.0, &[(-alpha, &self.q)], &mut self.r);
        let [rho, square] = self.divide()?;
        self.rho = Some(rho);
        Ok(self.relative(square.sqrt()))
    }

    fn true_residual(&mut self) -> Result<f64, WorldError> {
        self.rho = None;
        let product = Product { scale: -1.0, matrix: self.a, vector: &*self.x };
        self.world.multiply_assembled(&[product], &[(1.0, self.b)], &mut self.r)?;
        let norm = self.world.norm(&self.r)?;
        Ok(self.relative(norm))
    }
}
