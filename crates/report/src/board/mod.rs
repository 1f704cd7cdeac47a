//! A grid of processors on paper, shared by the pictures of grids: its pixels, its numbers,
//! its map of bins, and the table and colour bar below it.
//!
//! Column 0 is at the left and row 0 at the top; `y` grows downwards.

pub(crate) mod bins;
pub(crate) mod classes;
pub(crate) mod fields;
pub(crate) mod heat;
pub(crate) mod keys;

use crate::colour::grid_style;
use crate::number::{counted, thousands};
use crate::paper::{INSIDE, MARGIN, SMALL, WIDTH, heading};
use crate::scale::step;
use crate::svg::{Anchor, Svg};
use crate::text;

/// Up to this many columns and rows every processor is drawn.
pub(crate) const MAX_SIDE: u32 = 64;
/// A map has at most this many bins per side.
const MAX_BINS: u32 = 128;
/// The longer side of the board, in pixels, is at most this.
const SIDE: f64 = 412.0;
const MAX_CELL: f64 = 48.0;
/// A map's side of fewer pixels is stretched.
const MIN_SIDE: f64 = 20.0;
const TOP: f64 = 106.0;

/// Where a grid of processors lies in a picture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Board {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// Processors per bin, along each side.
    pub(crate) bin: (u32, u32),
    /// Pixels of a processor.
    pub(crate) cell: (f64, f64),
    /// Free pixels left of the cells and above them.
    before: (f64, f64),
    /// Free pixels right of the cells and below them.
    after: (f64, f64),
    left: f64,
    top: f64,
}

impl Board {
    /// A board with bins of one processor each as long as [`MAX_BINS`] allows.
    pub(crate) fn new(columns: u32, rows: u32) -> Self {
        Board::with_room(columns, rows, (0.0, 0.0), (0.0, 0.0))
    }

    /// A board with free pixels left of the cells and above them, and right and below.
    pub(crate) fn with_room(
        columns: u32,
        rows: u32,
        before: (f64, f64),
        after: (f64, f64),
    ) -> Self {
        let longest = columns.max(rows).max(1);
        let side = longest.div_ceil(MAX_BINS);
        let numbers = text::width(&thousands(rows.saturating_sub(1).into()), SMALL);
        let wide = INSIDE - numbers - 9.0 - before.0 - after.0;
        let pixels = (SIDE / f64::from(longest.div_ceil(side)))
            .min(wide / f64::from(columns.max(1).div_ceil(side)))
            .floor()
            .clamp(1.0, MAX_CELL);
        let pixel = pixels / f64::from(side);
        let least = if longest > MAX_SIDE { MIN_SIDE } else { 0.0 };
        let stretched = |count: u32| pixel.max(least / f64::from(count.max(1)));
        let cell = (stretched(columns), stretched(rows));
        let bin = (side.min(columns.max(1)), side.min(rows.max(1)));
        let left = (MARGIN + numbers + 9.0 + before.0).ceil();
        let top = TOP + before.1.ceil();
        Board { columns, rows, bin, cell, before, after, left, top }
    }

    /// The free room beside the cells, where there is most.
    pub(crate) fn room(&self) -> f64 {
        self.before.0.max(self.before.1).max(self.after.0).max(self.after.1)
    }

    pub(crate) fn is_stretched(&self) -> bool {
        self.cell.0 != self.cell.1
    }

