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
