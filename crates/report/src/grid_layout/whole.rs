//! A small grid with every vertex and every edge.

use super::{GridLayout, HEADS, MAX_HINTS, TABLE, edges};
use crate::board::keys::{Keys, Sign, draw_root};
use crate::board::{Board, start};
use palmette_core::NONE;

pub(super) fn draw(layout: &GridLayout<'_>) -> String {
    let board = board_with_arcs(layout);
    let lengths = layout.lengths(&board, |_, _| ());
    let roots = layout.roots();
    let mut keys = Keys::default();
    keys.push_if(!roots.is_empty(), Sign::Root, if roots.len() == 1 { "root" } else { "roots" });
    keys.push_if(layout.cells.len() > roots.len(), Sign::Vertex, "vertex");
    keys.push_if(layout.curve.is_some_and(|c| c.len() > 1), Sign::Curve, "curve");

    let key = board.below();
    let table = (key.0, key.1 + keys.height() + 18.0);
    let facts = layout.facts(&board, &lengths, &roots);
    let description =
        layout.describe(&facts, "Lines are edges, coloured by their length", &lengths);
    let mut svg =
        start(table.1 + lengths.height(), (layout.title, layout.subtitle, &facts), &description);
    board.draw_cells(&mut svg);
    board.draw_numbers(&mut svg);
    let radius = (board.cell.0 * 0.15).clamp(1.6, 5.0);
    if let Some(curve) = layout.curve {
        assert!(curve.iter().all(|&c| board.contains(c)), "the curve stays on the grid");
        let points: Vec<(f64, f64)> = curve.iter().map(|&c| board.centre(c)).collect();
        svg.wide_line(&points, 2.0 * radius, "curve", "");
    }
    edges::draw(&mut svg, &board, layout, &lengths);
    let is_named = layout.cells.len() <= MAX_HINTS;
    let hint = |i: usize| if is_named { layout.hint(i) } else { String::new() };
    for (i, &cell) in layout.cells.iter().enumerate().filter(|c| layout.parents[c.0] != NONE) {
        svg.disc(board.centre(cell), radius, "vertex", "", &hint(i));
    }
    for &i in &roots {
        draw_root(&mut svg, board.centre(layout.cells[i]), radius + 2.5, &hint(i));
    }
    let style = |class| format!("heat {}", edges::class_style(class));
    lengths.draw(&mut svg, table, TABLE, HEADS, &style);
    keys.draw(&mut svg, key);
    svg.finish()
}

/// On a single row or column arcs need room beside it: those to higher numbers above a
/// row or right of a column, those to lower numbers on the other side.
fn board_with_arcs(layout: &GridLayout<'_>) -> Board {
    let is_row = layout.height == 1;
    if !is_row && layout.width != 1 {
        return Board::new(layout.width, layout.height);
    }
    let place = |i: usize| if is_row { layout.cells[i].0 } else { layout.cells[i].1 };
    let (mut up, mut down, mut same) = (false, false, false);
    for (i, &parent) in layout.parents.iter().enumerate().filter(|p| *p.1 != NONE) {
        let (from, to) = (place(parent as usize), place(i));
        up |= to > from + 1;
        down |= to + 1 < from;
        same |= to == from;
    }
    let room = (12.0 * f64::from(layout.width.max(layout.height))).clamp(24.0, 110.0);
    let [up, down] = [up || same, down || same].map(|is| if is { room } else { 0.0 });
    let (before, after) = if is_row { ((0.0, up), (0.0, down)) } else { ((down, 0.0), (up, 0.0)) };
    Board::with_room(layout.width, layout.height, before, after)
}
