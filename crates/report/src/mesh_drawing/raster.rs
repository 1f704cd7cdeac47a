//! Filled shapes as square dots: a dot has the part of the shape at its middle, of several the
//! nearest to the reader.

use super::Shape;
use super::colouring::Colours;
use crate::board::fields::{rectangle, runs};
use crate::graph_drawing::places::Places;
use crate::inset::Rect;
use crate::spans::spans;
use crate::svg::Svg;
use palmette_core::NONE;
use std::collections::BTreeMap;

/// Pixels of a dot's side.
pub(super) const DOT: u32 = 2;

/// A rectangle of dots.
pub(super) struct Dots {
    pub(super) corner: (f64, f64),
    pub(super) columns: usize,
    pub(super) rows: usize,
    parts: Vec<u32>,
}

impl Dots {
    /// Dots of this side over a drawing of shapes, the farthest first; nothing is seen in a frame.
    pub(super) fn new(
        places: &Places,
        frame: Option<Rect>,
        dot: f64,
        (shapes, parts): (&[Shape], &[u32]),
        order: &[u32],
    ) -> Dots {
        let Rect { low: corner, high } = places.rect();
        // A dot that would leave the rectangle is left out.
        let along = |pixels: f64| (pixels / dot + 1e-6).floor().max(0.0) as usize;
        let (columns, rows) = (along(high.0 - corner.0), along(high.1 - corner.1));
        let mut board = vec![NONE; columns * rows];
        for &shape in order {
            let corners: Vec<(f64, f64)> = shapes[shape as usize]
                .iter()
                .take_while(|&&c| c != NONE)
                .map(|&c| places.at(c))
                .map(|(x, y)| ((x - corner.0) / dot, (y - corner.1) / dot))
                .collect();
            spans(&corners, (columns, rows), |row, dots| {
                board[row * columns..][dots].fill(parts[shape as usize]);
            });
        }
        if let Some(frame) = frame {
            for (i, part) in board.iter_mut().enumerate() {
                let at = |from: f64, i: usize| from + dot * (i as f64 + 0.5);
                let middle = (at(corner.0, i % columns), at(corner.1, i / columns));
                if Rect::around(middle, (dot, dot)).meets(&frame) {
                    *part = NONE;
                }
            }
        }
        Dots { corner, columns, rows, parts: board }
    }

    /// The part that is seen at a dot, or `NONE`.
    pub(super) fn at(&self, row: usize, column: usize) -> u32 {
        self.parts[row * self.columns + column]
    }

    /// Draws dots of [`DOT`] pixels.
    pub(super) fn draw(&self, svg: &mut Svg, colours: &Colours) {
        let ((left, top), dot) = (self.corner, f64::from(DOT));
        let mut paths: BTreeMap<u32, String> = BTreeMap::new();
        let parts: Vec<Option<u32>> =
            self.parts.iter().map(|&part| (part != NONE).then_some(part)).collect();
        for (row, line) in parts.chunks(self.columns.max(1)).enumerate() {
            for (part, from, to) in runs(line, false) {
                let corner = (left + dot * from as f64, top + dot * row as f64);
                let size = (dot * (to - from) as f64, dot);
                *paths.entry(part).or_default() += &rectangle(corner, size);
            }
        }
        for (part, data) in paths {
            let class = colours.class(part, false).replace("tile", "entry");
            svg.path(&data, &class, &format!("part {part}"));
        }
    }
}
