//! Row by row: always from the left, or there and back.

use super::walk::{Walk, in_blocks};
use crate::cell::Cell;

/// Rows of a rectangle; every other one backwards when it is serpentine.
#[derive(Clone, Copy)]
pub(super) struct Rows<const SERPENTINE: bool> {
    pub(super) width: u32,
}

impl<const SERPENTINE: bool> Rows<SERPENTINE> {
    #[inline]
    fn column(self, row: u64, step: u32) -> u32 {
        if SERPENTINE && row % 2 == 1 { self.width - 1 - step } else { step }
    }
}

impl<const SERPENTINE: bool> Walk for Rows<SERPENTINE> {
    #[inline]
    fn cell(self, index: u64) -> Cell {
        let width = u64::from(self.width);
        let (row, step) = match u32::try_from(index) {
            // Half the time of the wide division.
            Ok(index) => (u64::from(index / self.width), index % self.width),
            Err(_) => (index / width, (index % width) as u32),
        };
        Cell { x: self.column(row, step), y: row as u32 }
    }

    #[inline]
    fn index(self, cell: Cell) -> u64 {
        let row = u64::from(cell.y);
        row * u64::from(self.width) + u64::from(self.column(row, cell.x))
    }

    fn cells(self, first: u64, out: &mut [Cell]) {
        in_blocks(first, u64::from(self.width), out, |row, from, out| {
            for (cell, step) in out.iter_mut().zip(from as u32..) {
                *cell = Cell { x: self.column(row, step), y: row as u32 };
            }
        });
    }
}
