//! Curves that visit quadrants, four levels per lookup.
//!
//! **Problem.** Input: the automaton of a curve, an index or a cell. Output: the other.
//!
//! **Method.** One row of 256 entries for each state takes four digits of base 4 at
//! once: from a byte of the index to four bits of x and of y, or back, and to the row
//! of the next state. What is left over when the order is not a multiple of four is
//! taken by the first lookup, from rows made for one, two and three levels. So the
//! last lookup always has four levels, and 256 consecutive cells share all others.
//!
//! **Cost.** ⌈order/4⌉ dependent lookups in a table of at most 16 kB per direction; one
//! lookup per cell for consecutive cells.

use super::states::{BETA_OMEGA, HILBERT, MOORE, States};
use super::walk::{Walk, in_blocks};
use crate::cell::Cell;

/// Rows of 256 entries, for both directions. An entry has the next row in its high
/// byte, and in its low byte four digits of the index, or `x << 4 | y`.
pub(super) struct QuadTable<const N: usize> {
    to_cell: [u16; N],
    to_index: [u16; N],
}

impl<const N: usize> QuadTable<N> {
    /// A row for each state, then three for each start: one, two and three levels.
    const fn new<const S: usize>(states: &States<S>, starts: &[usize]) -> Self {
        assert!(N.is_power_of_two() && N >= (S + 3 * starts.len()) << 8);
        let mut table = QuadTable { to_cell: [0; N], to_index: [0; N] };
        let mut state = 0;
        while state < S {
            table.fill(state, states, state, 4);
            state += 1;
        }
        let mut row = S;
        while row < S + 3 * starts.len() {
            table.fill(row, states, starts[(row - S) / 3], 1 + (row - S) % 3);
            row += 1;
        }
        table
    }

    const fn fill<const S: usize>(
        &mut self,
        row: usize,
        states: &States<S>,
        start: usize,
        levels: usize,
    ) {
        let mut digits = 0;
        while digits < 1 << (2 * levels) {
            let (mut state, mut x, mut y) = (start, 0, 0);
            let mut level = levels;
            while level > 0 {
                level -= 1;
                let digit = digits >> (2 * level) & 3;
                let cell = states.cells[state][digit] as usize;
                (x, y) = (x << 1 | (cell & 1), y << 1 | cell >> 1);
                state = states.next[state][digit] as usize;
            }
            let place = x << 4 | y;
            self.to_cell[row << 8 | digits] = (state << 8 | place) as u16;
            self.to_index[row << 8 | place] = (state << 8 | digits) as u16;
            digits += 1;
        }
    }
}

static HILBERT_TABLE: QuadTable<2048> = QuadTable::new(&HILBERT, &[0]);
static MOORE_TABLE: QuadTable<2048> = QuadTable::new(&MOORE, &[0]);
static BETA_OMEGA_TABLE: QuadTable<8192> = QuadTable::new(&BETA_OMEGA, &[0, 24]);

/// A curve of some order: its table, the row of the first lookup, how many there are.
#[derive(Clone, Copy)]
pub(super) struct Quad<const N: usize> {
    table: &'static QuadTable<N>,
    first_row: usize,
    lookups: u32,
}

#[inline]
pub(super) fn hilbert(order: u32) -> Quad<2048> {
    Quad::new(&HILBERT_TABLE, order, 0, 4)
}

#[inline]
pub(super) fn moore(order: u32) -> Quad<2048> {
    Quad::new(&MOORE_TABLE, order, 0, 5)
}

#[inline]
pub(super) fn beta_omega(order: u32) -> Quad<8192> {
    Quad::new(&BETA_OMEGA_TABLE, order, 0, 25)
}

#[inline]
pub(super) fn beta_omega_closed(order: u32) -> Quad<8192> {
    Quad::new(&BETA_OMEGA_TABLE, order, 24, 28)
}

impl<const N: usize> Quad<N> {
    /// `start` is the row of the start state, `short` the first of its three rows for
    /// fewer levels.
    #[inline]
    fn new(table: &'static QuadTable<N>, order: u32, start: usize, short: usize) -> Self {
        let row = if order.is_multiple_of(4) { start } else { short + order as usize % 4 - 1 };
        Quad { table, first_row: row << 8, lookups: order.div_ceil(4) }
    }

    /// The row, x and y after some lookups of an index.
    #[inline]
    fn descend(self, index: u64, lookups: u32) -> (usize, u32, u32) {
        let (mut row, mut x, mut y) = (self.first_row, 0, 0);
        let mut rest = index.rotate_right(8 * lookups);
        for _ in 0..lookups {
            let digits = (rest >> 56) as usize;
            rest <<= 8;
            let entry = self.table.to_cell[(row | digits) & (N - 1)];
            row = usize::from(entry & 0xff00);
            x = x << 4 | u32::from(entry >> 4 & 15);
            y = y << 4 | u32::from(entry & 15);
        }
        (row, x, y)
    }
}

/// Runs a loop with the number of lookups known to the compiler: half the time.
macro_rules! unrolled {
    ($quad:expr, $fixed:ident => $body:expr) => {
        unrolled!($quad, $fixed => $body, 1 2 3 4 5 6 7 8)
    };
    ($quad:expr, $fixed:ident => $body:expr, $($lookups:literal)*) => {
        match $quad.lookups {
            $($lookups => {
                let $fixed = Quad { lookups: $lookups, ..$quad };
                $body
            })*
            _ => {
                let $fixed = $quad;
                $body
            }
        }
    };
}

impl<const N: usize> Walk for Quad<N> {
    #[inline]
    fn cell(self, index: u64) -> Cell {
        let (_, x, y) = self.descend(index, self.lookups);
        Cell { x, y }
    }

    #[inline]
    fn index(self, cell: Cell) -> u64 {
        let (mut row, mut index) = (self.first_row, 0);
        let mut x = cell.x.rotate_right(4 * self.lookups);
        let mut y = cell.y.rotate_right(4 * self.lookups);
        for _ in 0..self.lookups {
            let place = (x >> 24 & 0xf0 | y >> 28) as usize;
            (x, y) = (x << 4, y << 4);
            let entry = self.table.to_index[(row | place) & (N - 1)];
            row = usize::from(entry & 0xff00);
            index = index << 8 | u64::from(entry & 0xff);
        }
        index
    }

    fn cells_at(self, indices: &[u64], out: &mut [Cell]) {
        unrolled!(self, curve => for (cell, &index) in out.iter_mut().zip(indices) {
            *cell = curve.cell(index);
        });
    }

    fn indices_at(self, cells: &[Cell], out: &mut [u64]) {
        unrolled!(self, curve => for (index, &cell) in out.iter_mut().zip(cells) {
            *index = curve.index(cell);
        });
    }

    fn cells(self, first: u64, out: &mut [Cell]) {
        if self.lookups == 0 {
            return out.fill(Cell { x: 0, y: 0 });
        }
        in_blocks(first, 256, out, |block, from, out| {
            let (row, x, y) = self.descend(block, self.lookups - 1);
            let entries = &self.table.to_cell[(row | from) & (N - 1)..];
            for (cell, entry) in out.iter_mut().zip(entries) {
                *cell = Cell {
                    x: x << 4 | u32::from(entry >> 4 & 15),
                    y: y << 4 | u32::from(entry & 15),
                };
            }
        });
    }
}
