//! **Problem.** `z = Σ aᵢ Aᵢ xᵢ + Σ bⱼ yⱼ`, partial or assembled.
//!
//! **Method.** Products of partially assembled matrices are partial, and so are their sums:
//! however many terms there are, one assembly is enough (*delayed assembly*). Where an
//! assembly follows, rows of shared nodes are computed first; their values travel while the
//! other rows are computed.
//!
//! **Cost.** One pass over each matrix. Nothing is allocated. An assembled sum is one exchange:
//! a message to each neighbouring part, a word per shared node and component.
//!
//! **Determinism.** The sum of a row is that of its terms in their order, whoever computes it.

use super::blocks::{Block, for_each};
use super::{Full, Matrix, Partial, Transport, Vector, World, WorldError};

/// A term `scale · A x`.
#[derive(Debug, Clone, Copy)]
pub struct Product<'a> {
    /// The factor.
    pub scale: f64,
    /// The matrix.
    pub matrix: &'a Matrix,
    /// The vector.
    pub vector: &'a Vector<Full>,
}

/// The terms of a sum.
#[derive(Clone, Copy)]
struct Sum<'a> {
    products: &'a [Product<'a>],
    terms: &'a [(f64, &'a Vector<Partial>)],
    starts: &'a [usize],
}

impl Sum<'_> {
    /// The rows of a block.
    fn rows(&self, block: &Block, z: &mut [f64]) {
        let range = block.start..block.start + block.rows.len();
        let mut add = false;
        for product in self.products {
            let own = self.starts[block.piece]..self.starts[block.piece + 1];
            let matrix = &product.matrix.pieces()[block.piece];
            let x = &product.vector.values[own];
            matrix.multiply(block.rows.clone(), product.scale, x, add, z);
            add = true;
        }
        for (scale, y) in self.terms {
            let y = &y.values[range.clone()];
            match add {
                true => z.iter_mut().zip(y).for_each(|(z, y)| *z += scale * y),
                false => z.iter_mut().zip(y).for_each(|(z, y)| *z = scale * y),
            }
            add = true;
        }
    }
}

impl<T: Transport> World<T> {
    /// `y = A x`.
    ///
    /// # Panics
    /// When something is not of this world.
    pub fn product(&self, a: &Matrix, x: &Vector<Full>, y: &mut Vector<Partial>) {
        self.multiply(&[Product { scale: 1.0, matrix: a, vector: x }], &[], y);
    }

    /// `z = Σ aᵢ Aᵢ xᵢ + Σ bⱼ yⱼ`, without communication.
    ///
    /// # Panics
    /// When something is not of this world, or there is no product.
    pub fn multiply(
        &self,
        products: &[Product<'_>],
        terms: &[(f64, &Vector<Partial>)],
        z: &mut Vector<Partial>,
    ) {
        let first = self.check_terms(products, terms, &z.values);
        let sum = Sum { products, terms, starts: &self.starts };
        for_each(&first.all, 0, &mut z.values, &|block, z| sum.rows(block, z));
    }

    /// `z = Σ aᵢ Aᵢ xᵢ + Σ bⱼ yⱼ`, assembled: one exchange, during which the rows of nodes that
    /// are not shared are computed.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When something is not of this world, or there is no product.
    pub fn multiply_assembled(
        &mut self,
        products: &[Product<'_>],
        terms: &[(f64, &Vector<Partial>)],
        z: &mut Vector<Full>,
    ) -> Result<(), WorldError> {
        let first = self.check_terms(products, terms, &z.values);
        let sum = Sum { products, terms, starts: &self.starts };
        let rows = |block: &Block, z: &mut [f64]| sum.rows(block, z);
        let (assembly, transport) = (&mut self.assembly, &mut self.transport);
        if assembly.has_peers() {
            for_each(&first.border, 0, &mut z.values, &rows);
            assembly.begin(&z.values, &self.starts, transport)?;
            for_each(&first.inside, 0, &mut z.values, &rows);
        } else {
            for_each(&first.all, 0, &mut z.values, &rows);
            assembly.begin(&z.values, &self.starts, transport)?;
        }
        assembly.finish(&mut z.values, transport)?;
        self.traffic.add(self.exchange);
        Ok(())
    }

    /// Makes a partial vector full: one exchange. The memory is the same.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When the vector is not of this world.
    pub fn assemble(&mut self, x: Vector<Partial>) -> Result<Vector<Full>, WorldError> {
        let mut full = Vector::new(x.values);
        self.assemble_values(&mut full)?;
        Ok(full)
    }

    /// `to = x`, assembled; `x` is kept.
    ///
    /// # Errors
    /// When a rank cannot be reached.
    ///
    /// # Panics
    /// When a vector is not of this world.
    pub fn assemble_into(
        &mut self,
        x: &Vector<Partial>,
        to: &mut Vector<Full>,
    ) -> Result<(), WorldError> {
        self.check_sizes(&[&x.values, &to.values]);
        self.copy_values(&x.values, &mut to.values);
        self.assemble_values(to)
    }

    fn assemble_values(&mut self, x: &mut Vector<Full>) -> Result<(), WorldError> {
        self.check_sizes(&[&x.values]);
        self.assembly.begin(&x.values, &self.starts, &mut self.transport)?;
        self.assembly.finish(&mut x.values, &mut self.transport)?;
        self.traffic.add(self.exchange);
        Ok(())
    }

    /// Everything is of this world; the first matrix, whose blocks are taken.
    fn check_terms<'a>(
        &self,
        products: &[Product<'a>],
        terms: &[(f64, &Vector<Partial>)],
        z: &[f64],
    ) -> &'a Matrix {
        self.check_sizes(&[z]);
        terms.iter().for_each(|(_, y)| self.check_sizes(&[&y.values]));
        for product in products {
            self.check_sizes(&[&product.vector.values]);
            let rows = product.matrix.pieces().iter().map(|m| m.rows());
            let expected = self.starts.windows(2).map(|w| w[1] - w[0]);
            assert!(rows.eq(expected), "a matrix of this world");
        }
        products.first().expect("a sum has a product").matrix
    }
}
