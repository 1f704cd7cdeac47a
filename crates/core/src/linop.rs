//! Linear operators: what an iterative method sees of a matrix.

/// A square matrix that is known by what it does to a vector. Matrices, their
/// approximate inverses (preconditioners) and compositions of these are all linear
/// operators.
pub trait LinOp: Sync {
    /// The number of rows and columns.
    fn size(&self) -> usize;

    /// Writes the product with `x` to `y`; both have [`LinOp::size`] entries. The same
    /// `x` gives the same bits on any number of threads.
    fn apply(&self, x: &[f64], y: &mut [f64]);

    /// Writes `b − A x` to `r`. A matrix that can do so with a smaller rounding error than that
    /// of its product should: it decides how small residuals can get.
    fn residual(&self, x: &[f64], b: &[f64], r: &mut [f64]) {
        self.apply(x, r);
        r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    }
}

/// The matrix that changes nothing.
#[derive(Debug, Clone, Copy)]
pub struct Identity(
    /// The number of rows and columns.
    pub usize,
);

impl LinOp for Identity {
    fn size(&self) -> usize {
        self.0
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.copy_from_slice(x);
    }
}
