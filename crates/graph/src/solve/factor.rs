//! An exact sparse Cholesky factor.
//!
//! **Problem.** `(L + D)⁻¹ r`, to rounding, for many `r`.
//!
//! **Method.** The heaviest vertex of each floating component is held at potential 0. The
//! others are scaled to a diagonal of ones, ordered by approximate minimum degree and
//! factored by `faer`, supernode by supernode when there is much fill, column by column
//! otherwise. A pivot that rounding has left below 1e-15 is set to 1e-15: with weights that
//! differ by more than 15 digits the factor is then a preconditioner and not the inverse,
//! and conjugate gradients do the rest. `order` bounds the entries of the factor, the
//! symbolic analysis says them exactly; both are compared with the limit on memory before
//! anything is allocated for them.
//!
//! **Cost.** The fill decides: of order `n log n` entries on plane grids, `n^(4/3)` in space.
//! An application reads all entries twice.
//!
//! **Determinism.** One thread.
//!
//! **Reference.** Amestoy, Davis and Duff, *An approximate minimum degree ordering
//! algorithm*, 1996; Davis, *Direct methods for sparse linear systems*, 2006; El Kazdadi,
//! *faer*, 2023.
//!
//! **When not to use.** On large graphs of three and more dimensions, and on expanders.

use super::SolveError;
use super::scratch::Scratch;
use crate::Laplacian;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltError as Pivoting, LltRegularization};
use faer::perm::PermRef;
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::{
    SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};
use palmette_core::memory::available;
use palmette_core::{Cancel, CgError, LinOp, NONE};
use std::time::Instant;

/// The smallest pivot of a matrix with ones on its diagonal.
const SMALLEST_PIVOT: f64 = 1e-15;

/// Entries that indices of 32 bits with a sign can count.
const MOST_ENTRIES: u64 = i32::MAX as u64;

/// An exact factor of a Laplacian.
#[derive(Debug)]
pub struct Factor {
    size: usize,
    /// By row of the factored matrix, its vertex; ascending, without the vertices held at 0.
    vertices: Vec<u32>,
    /// By row, one over the root of the diagonal.
    scales: Vec<f64>,
    numbers: Option<Numbers>,
    /// Seconds to order and analyse, and to factor.
    seconds: [f64; 2],
    scratch: Scratch,
}

#[derive(Debug)]
struct Numbers {
    symbolic: SymbolicCholesky<u32>,
    values: Vec<f64>,
}

