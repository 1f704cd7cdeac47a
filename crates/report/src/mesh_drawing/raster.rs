//! Many filled shapes as square dots: a dot has the part of the shape at its middle, of
//! several the nearest to the reader.

use super::Shape;
use super::colouring::Colours;
use crate::graph_drawing::places::Places;
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
        fill(&mut board, &corners, parts[shape as usize]);
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

/// Gives a part to all dots whose middle lies inside of a polygon.
fn fill(board: &mut [u32], corners: &[(f64, f64)], part: u32) {
    let low = corners.iter().fold(f64::INFINITY, |low, c| low.min(c.1));
    let high = corners.iter().fold(0.0, |high: f64, c| high.max(c.1));
    // The first row whose middle is not above the polygon, the last that is not below.
    let first = (low - 0.5).ceil().max(0.0) as usize;
    let last = ((high - 0.5).floor() + 1.0).clamp(0.0, SIDE as f64) as usize;
    for row in first..last {
        let middle = row as f64 + 0.5;
        let mut crossings: Vec<f64> = Vec::with_capacity(4);
        for (i, &(x, y)) in corners.iter().enumerate() {
            let (s, t) = corners[(i + 1) % corners.len()];
            if (y <= middle) != (t <= middle) {
                crossings.push(x + (middle - y) / (t - y) * (s - x));
            }
        }
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let from = (pair[0] - 0.5).ceil().max(0.0) as usize;
            let to = ((pair[1] - 0.5).floor() + 1.0).clamp(0.0, SIDE as f64) as usize;
            if from < to {
                board[row * SIDE + from..row * SIDE + to].fill(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_inside_are_filled() {
        let mut board = vec![NONE; SIDE * SIDE];
        fill(&mut board, &[(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0)], 7);
        fill(&mut board, &[(10.0, 0.0), (14.0, 0.0), (10.0, 4.0)], 8);
        let count = |part| board.iter().filter(|&&p| p == part).count();
        // Of the triangle's four rows 4, 3, 2 and 1 with the middles on its long side.
        assert_eq!((count(7), count(8)), (8, 10));
        assert_eq!((board[SIDE + 1], board[SIDE], board[2 * SIDE + 4]), (7, NONE, 7));
        // What lies outside does no harm.
        fill(&mut board, &[(-9.0, -9.0), (900.0, -9.0), (900.0, 900.0), (-9.0, 900.0)], 9);
        assert!(board.iter().all(|&p| p == 9));
    }
}
