//! Every link of a small grid.

use super::{LinkLoads, ends, messages};
use crate::board::Board;
use crate::board::fields::{Fields, rectangle};
use crate::board::heat::Heat;
use crate::svg::Svg;

/// Above this many links they are not named one by one.
const MAX_HINTS: usize = 1500;

/// Bars between small squares. Where cells are small the bars alone show the processors
/// between them.
pub(super) fn draw(svg: &mut Svg, board: &Board, machine: &LinkLoads<'_>, heat: &Heat) {
    let cell = board.cell.0;
    let is_small = cell < 16.0;
    let thick = if is_small { (cell / 3.0).round() } else { (cell * 0.42).min(16.0) };
    let node = if is_small { 0.0 } else { (cell * 0.3).min(9.0) };
    let gap = if is_small { thick / 2.0 } else { node / 2.0 + 1.0 };
    let long = cell - 2.0 * gap;
    let is_named = machine.horizontal.len() + machine.vertical.len() <= MAX_HINTS;
    let mut fields = Fields::default();
    for link @ (from, is_down, load) in machine.links() {
        let (x, y) = board.centre(from);
        let (corner, size) = if is_down {
            ((x - thick / 2.0, y + gap), (thick, long))
        } else {
            ((x + gap, y - thick / 2.0), (long, thick))
        };
        if is_named {
            let hint = format!("{} {}", messages(link), ends(link));
            svg.path(&rectangle(corner, size), &heat.class(load as f64), &hint);
        } else {
            fields.push(heat.step(load as f64), corner, size);
        }
    }
    fields.draw(svg);
    if !is_small {
        let cells = (0..machine.height).flat_map(|y| (0..machine.width).map(move |x| (x, y)));
        let square = |cell| {
            let (x, y) = board.centre(cell);
            rectangle((x - node / 2.0, y - node / 2.0), (node, node))
        };
        svg.path(&cells.map(square).collect::<String>(), "vertex", "");
    }
}
