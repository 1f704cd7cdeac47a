//! Conjugate gradients by messages.
//!
//! **Problem.** A symmetric positive definite matrix that is [placed](Placed), a right-hand side at the
//! owners of its rows; out comes `x` with `‖b − A x‖ ≤ tolerance ‖b‖`.
//!
//! **Method.** The recurrence of `palmette_core::conjugate_gradients`. A vector's number is where its row's
//! owner is; inner products are sums over the whole machine that everyone hears. So every processor
//! knows `α`, `β` and the residual, and would stop by itself: the host, which starts one program after
//! another, only follows what all of them know.
//!
//! **Cost.** An iteration takes a product and two sums: the product's energy and 7.4 N on N processors, on
//! Hilbert's curve; the product's depth and 2 log2 N + 4. [`cg_words`] words.
//!
//! **Determinism.** Sums are bracketed by the tree of all addresses: the same bits under all delays.
//!
//! **Reference.** Hestenes and Stiefel, 1952.

use super::{Placed, SparseError};
use crate::collective::{Range, all_reduce, reduce_words};
use crate::machine::{Machine, Memory, most_words, words_of};
use crate::plain;
use palmette_core::CgParams;
use palmette_core::conjugate_gradients::{Cg, CgVectors};
use palmette_core::operator::Sum;

plain! {
    /// A row of all vectors, and what everyone knows.
    #[derive(Debug, Clone, Copy)]
    struct Row {
        b: f64,
        x: f64,
        r: f64,
        p: f64,
        q: f64,
        /// r · r, the one before, and p · q.
        square: f64,
        before: f64,
        curvature: f64,
        /// b · b.
        whole: f64,
    }
}

/// The words of a processor. Whoever has heard a sum goes on, so that messages of the next product and
/// of the next sum may wait for those who have not.
pub fn cg_words(matrix: &impl Placed) -> usize {
    let sum = reduce_words::<Sum<f64>>();
    words_of::<Row>() + most_words([matrix.words(), matrix.kept() + sum]) + matrix.waiting() + sum
}

/// A solution, and how it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The solution, at the owners of its rows.
    pub x: Memory<f64>,
    /// Iterations.
    pub iterations: usize,
    /// The relative residual.
    pub residual: f64,
    /// The residual at the start and after each iteration.
    pub history: Vec<f64>,
}

struct Vectors<'m, A> {
    machine: &'m mut Machine,
    matrix: &'m A,
    name: &'m str,
    rows: Memory<Row>,
}

impl<A: Placed> Vectors<'_, A> {
    /// The sum of a number of every row, which all processors hear.
    fn sum(&mut self, what: fn(u32, Row) -> f64) -> Result<Memory<f64>, SparseError> {
        let all = Range::new(0, self.machine.processors() as u32);
        let name = format!("{}: inner product", self.name);
        let terms = self.rows.clone().map(what);
        let machine = &mut *self.machine.keep(&self.rows);
        let machine = &mut *machine.keep_words(self.matrix.kept());
        Ok(all_reduce(machine, &name, Sum::new(), all, terms)?)
    }

    /// q = A times something.
    fn multiply(&mut self, with: fn(u32, Row) -> f64) -> Result<(), SparseError> {
        let vector = self.rows.clone().map(with);
        let q = self.matrix.product(&mut self.machine.keep(&self.rows), self.name, vector)?;
        self.update(q, |_, (row, q)| Row { q, ..row });
        Ok(())
    }

    fn update(&mut self, news: Memory<f64>, change: fn(u32, (Row, f64)) -> Row) {
        self.rows = self.rows.clone().beside(news).map(change);
    }

    fn change(&mut self, change: fn(u32, Row) -> Row) {
        self.rows = self.rows.clone().map(change);
    }

    /// What the first processor knows, as all do.
    fn known(&self, what: fn(&Row) -> f64) -> f64 {
        self.rows.states().first().map_or(0.0, what)
    }

    /// r · r, and the residual.
    fn residual(&mut self) -> Result<f64, SparseError> {
        let squares = self.sum(|_, row| row.r * row.r)?;
        self.update(squares, |_, (row, square)| Row { square, before: row.square, ..row });
        Ok(self.known(|row| (row.square / row.whole).sqrt()))
    }
}

impl<A: Placed> CgVectors for Vectors<'_, A> {
    type Error = SparseError;

    fn precondition(&mut self) -> Result<f64, SparseError> {
        Ok(self.known(|row| row.square))
    }

    fn turn(&mut self, beta: Option<f64>) {
        match beta {
            None => self.change(|_, row| Row { p: row.r, ..row }),
            // Every processor computes β by itself.
            Some(_) => {
                self.change(|_, row| Row { p: row.r + row.square / row.before * row.p, ..row });
            }
        }
    }

    fn curvature(&mut self) -> Result<f64, SparseError> {
        self.multiply(|_, row| row.p)?;
        let products = self.sum(|_, row| row.p * row.q)?;
        self.update(products, |_, (row, curvature)| Row { curvature, ..row });
        Ok(self.known(|row| row.curvature))
    }

    fn step(&mut self, _alpha: f64) -> Result<f64, SparseError> {
        self.change(|_, row| {
            let alpha = row.square / row.curvature;
            Row { x: row.x + alpha * row.p, r: row.r - alpha * row.q, ..row }
        });
        self.residual()
    }

    fn true_residual(&mut self) -> Result<f64, SparseError> {
        self.multiply(|_, row| row.x)?;
        self.change(|_, row| Row { r: row.b - row.q, ..row });
        self.residual()
    }
}

/// Solves by messages; the ledger's phases begin with `name`.
///
/// # Errors
/// Parameters that cannot be met, a matrix that is not positive definite, too few iterations, and what
/// stops the machine.
pub fn conjugate_gradients<A: Placed>(
    machine: &mut Machine,
    name: &str,
    matrix: &A,
    b: Memory<f64>,
    params: &CgParams,
) -> Result<Solution, SparseError> {
    params.check()?;
    let rows = b.map(|_, b| Row {
        b,
        x: 0.0,
        r: b,
        p: 0.0,
        q: 0.0,
        square: 0.0,
        before: 0.0,
        curvature: 0.0,
        whole: 0.0,
    });
    let mut vectors = Vectors { machine, matrix, name, rows };
    let squares = vectors.sum(|_, row| row.b * row.b)?;
    vectors.update(squares, |_, (row, whole)| Row { whole, square: whole, ..row });
    if vectors.known(|row| row.whole) == 0.0 {
        let x = vectors.rows.map(|_, row| row.x);
        return Ok(Solution { x, iterations: 0, residual: 0.0, history: vec![0.0] });
    }
    let mut cg = Cg::new(vectors, 1.0);
    let residual = cg.solve(params)?;
    let Cg { vectors, iterations, history, .. } = cg;
    Ok(Solution { x: vectors.rows.map(|_, row| row.x), iterations, residual, history })
}
