//! What every engine can do.

use crate::cell::Cell;

/// Both directions of one curve on one grid. Arguments are in range:
/// [`Curve`](super::Curve) has checked them.
pub(super) trait Walk: Copy {
    /// The cell of an index.
    fn cell(self, index: u64) -> Cell;

    /// The index of a cell.
    fn index(self, cell: Cell) -> u64;

    /// The cells of consecutive indices.
    fn cells(self, first: u64, out: &mut [Cell]) {
        for (cell, index) in out.iter_mut().zip(first..) {
            *cell = self.cell(index);
        }
    }

    /// The cells of some indices.
    fn cells_at(self, indices: &[u64], out: &mut [Cell]) {
        for (cell, &index) in out.iter_mut().zip(indices) {
            *cell = self.cell(index);
        }
    }

    /// The indices of some cells.
    fn indices_at(self, cells: &[Cell], out: &mut [u64]) {
        for (index, &cell) in out.iter_mut().zip(cells) {
            *index = self.index(cell);
        }
    }
}

/// Cuts consecutive indices where multiples of a size begin: calls
/// `fill(index / size, index % size, cells)` for each piece.
#[inline]
pub(super) fn in_blocks(
    first: u64,
    size: u64,
    mut out: &mut [Cell],
    mut fill: impl FnMut(u64, usize, &mut [Cell]),
) {
    let (mut block, mut from) = (first / size, first % size);
    while !out.is_empty() {
        let (piece, rest) = out.split_at_mut((out.len() as u64).min(size - from) as usize);
        fill(block, from as usize, piece);
        (block, from, out) = (block + 1, 0, rest);
    }
}
