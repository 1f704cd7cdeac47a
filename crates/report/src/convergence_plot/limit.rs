//! The name of the line of the tolerance, where it hides least.

use super::curve::Drawn;
use crate::chart::Frame;
use crate::paper::SMALL;
use crate::svg::{Anchor, Svg};
use crate::text;

/// How many points of a long line are looked at.
const PIECES: usize = 24;

/// Writes the name above or below the line, at the place that meets the fewest curves.
pub(super) fn draw_name(svg: &mut Svg, frame: &Frame, y: f64, name: &str, drawn: &[Drawn]) {
    let width = text::width(name, SMALL);
    let first = frame.left + 14.0;
    let room = (frame.right - 14.0 - width - first).max(0.0);
    let mut best: Option<(usize, (f64, f64))> = None;
    for baseline in [y - 6.0, y + 14.0] {
        if baseline - SMALL < frame.top || baseline + 4.0 > frame.bottom {
            continue;
        }
        for step in (0..=10).rev() {
            let left = first + room * f64::from(step) / 10.0;
            let area = [left - 4.0, baseline - SMALL, left + width + 4.0, baseline + 3.0];
            let met = drawn.iter().map(|d| points_inside(d, area)).sum();
            if best.is_none_or(|(least, _)| met < least) {
                best = Some((met, (left, baseline)));
            }
        }
    }
    let at = best.map_or((first, y - 6.0), |b| b.1);
    svg.text(at, Anchor::Start, "note halo", name, "");
}

/// Points of lines and signs in a rectangle, given by left, top, right and bottom.
fn points_inside(drawn: &Drawn, [left, top, right, bottom]: [f64; 4]) -> usize {
    let inside = |(x, y): (f64, f64)| x >= left && x <= right && y >= top && y <= bottom;
    let between = |a: (f64, f64), b: (f64, f64)| {
        let share = |i: usize| i as f64 / PIECES as f64;
        let at = move |s: f64| (a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s);
        (0..PIECES).filter(|&i| inside(at(share(i)))).count()
    };
    let lines = drawn.pieces.iter().flat_map(|p| p.windows(2)).map(|w| between(w[0], w[1]));
    // A hidden sign is worse than a hidden piece of a line.
    let sign = drawn.end.is_some_and(|(_, (x, y))| {
        x >= left - 6.0 && x <= right + 6.0 && y >= top - 6.0 && y <= bottom + 6.0
    });
    lines.sum::<usize>() + if sign { 10 * PIECES } else { 0 }
}
