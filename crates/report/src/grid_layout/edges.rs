//! Tree edges as lines that can be told apart.
//!
//! **Method.** A straight line between two cells meets no other cell's middle when its two
//! differences have no common divisor, and no two such lines run along each other. All others
//! are bent, longer ones further, so that arcs over one line part. On a grid of one row or one
//! column all edges of more than one step are arcs, on one side those that lead to higher
//! numbers, on the other those that lead to lower ones. Edges between the same two cells take
//! lanes beside each other; an edge within a cell is a loop.

use std::collections::HashMap;
use std::fmt::Write;

use super::{GridLayout, MAX_HINTS, length};
use crate::board::Board;
use crate::board::classes::{Classes, class_of};
use crate::svg::{Svg, decimal};
use palmette_core::NONE;

/// The largest distance of an arc from its line, in cells, where cells lie on both sides.
const MAX_BEND: f64 = 0.75;
const MIN_BEND: f64 = 0.24;
const LANE: f64 = 0.14;
const LANES: u32 = 8;

/// The style of a class of lengths, the same in every picture. The palest steps are too
/// pale for lines; a grid drawn whole has lengths up to class 8.
pub(super) fn class_style(class: usize) -> String {
    const STEPS: [usize; 9] = [2, 3, 4, 5, 7, 8, 9, 10, 11];
    format!("h{}", STEPS[class.min(8)])
}

/// All edges, the longest on top.
pub(super) fn draw(svg: &mut Svg, board: &Board, layout: &GridLayout<'_>, lengths: &Classes) {
    let longest = lengths.largest;
    let mut by_class: Vec<Vec<(String, usize)>> = vec![Vec::new(); class_of(longest) + 1];
    let mut between: HashMap<[(u32, u32); 2], u32> = HashMap::new();
    for (i, &parent) in layout.parents.iter().enumerate().filter(|p| *p.1 != NONE) {
        let (child, parent) = (layout.cells[i], layout.cells[parent as usize]);
        let ends = if child < parent { [child, parent] } else { [parent, child] };
        let lane = between.entry(ends).or_insert(0);
        let data = curve(board, parent, child, *lane, longest);
        by_class[class_of(length(child, parent))].push((data, i));
        *lane = (*lane + 1) % LANES;
    }
    let thickness = thickness(board, lengths.sum());
    for (class, edges) in by_class.iter().enumerate() {
        let style = format!("edge {thickness} {}", class_style(class));
        if layout.parents.len() <= MAX_HINTS {
            for (data, i) in edges {
                svg.path(data, &style, &layout.hint(*i));
            }
        } else if !edges.is_empty() {
            let joined: String = edges.iter().map(|e| e.0.as_str()).collect();
            svg.path(&joined, &style, "");
        }
    }
}

/// Thinner in small cells, and thinnest where lines would cover most of the board.
fn thickness(board: &Board, energy: u64) -> &'static str {
    let cover = energy as f64 / board.len().max(1) as f64 / board.cell.0;
    if cover > 1.0 {
        "hair"
    } else if board.cell.0 < 16.0 {
        "fine"
    } else {
        "bold"
    }
}

/// The path of one edge.
fn curve(board: &Board, from: (u32, u32), to: (u32, u32), lane: u32, longest: u64) -> String {
    let (a, b) = (board.centre(from), board.centre(to));
    let cell = board.cell.0;
    let mut data = format!("M{} {}", decimal(a.0), decimal(a.1));
    if from == to {
        let r = cell * (0.3 + LANE * 0.5 * f64::from(lane)).min(0.5);
        let [w, h] = [r, 1.3 * r].map(decimal);
        let _ = write!(data, "c-{w}-{h} {w}-{h} 0 0");
        return data;
    }
    let steps = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
    if lane == 0 && common_divisor(steps.0, steps.1) == 1 {
        let _ = write!(data, "L{} {}", decimal(b.0), decimal(b.1));
        return data;
    }
    let d = (b.0 - a.0, b.1 - a.1);
    let long = d.0.hypot(d.1);
    let room = if board.room() > 0.0 { 0.75 * board.room() } else { MAX_BEND * cell };
    let share = (f64::from(steps.0) + f64::from(steps.1)) / longest.max(1) as f64;
    let bend = (room * share.sqrt()).max(MIN_BEND * cell) + LANE * cell * f64::from(lane);
    // An arc reaches three quarters of the way to its two inner points.
    let away = (d.1 / long * bend / 0.75, -d.0 / long * bend / 0.75);
    let (low, high) = board.outside();
    let inner = |share: f64, side: f64| {
        (a.0 + d.0 * share + side * away.0, a.1 + d.1 * share + side * away.1)
    };
    let fits = |p: (f64, f64)| p.0 >= low.0 && p.0 <= high.0 && p.1 >= low.1 && p.1 <= high.1;
    let side = if fits(inner(0.25, 1.0)) && fits(inner(0.75, 1.0)) { 1.0 } else { -1.0 };
    data.push('C');
    for p in [inner(0.25, side), inner(0.75, side), b] {
        let (x, y) = (p.0.clamp(low.0, high.0), p.1.clamp(low.1, high.1));
        let _ = write!(data, "{} {} ", decimal(x), decimal(y));
    }
    data.truncate(data.trim_end().len());
    data
}

fn common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_over_other_cells_are_bent() {
        let board = Board::new(9, 9);
        let bent = |to: (u32, u32)| curve(&board, (2, 2), to, 0, 16).contains('C');
        assert!([(2, 4), (0, 2), (4, 4), (4, 6), (8, 2)].into_iter().all(bent));
        assert!(![(2, 3), (1, 2), (3, 3), (3, 4), (8, 3)].into_iter().any(bent));
    }

    #[test]
    fn edges_along_a_row_differ() {
        for board in [Board::with_room(9, 1, (0.0, 60.0), (0.0, 60.0)), Board::new(9, 9)] {
            let mut found: Vec<String> = Vec::new();
            for a in 0..9 {
                for b in (0..9).filter(|&b| b != a) {
                    found.push(curve(&board, (a, 0), (b, 0), 0, 8));
                    found.push(curve(&board, (a, 0), (b, 0), 1, 8));
                }
            }
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), count);
        }
    }
}
