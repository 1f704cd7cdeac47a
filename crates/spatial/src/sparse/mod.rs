//! Products with a sparse matrix, and what is made of them.
//!
//! **Problem.** A matrix of n rows with m entries lies on the machine, and so does a vector x; y = A x is
//! to lie where x does. A processor has O(1) words: an entry, or one number of a vector.
//!
//! | | matrix | energy of a product | depth |
//! |---|---|---|---|
//! | [`Sorted`] | any | O((n + m)^1.5) | O(log n), after sorting once |
//! | [`Blocks`] | any; good where rows with entries in common lie close | O(n + m + the distances of entries) | O(log D) with D entries per row |
//!
//! Both compute the same for any matrix. [`follow`] finds an order for blocks, [`conjugate_gradients`] solves
//! with either.
//!
//! ```
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::machine::{Machine, MachineParams};
//! use palmette_spatial::sparse::{Blocks, Placed, SparseMatrix};
//!
//! // Springs in a row, in the order of the row.
//! let n = 100u32;
//! let spring = |i: u32| [(i, i, 2.0), (i, (i + 1) % n, -1.0), ((i + 1) % n, i, -1.0)];
//! let matrix = SparseMatrix::new(100, &(0..n).flat_map(spring).collect::<Vec<_>>())?;
//! let order: Vec<u32> = (0..n).collect();
//! let blocks = Blocks::new(&matrix, &order)?;
//! let curve = CurveKind::Hilbert.fitting(blocks.processors() as u64)?;
//! let params = MachineParams::default();
//! let mut machine = Machine::on_curve(&curve, blocks.processors(), params)?;
//! let x = vec![1.0; 100];
//! let y = blocks.product(&mut machine, "product", blocks.place(&x)?)?;
//! assert_eq!(blocks.vector(&y), matrix.product(&x)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod conjugate_gradients;
mod error;
mod matrix;
mod order;
mod sorted;
#[cfg(test)]
mod tests;

pub use blocks::Blocks;
pub use conjugate_gradients::{Solution, cg_words, conjugate_gradients};
pub use error::SparseError;
pub use matrix::SparseMatrix;
pub use order::follow;
pub use sorted::{Sorted, sorted_words};

use crate::machine::{Machine, Memory};
use palmette_core::named;

named! {
    /// How a matrix lies on a machine.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Placement("method") {
        /// Rows in blocks along the curve, those with common entries close: [`Blocks`].
        #[default]
        Layout = "layout",
        /// Anywhere; sorted once, then scanned: [`Sorted`].
        Sort = "sort",
    }
}

/// A matrix that lies on a machine. Of a vector, the processor that owns a row has the row's number,
/// and all others have 0.
pub trait Placed {
    /// The number of processors of its machine.
    fn processors(&self) -> usize;

    /// The processor that owns each row.
    fn owners(&self) -> &[u32];

    /// The words of a processor for a product, the matrix included.
    fn words(&self) -> usize;

    /// The words of a processor for the matrix.
    fn kept(&self) -> usize;

    /// The words of messages that may wait for a processor that is late to a product: those of all
    /// its programs but the first.
    fn waiting(&self) -> usize;

    /// `A x` by messages; the ledger's phases begin with `name`.
    ///
    /// # Errors
    /// What stops the machine.
    fn product(
        &self,
        machine: &mut Machine,
        name: &str,
        x: Memory<f64>,
    ) -> Result<Memory<f64>, SparseError>;

    /// A vector, given to the owners of its rows.
    ///
    /// # Errors
    /// A vector of another length.
    fn place(&self, x: &[f64]) -> Result<Memory<f64>, SparseError> {
        let owners = self.owners();
        if x.len() != owners.len() {
            return Err(SparseError::Vector { found: x.len(), rows: owners.len() });
        }
        let mut placed = vec![0.0; self.processors()];
        owners.iter().zip(x).for_each(|(&owner, &value)| placed[owner as usize] = value);
        Ok(placed.into())
    }

    /// A vector as its owners have it, by row.
    fn vector(&self, memory: &Memory<f64>) -> Vec<f64> {
        self.owners().iter().map(|&owner| memory.states()[owner as usize]).collect()
    }
}