/// The upper triangle by columns.
struct Upper {
    columns: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Factor {
    /// Factors a Laplacian, in at most `memory` bytes for the factor and its making: by default
    /// three quarters of what is available. `cancel` is looked at before each of the stages:
    /// order, analysis, numbers.
    ///
    /// # Errors
    /// [`SolveError::Memory`] or [`SolveError::Entries`] when the factor is too large,
    /// [`SolveError::Pivot`] when numbers overflow; cancelled.
    pub fn new(
        laplacian: &Laplacian<'_>,
        memory: Option<u64>,
        cancel: Option<&Cancel>,
    ) -> Result<Self, SolveError> {
        let memory = allowed(memory);
        let start = Instant::now();
        let vertices = free_vertices(laplacian);
        let diagonal = laplacian.diagonal();
        let scales: Vec<f64> =
            vertices.iter().map(|&v| 1.0 / diagonal[v as usize].sqrt()).collect();
        let scratch = Scratch::new(vertices.len());
        let size = laplacian.size();
        let mut factor =
            Factor { size, vertices, scales, numbers: None, seconds: [0.0; 2], scratch };
        if factor.vertices.is_empty() {
            return Ok(factor);
        }
        check_entries(laplacian.graph().edge_count() as u64 * 12 / 5 + size as u64)?;
        let upper = factor.upper(laplacian);
        let symbolic = analyse(&upper, memory, cancel)?;
        factor.seconds[0] = start.elapsed().as_secs_f64();
        check_cancel(cancel)?;
        let start = Instant::now();
        let values = numbers(&upper, &symbolic, memory).map_err(|error| match error {
            // A row of the permuted matrix becomes a vertex.
            SolveError::Pivot { vertex: row } => {
                let row = symbolic.perm().map_or(row, |perm| perm.arrays().0[row] as usize);
                SolveError::Pivot { vertex: factor.vertices[row] as usize }
            }
            other => other,
        })?;
        factor.numbers = Some(Numbers { symbolic, values });
        factor.seconds[1] = start.elapsed().as_secs_f64();
        Ok(factor)
    }

    /// The number of entries that the factor stores, with its diagonal.
    pub fn entries(&self) -> u64 {
        self.numbers.as_ref().map_or(0, |numbers| numbers.values.len() as u64)
    }

    /// Seconds to order and analyse.
    pub fn order_seconds(&self) -> f64 {
        self.seconds[0]
    }

    /// Seconds to factor.
    pub fn factor_seconds(&self) -> f64 {
        self.seconds[1]
    }

    fn upper(&self, laplacian: &Laplacian<'_>) -> Upper {
        let graph = laplacian.graph();
        let mut row_of = vec![NONE; self.size];
        for (row, &v) in self.vertices.iter().enumerate() {
            row_of[v as usize] = row as u32;
        }
        let most = graph.edge_count() + self.vertices.len();
        let mut upper = Upper {
            columns: Vec::with_capacity(self.vertices.len() + 1),
            rows: Vec::with_capacity(most),
            values: Vec::with_capacity(most),
        };
        upper.columns.push(0);
        for (column, &v) in self.vertices.iter().enumerate() {
            let ends = graph.neighbours(v).iter().zip(graph.weights(v));
            for (&u, &w) in ends.take_while(|(u, _)| **u < v) {
                let row = row_of[u as usize];
                if row != NONE {
                    upper.rows.push(row);
                    upper.values.push(-(w * self.scales[column]) * self.scales[row as usize]);
                }
            }
            upper.rows.push(column as u32);
            upper.values.push(1.0);
            upper.columns.push(upper.rows.len() as u32);
        }
        upper
    }
}

impl LinOp for Factor {
    fn size(&self) -> usize {
        self.size
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        let Some(numbers) = &self.numbers else { return };
        let mut z = self.scratch.take();
        let forward = numbers.symbolic.perm().expect("an order was given").arrays().0;
        for (z, &row) in z.iter_mut().zip(forward) {
            *z = x[self.vertices[row as usize] as usize] * self.scales[row as usize];
        }
        numbers.solve(&mut z);
        for (z, &row) in z.iter().zip(forward) {
            y[self.vertices[row as usize] as usize] = z * self.scales[row as usize];
        }
        self.scratch.give(z);
    }
}

impl Numbers {
    /// Both triangles in place, in the order of elimination.
    fn solve(&self, z: &mut [f64]) {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(symbolic) => {
                // The diagonal is first in its column.
                let (columns, rows) = (symbolic.col_ptr(), symbolic.row_idx());
                let column = |j: usize| columns[j] as usize + 1..columns[j + 1] as usize;
                for j in 0..z.len() {
                    let below = column(j);
                    let own = z[j] / self.values[below.start - 1];
                    z[j] = own;
                    for (&i, &l) in rows[below.clone()].iter().zip(&self.values[below]) {
                        z[i as usize] -= l * own;
                    }
                }
                for j in (0..z.len()).rev() {
                    let below = column(j);
                    let diagonal = self.values[below.start - 1];
                    let entries = rows[below.clone()].iter().zip(&self.values[below]);
                    let sum = entries.fold(0.0, |sum, (&i, &l)| sum + l * z[i as usize]);
                    z[j] = (z[j] - sum) / diagonal;
                }
            }
            SymbolicCholeskyRaw::Supernodal(symbolic) => {
                let mut memory =
                    MemBuffer::new(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
                let n = z.len();
                let z = MatMut::from_column_major_slice_mut(z, n, 1);
                faer::sparse::linalg::cholesky::supernodal::SupernodalLltRef::new(
                    symbolic,
                    &self.values,
                )
                .solve_in_place_with_conj(
                    Conj::No,
                    z,
                    Par::Seq,
                    MemStack::new(&mut memory),
                );
            }
        }
    }
}

/// All vertices but the heaviest of each floating component.
fn free_vertices(laplacian: &Laplacian<'_>) -> Vec<u32> {
    let (components, diagonal) = (laplacian.components(), laplacian.diagonal());
    let held = components.heaviest(|v| diagonal[v as usize]);
    let free = |v: &u32| {
        let c = components.of[*v as usize] as usize;
        !laplacian.floating()[c] || held[c] != *v
    };
    (0..laplacian.size() as u32).filter(free).collect()
}

fn check_entries(entries: u64) -> Result<(), SolveError> {
    let most = MOST_ENTRIES;
    if entries > most { Err(SolveError::Entries { entries, most }) } else { Ok(()) }
}

/// The most bytes for a factor: three quarters of what is available where nobody says.
pub(super) fn allowed(memory: Option<u64>) -> u64 {
    memory.or_else(|| Some(available()? / 4 * 3)).unwrap_or(u64::MAX)
}

fn check_memory(what: &'static str, needed: u64, limit: u64) -> Result<(), SolveError> {
    if needed > limit { Err(SolveError::Memory { what, needed, limit }) } else { Ok(()) }
}

/// Ends work that was cancelled.
pub(super) fn check_cancel(cancel: Option<&Cancel>) -> Result<(), SolveError> {
    match cancel.is_some_and(Cancel::is_raised) {
        true => Err(CgError::Cancelled { iterations: 0 }.into()),
        false => Ok(()),
    }
}

/// Orders, and lays out the factor.
fn analyse(
    upper: &Upper,
    memory: u64,
    cancel: Option<&Cancel>,
) -> Result<SymbolicCholesky<u32>, SolveError> {
    check_cancel(cancel)?;
    let n = upper.columns.len() - 1;
    let matrix = SymbolicSparseColMatRef::new_checked(n, n, &upper.columns, None, &upper.rows);
    let (mut order, mut place) = (vec![0u32; n], vec![0u32; n]);
    let needed = amd::order_maybe_unsorted_scratch::<u32>(n, upper.rows.len());
    let bytes = needed.unaligned_bytes_required() as u64;
    check_memory("the order of elimination", bytes, memory)?;
    let mut stack = MemBuffer::new(needed);
    let stack = MemStack::new(&mut stack);
    let too_many = |entries: u64| SolveError::Entries { entries, most: MOST_ENTRIES };
    let count =
        amd::order_maybe_unsorted(&mut order, &mut place, matrix, Default::default(), stack)
            .map_err(|_| too_many(upper.rows.len() as u64))?;
    // Approximate degrees are upper bounds, and so is their sum.
    let entries = count.n_div as u64 + n as u64;
    check_entries(entries)?;
    check_memory("the factor", entries * 8, memory)?;
    check_cancel(cancel)?;
    let order = SymmetricOrdering::Custom(PermRef::new_checked(&order, &place, n));
    factorize_symbolic_cholesky(matrix, Side::Upper, order, Default::default())
        .map_err(|_| too_many(entries))
}

/// The numbers of the factor.
fn numbers(
    upper: &Upper,
    symbolic: &SymbolicCholesky<u32>,
    memory: u64,
) -> Result<Vec<f64>, SolveError> {
    let n = symbolic.nrows();
    let needed = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
    let indices = match symbolic.raw() {
        SymbolicCholeskyRaw::Simplicial(simplicial) => simplicial.row_idx().len() as u64 * 4,
        SymbolicCholeskyRaw::Supernodal(supernodal) => supernodal.row_idx().len() as u64 * 4,
    };
    let bytes = needed.unaligned_bytes_required() as u64 + indices + symbolic.len_val() as u64 * 8;
    check_memory("the factor", bytes, memory)?;
    let mut values = vec![0.0; symbolic.len_val()];
    let mut stack = MemBuffer::new(needed);
    let structure = SymbolicSparseColMatRef::new_checked(n, n, &upper.columns, None, &upper.rows);
    let regularization = LltRegularization {
        dynamic_regularization_delta: SMALLEST_PIVOT,
        dynamic_regularization_epsilon: SMALLEST_PIVOT,
    };
    let done = symbolic.factorize_numeric_llt(
        &mut values,
        SparseColMatRef::new(structure, &upper.values),
        Side::Upper,
        regularization,
        Par::Seq,
        MemStack::new(&mut stack),
        Default::default(),
    );
    match done {
        Ok(_) => Ok(values),
        Err(Pivoting::NonPositivePivot { index }) => Err(SolveError::Pivot { vertex: index - 1 }),
    }
}
