//! Z-order: the bits of x and y take turns.

use super::walk::Walk;
use crate::cell::Cell;

/// Bit `i` to bit `2i`.
#[inline]
pub(super) const fn spread(bits: u32) -> u64 {
    let v = bits as u64;
    let v = (v | v << 16) & 0x0000_ffff_0000_ffff;
    let v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
    let v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let v = (v | v << 2) & 0x3333_3333_3333_3333;
    (v | v << 1) & 0x5555_5555_5555_5555
}

/// Bit `2i` to bit `i`.
#[inline]
pub(super) const fn squeeze(bits: u64) -> u32 {
    let v = bits & 0x5555_5555_5555_5555;
    let v = (v | v >> 1) & 0x3333_3333_3333_3333;
    let v = (v | v >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
    let v = (v | v >> 4) & 0x00ff_00ff_00ff_00ff;
    let v = (v | v >> 8) & 0x0000_ffff_0000_ffff;
    (v | v >> 16) as u32
}

/// Z-order of any size.
#[derive(Clone, Copy)]
pub(super) struct Z;

impl Walk for Z {
    #[inline]
    fn cell(self, index: u64) -> Cell {
        Cell { x: squeeze(index), y: squeeze(index >> 1) }
    }

    #[inline]
    fn index(self, cell: Cell) -> u64 {
        spread(cell.x) | spread(cell.y) << 1
    }
}
