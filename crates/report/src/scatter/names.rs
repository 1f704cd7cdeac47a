//! Names beside points, where they fit.

use crate::chart::Frame;
use crate::inset::Rect;
use crate::paper::SMALL;
use crate::svg::{Anchor, Svg};
use crate::text;

/// Of more points none has a name: few would.
const MOST: usize = 400;
/// Pixels of a name at most.
const LONGEST: f64 = 110.0;
/// The square that a point takes.
const POINT: f64 = 9.0;

/// Writes the names that hide nothing.
pub(super) fn draw(svg: &mut Svg, frame: &Frame, places: &[Option<(f64, f64)>], names: &[String]) {
    if places.len() > MOST {
        return;
    }
    let points: Vec<Rect> =
        places.iter().flatten().map(|&at| Rect::around(at, (POINT, POINT))).collect();
    let mut taken: Vec<Rect> = Vec::new();
    for (place, name) in places.iter().zip(names) {
        let (Some((x, y)), false) = (*place, name.is_empty()) else { continue };
        let words = text::fit(name, SMALL, LONGEST);
        let wide = text::width(&words, SMALL);
        let beside = [
            (x + 7.0, y + 4.0),
            (x - 7.0 - wide, y + 4.0),
            (x - wide / 2.0, y - 8.0),
            (x - wide / 2.0, y + 16.0),
        ];
        let free = beside.into_iter().find(|&at| {
            let area = text::area(at, &words, SMALL);
            let inside = area.low.0 >= frame.left
                && area.high.0 <= frame.right
                && area.low.1 >= frame.top
                && area.high.1 <= frame.bottom;
            inside && !points.iter().chain(&taken).any(|other| other.meets(&area))
        });
        if let Some(at) = free {
            svg.text(at, Anchor::Start, "note", &words, name);
            taken.push(text::area(at, &words, SMALL));
        }
    }
}
