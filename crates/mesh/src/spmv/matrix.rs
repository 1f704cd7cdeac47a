//! A matrix in pieces, its rows split into those that an exchange waits for and the others.

use super::blocks::{Block, cut};
use super::{Csr, Piece, WorldError};

/// Entries that a thread takes at once.
const ENTRIES: usize = 1 << 15;

/// A matrix by pieces, each with what the elements of the part contribute: see
/// [`World::matrix`](super::World::matrix).
#[derive(Debug, Clone)]
pub struct Matrix {
    pieces: Vec<Csr>,
    /// Rows of shared nodes, which an exchange waits for.
    pub(super) border: Vec<Block>,
    /// The other rows.
    pub(super) inside: Vec<Block>,
    /// Both.
    pub(super) all: Vec<Block>,
}

impl Matrix {
    /// `starts` are where the unknowns of each piece begin in vectors.
    pub(super) fn new(
        matrices: Vec<Csr>,
        pieces: &[Piece],
        starts: &[usize],
        components: usize,
    ) -> Result<Matrix, WorldError> {
        if matrices.len() != pieces.len() {
            let (expected, found) = (pieces.len(), matrices.len());
            return Err(WorldError::Matrices { expected, found });
        }
        let (mut border, mut inside, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (i, (matrix, piece)) in matrices.iter().zip(pieces).enumerate() {
            let (expected, found) = (components * piece.nodes.len(), matrix.rows());
            if expected != found {
                return Err(WorldError::Matrix { part: piece.part, expected, found });
            }
            // A row costs something even without entries.
            let weight = |row: usize| matrix.offsets()[row] as usize + row;
            let shared = components * piece.shared;
            cut(i, starts[i], 0..shared, ENTRIES, weight, &mut border);
            cut(i, starts[i], shared..found, ENTRIES, weight, &mut inside);
            cut(i, starts[i], 0..found, ENTRIES, weight, &mut all);
        }
        let pieces = matrices.into_iter().map(Csr::on_huge_pages).collect();
        Ok(Matrix { pieces, border, inside, all })
    }

    /// The matrix of each piece of this process.
    pub fn pieces(&self) -> &[Csr] {
        &self.pieces
    }
}