    /// The number of processors.
    pub(crate) fn len(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// The pixel of a column's left side.
    pub(crate) fn x(&self, column: f64) -> f64 {
        self.left + column * self.cell.0
    }

    /// The pixel of a row's upper side.
    pub(crate) fn y(&self, row: f64) -> f64 {
        self.top + row * self.cell.1
    }

    pub(crate) fn centre(&self, (x, y): (u32, u32)) -> (f64, f64) {
        (self.x(f64::from(x) + 0.5), self.y(f64::from(y) + 0.5))
    }

    pub(crate) fn contains(&self, (x, y): (u32, u32)) -> bool {
        x < self.columns && y < self.rows
    }

    /// The corners of the cells with the free room around them.
    pub(crate) fn outside(&self) -> ((f64, f64), (f64, f64)) {
        let (right, bottom) = (self.x(self.columns.into()), self.y(self.rows.into()));
        (
            (self.left - self.before.0, self.top - self.before.1),
            (right + self.after.0, bottom + self.after.1),
        )
    }

    /// Where what stands below the board begins.
    pub(crate) fn below(&self) -> (f64, f64) {
        (MARGIN, self.outside().1.1 + 18.0)
    }

    /// What a bin is, in words.
    pub(crate) fn bin_text(&self) -> String {
        match self.bin {
            (1, 1) => "one processor per bin".to_string(),
            (x, y) => {
                format!("bins of {} × {} processors", thousands(x.into()), thousands(y.into()))
            }
        }
    }

    /// The grid's size, in words.
    pub(crate) fn size_text(&self) -> String {
        let (x, y) = (thousands(self.columns.into()), thousands(self.rows.into()));
        if self.len() == 1 { "1 processor".to_string() } else { format!("{x} × {y} processors") }
    }

    /// The lines between cells.
    pub(crate) fn draw_cells(&self, svg: &mut Svg) {
        let (right, bottom) = (self.x(self.columns.into()), self.y(self.rows.into()));
        for x in 0..=self.columns {
            let x = self.x(x.into());
            svg.line((x, self.top), (x, bottom), "cells");
        }
        for y in 0..=self.rows {
            let y = self.y(y.into());
            svg.line((self.left, y), (right, y), "cells");
        }
    }

    /// A frame around the cells.
    pub(crate) fn draw_frame(&self, svg: &mut Svg) {
        let (right, bottom) = (self.x(self.columns.into()), self.y(self.rows.into()));
        let (left, top) = (self.left, self.top);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        svg.polyline(&corners, "grid");
    }

    /// The numbers of a few columns above the board and of a few rows left of it.
    pub(crate) fn draw_numbers(&self, svg: &mut Svg) {
        let ((left, top), _) = self.outside();
        let wide = text::width(&thousands(self.columns.saturating_sub(1).into()), SMALL);
        for x in numbered(self.columns, self.cell.0, wide + 14.0) {
            let at = self.centre((x, 0)).0;
            svg.line((at, top - 2.0), (at, top - 5.0), "axis");
            svg.text((at, top - 9.0), Anchor::Middle, "tick", &thousands(x.into()), "");
        }
        for y in numbered(self.rows, self.cell.1, 24.0) {
            let at = self.centre((0, y)).1;
            svg.line((left - 2.0, at), (left - 5.0, at), "axis");
            svg.text((left - 8.0, at + 4.0), Anchor::End, "tick", &thousands(y.into()), "");
        }
    }
}

/// The columns or rows that get their number: about eight, at powers of two where the grid
/// is one, and at least `apart` pixels from each other.
fn numbered(count: u32, pixels: f64, apart: f64) -> impl Iterator<Item = u32> {
    let least = (f64::from(count) / 8.0).max(apart / pixels).max(1.0);
    let every =
        if count.is_power_of_two() { 2f64.powf((least - 1e-9).log2().ceil()) } else { step(least) };
    (0..count).step_by(every.round().max(1.0) as usize)
}

/// An empty picture for a board and what stands below it, down to `bottom`; with a title, the
/// reader's note and a line of facts.
pub(crate) fn start(
    bottom: f64,
    (title, note, facts): (&str, &str, &str),
    description: &str,
) -> Svg {
    let mut svg = Svg::new(WIDTH, (bottom + MARGIN).ceil(), title, description);
    svg.add_style(grid_style());
    heading(&mut svg, title, &[note, facts]);
    svg
}

/// `(3, 4)`.
pub(crate) fn place((x, y): (u32, u32)) -> String {
    format!("({}, {})", thousands(x.into()), thousands(y.into()))
}

/// `12 vertices`, unless there is none.
pub(crate) fn some(count: u64, one: &str, many: &str) -> String {
    if count == 0 { format!("no {one}") } else { counted(count, one, many) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_few_and_cover_the_grid() {
        for (columns, rows) in [(1, 1), (64, 64), (65, 3), (128, 128), (129, 1), (1, 5000)] {
            let board = Board::new(columns, rows);
            let bins = (columns.div_ceil(board.bin.0), rows.div_ceil(board.bin.1));
            assert!(bins.0 <= MAX_BINS && bins.1 <= MAX_BINS, "{columns} {rows}");
            let (_, (right, bottom)) = board.outside();
            assert!(right <= WIDTH - MARGIN && bottom <= 560.0, "{columns} {rows}");
        }
        let board = Board::new(u32::MAX, 7);
        assert_eq!(board.bin, (1 << 25, 7));
        assert!(board.is_stretched());
    }

    #[test]
    fn few_numbers() {
        let found = |count, pixels| numbered(count, pixels, 24.0).collect::<Vec<u32>>();
        assert_eq!(found(64, 9.0), [0, 8, 16, 24, 32, 40, 48, 56]);
        assert_eq!(found(4, 48.0), [0, 1, 2, 3]);
        assert_eq!(found(100, 5.0), [0, 20, 40, 60, 80]);
        assert_eq!(found(1, 48.0), [0]);
        assert_eq!(found(0, 48.0), [0; 0]);
    }
}
