//! Many filled shapes as square dots: a dot has the part of the shape at its middle, of
//! several the nearest to the reader.

use super::Shape;
use super::colouring::Colours;
use crate::graph_drawing::places::Places;
use crate::spans::spans;
use crate::svg::{Svg, decimal};
use palmette_core::NONE;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Pixels of a dot's side.
pub(super) const DOT: u32 = 2;
/// Dots along each side of the largest drawing.
const SIDE: usize = 340;

/// Draws shapes, the farthest first.
pub(super) fn draw(
    svg: &mut Svg,
    places: &Places,
    shapes: &[Shape],
    parts: &[u32],
    order: &[u32],
    colours: &Colours,
) {
    let (left, top) = places.corner();
    let dot = f64::from(DOT);
    let mut board = vec![NONE; SIDE * SIDE];
    for &shape in order {
        let corners: Vec<(f64, f64)> = shapes[shape as usize]
            .iter()
            .take_while(|&&c| c != NONE)
            .map(|&c| places.at(c))
            .map(|(x, y)| ((x - left) / dot, (y - top) / dot))
            .collect();
        spans(&corners, (SIDE, SIDE), |row, dots| {
            board[row * SIDE..][dots].fill(parts[shape as usize]);
        });
    }
    let mut paths: BTreeMap<u32, String> = BTreeMap::new();
    for (row, line) in board.chunks(SIDE).enumerate() {
        let mut column = 0;
        for run in line.chunk_by(|a, b| a == b) {
            if run[0] != NONE {
                let (x, y) = (left + dot * column as f64, top + dot * row as f64);
                let wide = DOT as usize * run.len();
                let data = paths.entry(run[0]).or_default();
                let _ = write!(data, "M{} {}h{wide}v{DOT}h-{wide}z", decimal(x), decimal(y));
            }
            column += run.len();
        }
    }
    for (part, data) in paths {
        let class = colours.class(part, false).replace("tile", "entry");
        svg.path(&data, &class, &format!("part {part}"));
    }
}
