//! The H-index, all levels at once.
//!
//! **Problem.** Input: an index or a cell of a square of side 2^order. Output: the
//! other, on a closed curve.
//!
//! **Method.** The square is cut along a diagonal into two right triangles, each
//! triangle into four of half the side: digit 0 at the corner where the curve enters,
//! 1 and 2 in the square at the right angle, 3 where it leaves. A triangle fills the
//! upper or lower half of its square, above or below a diagonal. Which diagonal is told
//! by bit `j` of `x ^ y` for a square of side 2^j, which half by comparing the bits
//! below `j` of x, or of its complement, with those of y: by a borrow of a
//! subtraction, hence for all levels at once. The two bits of a digit follow from
//! the halves at its level and the next. Back from the index, diagonals and halves
//! are prefix sums of bits. A square of side 2 belongs to two triangles of two cells:
//! its four cells are dealt out clockwise or counter-clockwise, depending on the
//! parity of its place, and that is the tie of the comparison.
//!
//! **Cost.** Some 50 operations on words from a cell, 80 from an index, at any order;
//! one lookup per cell for consecutive cells.
//!
//! **Reference.** R. Niedermeier, K. Reinhardt, P. Sanders, "Towards optimal locality in
//! mesh-indexings", Discrete Applied Mathematics 117, 2002.

use super::bits::{spread, squeeze};
use super::walk::{Walk, in_blocks};
use crate::cell::Cell;

/// The H-index of an order.
#[derive(Clone, Copy)]
pub(super) struct HIndex {
    order: u32,
}

/// The xor of each bit with all above it.
#[inline]
const fn sums(bits: u32) -> u32 {
    let bits = bits ^ bits >> 1;
    let bits = bits ^ bits >> 2;
    let bits = bits ^ bits >> 4;
    let bits = bits ^ bits >> 8;
    bits ^ bits >> 16
}

impl HIndex {
    #[inline]
    pub(super) const fn new(order: u32) -> Self {
        HIndex { order }
    }

    /// The cell of an index; bit `j` of the other two says whether the square of
    /// side 2^j that has the cell is cut by the falling diagonal, and whether the
    /// cell is in the upper half.
    #[inline]
    const fn trace(self, index: u64) -> (Cell, u32, u32) {
        let inner = (1 << self.order) - 1;
        let (high, low) = (squeeze(index), squeeze(index << 1));
        let turns = (high ^ low) & inner & !1;
        let falling = sums(turns);
        let second = low & !inner;
        let upper = sums(turns & (high ^ falling) | (second ^ (inner + 1)));
        let (above, falling_above) = (upper >> 1, falling >> 1);
        // At a turn the cell is at the right angle, elsewhere where the curve enters or leaves.
        let x = !above ^ (turns & falling_above | !turns & high);
        let y = (x ^ falling) & !1 | above & 1;
        (Cell { x: x & inner, y: y & inner }, falling, upper)
    }
}

/// The 128 cells of a triangle in a square of side 16, as `x << 4 | y`, for the
/// four triangles `2 * falling + upper`.
static TRIANGLES: [[u8; 128]; 4] = triangles();

const fn triangles() -> [[u8; 128]; 4] {
    let mut rows = [[0; 128]; 4];
    let mut index = 0;
    // A square of side 32 has all four.
    while index < 1024 {
        let (cell, falling, upper) = HIndex::new(5).trace(index);
        let row = (falling >> 4 & 1) << 1 | (upper >> 4 & 1);
        rows[row as usize][index as usize % 128] = ((cell.x & 15) << 4 | (cell.y & 15)) as u8;
        index += 1;
    }
    rows
}

impl Walk for HIndex {
    #[inline]
    fn cell(self, index: u64) -> Cell {
        self.trace(index).0
    }

    #[inline]
    fn index(self, cell: Cell) -> u64 {
        let Cell { x, y } = cell;
        let inner = (1 << self.order) - 1;
        let tie = y & 1;
        let above_rising = x.wrapping_sub(y).wrapping_sub(tie) ^ x ^ y;
        let above_falling = (!x).wrapping_sub(y).wrapping_sub(tie) ^ !x ^ y;
        let falling = x ^ y;
        let upper = above_rising & !falling | above_falling & falling;
        let turns = (falling ^ falling >> 1) & !1;
        let high = !(upper >> 1) ^ (turns & !(upper ^ falling) | !turns & x);
        let low = (high ^ turns) & inner | !upper & (inner + 1);
        (spread(high & inner) << 1 | spread(low)) >> 1
    }

    fn cells(self, first: u64, out: &mut [Cell]) {
        if self.order < 4 {
            out.iter_mut().zip(first..).for_each(|(cell, index)| *cell = self.cell(index));
            return;
        }
        in_blocks(first, 128, out, |block, from, out| {
            let (corner, falling, upper) = self.trace(block << 7);
            let row = (falling >> 4 & 1) << 1 | (upper >> 4 & 1);
            let places = &TRIANGLES[row as usize][from..];
            for (cell, &place) in out.iter_mut().zip(places) {
                let place = u32::from(place);
                *cell = Cell { x: corner.x & !15 | place >> 4, y: corner.y & !15 | (place & 15) };
            }
        });
    }
}
