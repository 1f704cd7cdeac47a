//! Peano's curve, three levels per lookup, from the least significant digits.
//!
//! **Problem.** Input: an index or a cell. Output: the other, on Peano's curve of any
//! order: digit 0 of the start state lies in the corner and stays in that state.
//!
//! **Method.** The four states are the reflections of x and y. So one table of 729
//! entries, for the start state, serves all: what the more significant digits say
//! reflects the less significant ones. From an index, each lookup reflects the x and
//! y of all digits below. From a cell, x is reflected by the parity of the digits of y
//! above, and that is the parity of the number they make, because 3 is odd; y likewise.
//!
//! **Cost.** ⌈order/3⌉ divisions by a constant and independent lookups; one lookup per cell for
//! consecutive cells.
//!
//! **Reference.** G. Peano, "Sur une courbe, qui remplit toute une aire plane", 1890.

use super::states::{PEANO_CELLS, PEANO_NEXT};
use super::walk::{Walk, in_blocks};
use crate::cell::Cell;

const SIDE: u64 = 27;
const CELLS: u64 = SIDE * SIDE;

/// `to_cell` has x in bits 0 to 4, y in bits 5 to 9, and the state after it above;
/// `to_index` is indexed by `27x + y`.
struct PeanoTable {
    to_cell: [u16; CELLS as usize],
    to_index: [u16; CELLS as usize],
}

static TABLE: PeanoTable = table();

const fn table() -> PeanoTable {
    let mut table = PeanoTable { to_cell: [0; CELLS as usize], to_index: [0; CELLS as usize] };
    let mut index = 0;
    while index < CELLS as usize {
        let (mut state, mut x, mut y) = (0, 0, 0);
        let mut unit = CELLS as usize;
        while unit > 1 {
            unit /= 9;
            let digit = index / unit % 9;
            let cell = PEANO_CELLS[state][digit] as usize;
            (x, y) = (3 * x + cell / 3, 3 * y + cell % 3);
            state = PEANO_NEXT[state][digit] as usize;
        }
        table.to_cell[index] = (x | y << 5 | state << 10) as u16;
        table.to_index[SIDE as usize * x + y] = index as u16;
        index += 1;
    }
    table
}

/// `value`, or `largest - value`.
#[inline]
fn reflect(value: u64, largest: u64, reflected: bool) -> u64 {
    if reflected { largest - value } else { value }
}

/// A place, and how what follows it is reflected.
#[derive(Clone, Copy)]
struct Oriented {
    x: u64,
    y: u64,
    x_reflected: bool,
    y_reflected: bool,
}

#[inline]
fn place(entry: u16) -> Oriented {
    let entry = u64::from(entry);
    Oriented {
        x: entry & 31,
        y: entry >> 5 & 31,
        x_reflected: entry >> 10 & 1 == 1,
        y_reflected: entry >> 11 == 1,
    }
}

#[inline]
fn descend(index: u64) -> Oriented {
    let mut low = place(TABLE.to_cell[(index % CELLS) as usize]);
    let (mut rest, mut side) = (index / CELLS, SIDE);
    while rest > 0 {
        let high = place(TABLE.to_cell[(rest % CELLS) as usize]);
        low = Oriented {
            x: side * high.x + reflect(low.x, side - 1, high.x_reflected),
            y: side * high.y + reflect(low.y, side - 1, high.y_reflected),
            x_reflected: low.x_reflected ^ high.x_reflected,
            y_reflected: low.y_reflected ^ high.y_reflected,
        };
        (rest, side) = (rest / CELLS, side * SIDE);
    }
    low
}

/// Peano's curve of any order.
#[derive(Clone, Copy)]
pub(super) struct Peano;

impl Walk for Peano {
    #[inline]
    fn cell(self, index: u64) -> Cell {
        let Oriented { x, y, .. } = descend(index);
        Cell { x: x as u32, y: y as u32 }
    }

    #[inline]
    fn index(self, cell: Cell) -> u64 {
        let (mut x, mut y) = (u64::from(cell.x), u64::from(cell.y));
        let (mut index, mut unit) = (0, 1u64);
        while x | y != 0 {
            let (high_x, high_y) = (x / SIDE, y / SIDE);
            let low_x = reflect(x % SIDE, SIDE - 1, high_y % 2 == 1);
            let low_y = reflect(y % SIDE, SIDE - 1, high_x % 2 == 1);
            index += unit * u64::from(TABLE.to_index[(SIDE * low_x + low_y) as usize]);
            // Wraps only behind the last digit.
            unit = unit.wrapping_mul(CELLS);
            (x, y) = (high_x, high_y);
        }
        index
    }

    fn cells(self, first: u64, out: &mut [Cell]) {
        in_blocks(first, CELLS, out, |block, from, out| {
            let high = descend(block);
            for (cell, &entry) in out.iter_mut().zip(&TABLE.to_cell[from..]) {
                let low = place(entry);
                *cell = Cell {
                    x: (SIDE * high.x + reflect(low.x, SIDE - 1, high.x_reflected)) as u32,
                    y: (SIDE * high.y + reflect(low.y, SIDE - 1, high.y_reflected)) as u32,
                };
            }
        });
    }
}
