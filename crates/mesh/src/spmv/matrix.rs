//! A matrix in pieces, its rows split into those that an exchange waits for and the others.

use super::blocks::{Block, cut};
use super::{Csr, WorldError};
use std::ops::Range;

/// Entries that a thread takes at once.
const ENTRIES: usize = 1 << 15;

/// A matrix by pieces, each with rows of its own: what the elements of the part contribute
/// ([`World::matrix`](super::World::matrix)), or the rows of its nodes
/// ([`RowWorld::matrix`](super::RowWorld::matrix)).
#[derive(Debug, Clone)]
pub struct Matrix {
    pieces: Vec<Csr>,
    /// Rows that an exchange waits for, or that wait for an exchange.
    pub(super) border: Vec<Block>,
    /// Rows that have nothing to do with one.
    pub(super) inside: Vec<Block>,
    /// Both.
    pub(super) all: Vec<Block>,
}

/// The unknowns of a piece.
pub(super) struct Extent {
    pub(super) part: u32,
    /// Where they begin in vectors.
    pub(super) start: usize,
    /// How many they are.
    pub(super) unknowns: usize,
    /// Rows at the border of the piece.
    pub(super) border: Range<usize>,
    /// The other rows.
    pub(super) inside: Range<usize>,
}

impl Matrix {
    pub(super) fn new(matrices: Vec<Csr>, extents: &[Extent]) -> Result<Matrix, WorldError> {
        if matrices.len() != extents.len() {
            let (expected, found) = (extents.len(), matrices.len());
            return Err(WorldError::Matrices { expected, found });
        }
        let (mut border, mut inside, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (matrix, extent)) in matrices.iter().zip(extents).enumerate() {
            let (part, expected, found) = (extent.part, extent.unknowns, matrix.rows());
            if expected != found {
                return Err(WorldError::Matrix { part, expected, found });
            }
            // A row costs something even without entries.
            let weight = |row: usize| matrix.offsets()[row] as usize + row;
            let both = extent.border.start.min(extent.inside.start)
                ..extent.border.end.max(extent.inside.end);
            cut(i, extent.start, extent.border.clone(), ENTRIES, weight, &mut border);
            cut(i, extent.start, extent.inside.clone(), ENTRIES, weight, &mut inside);
            cut(i, extent.start, both, ENTRIES, weight, &mut all);
        }
        let pieces = matrices.into_iter().map(Csr::on_huge_pages).collect();
        Ok(Matrix { pieces, border, inside, all })
    }

    /// The matrix of each piece of this process.
    pub fn pieces(&self) -> &[Csr] {
        &self.pieces
    }
}
