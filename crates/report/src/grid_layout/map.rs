//! A large grid as a map of bins.

use super::{GridLayout, HEADS, TABLE, length};
use crate::board::bins::Bins;
use crate::board::heat::{BAR_HEIGHT, Heat};
use crate::board::keys::{Keys, Sign, draw_root};
use crate::board::{Board, start};
use crate::number::{counted, thousands};
use crate::svg::Svg;
use palmette_core::NONE;

/// At most this many of the longest edges are drawn over the map.
const MAX_FAR: u64 = 64;
/// Above this many roots they are not marked.
const MAX_ROOTS: usize = 16;

pub(super) fn draw(layout: &GridLayout<'_>, board: &Board) -> String {
    let mut bins = Bins::new(board);
    let lengths = layout.lengths(board, |cell, length| bins.add(cell, length));
    let roots = layout.roots();
    let heat = Heat::new(bins.means().flatten());
    let far = lengths.highest(MAX_FAR).filter(|far| far.0 as f64 > lengths.mean());
    let has_free = bins.means().any(|mean| mean.is_none());
    let keys = keys(board, &heat, far, roots.len(), has_free);

    let bar = board.below();
    let key_top = bar.1 + if lengths.count() > 0 { BAR_HEIGHT + 10.0 } else { 0.0 };
    let table = (bar.0, key_top + keys.height() + 22.0);
    let facts = layout.facts(board, &lengths, &roots);
    let shown = format!(
        "A map in {}; colours show the mean length of edges from a bin's vertices to their parents",
        board.bin_text()
    );
    let mut svg = start(
        table.1 + lengths.height(),
        (layout.title, layout.subtitle, &facts),
        &layout.describe(&facts, &shown, &lengths),
    );
    bins.draw(&mut svg, &heat);
    board.draw_frame(&mut svg);
    board.draw_numbers(&mut svg);
    if let Some((limit, _)) = far {
        draw_far(&mut svg, board, layout, limit);
    }
    for &i in roots.iter().filter(|_| roots.len() <= MAX_ROOTS) {
        draw_root(&mut svg, board.centre(layout.cells[i]), 5.5, &layout.hint(i));
    }
    if lengths.count() > 0 {
        let caption = ["Mean length of the edge to the parent", &board.bin_text()];
        heat.draw_bar(&mut svg, bar, caption);
    }
    keys.draw(&mut svg, (bar.0, key_top));
    lengths.draw(&mut svg, table, TABLE, HEADS, &|_| "f0".to_string());
    svg.finish()
}

fn keys(board: &Board, heat: &Heat, far: Option<(u64, u64)>, roots: usize, has_free: bool) -> Keys {
    let mut keys = Keys::default();
    match roots {
        0 => {}
        1 => keys.push(Sign::Root, "root"),
        2..=MAX_ROOTS => keys.push(Sign::Root, "roots"),
        _ => keys.push(Sign::Remark, format!("{} roots, not marked", thousands(roots as u64))),
    }
    if let Some((limit, count)) = far {
        let edges = counted(count, "edge", "edges");
        keys.push(Sign::Far, format!("{edges} longer than {}", thousands(limit)));
    }
    let zero = Sign::Field("zero");
    keys.push_if(heat.zeros_apart, zero, "length 0: all on their parents' processors");
    keys.push_if(has_free, Sign::Field("ring missing"), "no edge starts here");
    keys.push_if(board.is_stretched(), Sign::Remark, "the short side of the grid is stretched");
    keys
}

fn draw_far(svg: &mut Svg, board: &Board, layout: &GridLayout<'_>, limit: u64) {
    for (&cell, &parent) in layout.cells.iter().zip(layout.parents).filter(|p| *p.1 != NONE) {
        let to = layout.cells[parent as usize];
        if length(cell, to) > limit {
            svg.line(board.centre(to), board.centre(cell), "far");
        }
    }
}
