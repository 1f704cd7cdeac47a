//! The diagonal as a preconditioner.
//!
//! **Problem.** `z = r / diagonal`, entry by entry.
//!
//! **Method.** Reciprocals are kept; that of an isolated vertex is 0.
//!
//! **Cost.** One pass; 8 bytes per vertex.
//!
//! **Determinism.** Entries do not depend on each other.
//!
//! **When not to use.** On large graphs of low dimension: iterations grow with the diameter.

use super::vectors::BLOCK;
use crate::Laplacian;
use palmette_core::LinOp;
use rayon::prelude::*;

/// The inverse of the diagonal.
#[derive(Debug, Clone)]
pub struct Jacobi {
    reciprocals: Vec<f64>,
}

impl Jacobi {
    /// The inverse of a Laplacian's diagonal.
    pub fn new(laplacian: &Laplacian<'_>) -> Self {
        let reciprocal = |&d: &f64| if d > 0.0 { 1.0 / d } else { 0.0 };
        Jacobi { reciprocals: laplacian.diagonal().iter().map(reciprocal).collect() }
    }
}

impl LinOp for Jacobi {
    fn size(&self) -> usize {
        self.reciprocals.len()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let from = x.par_chunks(BLOCK).zip(self.reciprocals.par_chunks(BLOCK));
        y.par_chunks_mut(BLOCK).zip(from).for_each(|(y, (x, d))| {
            y.iter_mut().zip(x.iter().zip(d)).for_each(|(y, (x, d))| *y = x * d);
        });
    }
}
