//! **Problem.** The number of each part, in the part, where it can be read.
//!
//! **Method.** What is seen of filled parts is put on a board of square dots. A number stands in
//! the middle of a largest square of dots of its part, of several the one nearest the part's
//! middle. A part of edges has it at its middle. A number that would leave its part, or meet
//! another one, is left out; so are all of more than [`MOST`] parts, which would make the
//! picture restless.
//!
//! **Cost.** One pass over the dots, of which there are at most 27,000.

use super::Shape;
use super::raster::Dots;
use crate::graph_drawing::places::Places;
use crate::inset::Rect;
use crate::scale::range;
use crate::svg::{Anchor, Svg};
use crate::text;
use palmette_core::NONE;

/// More parts have no numbers.
pub(super) const MOST: usize = 99;
/// Pixels of the side of a dot.
const DOT: f64 = 4.0;
/// Pixels of the letters, and of what is free around them.
const SIZE: f64 = 13.0;
const ROOM: f64 = 3.0;

/// The middle of the room of a part, and the sides of that room.
type Room = ((f64, f64), (f64, f64));

/// Draws the numbers of parts that are seen in a rectangle; `order` has the shapes that are drawn,
/// the farthest first.
pub(super) fn draw(
    svg: &mut Svg,
    (places, rect): (&Places, Rect),
    (shapes, parts): (&[Shape], &[u32]),
    order: &[u32],
) {
    let count = parts.iter().filter(|&&p| p != NONE).max().map_or(0, |&p| p as usize + 1);
    if count > MOST {
        return;
    }
    let lines = order.iter().all(|&shape| shapes[shape as usize][2] == NONE);
    let rooms = match lines {
        true => of_lines(places, rect, (shapes, parts), order, count),
        false => of_dots(&Dots::new(places, rect, DOT, (shapes, parts), order), count),
    };
    let mut taken: Vec<[f64; 4]> = Vec::new();
    for (part, room) in rooms.into_iter().enumerate() {
        let Some(((x, y), (width, height))) = room else { continue };
        let words = part.to_string();
        let (wide, high) = (text::width(&words, 1.1 * SIZE) + 2.0 * ROOM, SIZE + 2.0);
        let own = [x - wide / 2.0, y - high / 2.0, x + wide / 2.0, y + high / 2.0];
        let meets = |other: &[f64; 4]| {
            own[0] < other[2] && other[0] < own[2] && own[1] < other[3] && other[1] < own[3]
        };
        if width < wide || height < high || taken.iter().any(meets) {
            continue;
        }
        taken.push(own);
        let baseline = (x, y + 0.36 * SIZE);
        svg.text(baseline, Anchor::Middle, "panel halo", &words, &format!("part {part}"));
    }
}

/// A square of dots: its side, how far its centre is from the middle of the part, its centre.
type Square = (u32, f64, (f64, f64));

/// The room of filled parts.
fn of_dots(dots: &Dots, count: usize) -> Vec<Option<Room>> {
    let (columns, at) = (dots.columns, |row: usize, column: usize| dots.at(row, column));
    let mut middles = vec![(0.0, 0.0, 0usize); count];
    // The side of the largest square whose lower right dot this is.
    let mut sides = vec![0u32; columns * dots.rows];
    for row in 0..dots.rows {
        for column in 0..columns {
            let part = at(row, column);
            if part == NONE {
                continue;
            }
            let middle = &mut middles[part as usize];
            *middle = (middle.0 + column as f64, middle.1 + row as f64, middle.2 + 1);
            let here = row * columns + column;
            let same = row > 0
                && column > 0
                && [at(row - 1, column), at(row, column - 1), at(row - 1, column - 1)]
                    .iter()
                    .all(|&other| other == part);
            sides[here] = match same {
                true => {
                    1 + sides[here - 1].min(sides[here - columns]).min(sides[here - columns - 1])
                }
                false => 1,
            };
        }
    }
    let mut best: Vec<Option<Square>> = vec![None; count];
    for row in 0..dots.rows {
        for column in 0..columns {
            let (part, side) = (at(row, column), sides[row * columns + column]);
            if part == NONE {
                continue;
            }
            let half = (f64::from(side) - 1.0) / 2.0;
            let centre = (column as f64 - half, row as f64 - half);
            let (x, y, dots) = middles[part as usize];
            let dots = dots as f64;
            let off = (centre.0 - x / dots).hypot(centre.1 - y / dots);
            let found = &mut best[part as usize];
            if found.is_none_or(|(s, o, _)| side > s || (side == s && off < o)) {
                *found = Some((side, off, centre));
            }
        }
    }
    let room = |(side, _, (column, row)): Square| {
        let at = (dots.corner.0 + DOT * (column + 0.5), dots.corner.1 + DOT * (row + 0.5));
        let side = DOT * f64::from(side);
        (at, (side, side))
    };
    best.into_iter().map(|found| found.map(room)).collect()
}

/// The room of parts of edges: half of the rectangle around those in the frame.
fn of_lines(
    places: &Places,
    rect: Rect,
    (shapes, parts): (&[Shape], &[u32]),
    order: &[u32],
    count: usize,
) -> Vec<Option<Room>> {
    let mut middles: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count];
    for &shape in order.iter().filter(|&&shape| parts[shape as usize] != NONE) {
        let [a, b, ..] = shapes[shape as usize];
        if let [a, b] = rect.clip(vec![places.at(a), places.at(b)])[..] {
            let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            middles[parts[shape as usize] as usize].push(middle);
        }
    }
    let room = |middles: Vec<(f64, f64)>| {
        let mean =
            |of: fn(&(f64, f64)) -> f64| middles.iter().map(of).sum::<f64>() / middles.len() as f64;
        let half = |of: fn(&(f64, f64)) -> f64| {
            let (low, high) = range(middles.iter().map(of));
            (high - low) / 2.0
        };
        let at = (mean(|p| p.0), mean(|p| p.1));
        (!middles.is_empty()).then(|| (at, (half(|p| p.0), half(|p| p.1))))
    };
    middles.into_iter().map(room).collect()
}
