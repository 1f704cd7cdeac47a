//! **Problem.** The number of each part, in the part, where it can be read.
//!
//! **Method.** What is seen of filled parts is put on a board of square dots. A number stands in
//! the middle of a largest square of dots of its part, of several the one nearest the part's
//! middle. A part of edges has it on the edge nearest its middle where it meets no other number.
//! Nothing stands on the frame of an inset. A number that would leave its part is left out; so
//! are all of more than [`MOST`] parts, which would make the picture restless.
//!
//! **Cost.** One pass over the dots, of which there are at most 27,000.

use super::Shape;
use super::raster::Dots;
use crate::graph_drawing::places::Places;
use crate::inset::Rect;
use crate::part_numbers::{Numbers, size};
use crate::scale::range;
use palmette_core::NONE;

/// More parts have no numbers.
const MOST: usize = 99;
/// Pixels of the side of a dot.
const DOT: f64 = 4.0;

/// The sides of the room of a part, and where in it a number may stand, best first.
type Room = ((f64, f64), Vec<(f64, f64)>);

/// The numbers of parts that are seen around a frame; `order` has the shapes that are drawn, the
/// farthest first.
pub(super) fn find(
    places: &Places,
    frame: Option<Rect>,
    (shapes, parts): (&[Shape], &[u32]),
    order: &[u32],
) -> Numbers {
    let mut numbers = Numbers::new(places, frame.into_iter().collect());
    let count = parts.iter().filter(|&&p| p != NONE).max().map_or(0, |&p| p as usize + 1);
    if count > MOST {
        return numbers;
    }
    let lines = order.iter().all(|&shape| shapes[shape as usize][2] == NONE);
    let rooms = match lines {
        true => of_lines(places, (shapes, parts), order, count),
        false => of_dots(&Dots::new(places, frame, DOT, (shapes, parts), order), count),
    };
    for (part, ((wide, high), candidates)) in (0..).zip(rooms) {
        let least = size(part);
        if wide >= least.0 && high >= least.1 {
            numbers.push(part, candidates);
        }
    }
    numbers
}

/// A square of dots: its side, how far its centre is from the middle of the part, its centre.
type Square = (u32, f64, (f64, f64));

/// The room of filled parts.
fn of_dots(dots: &Dots, count: usize) -> Vec<Room> {
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
        ((side, side), vec![at])
    };
    best.into_iter().map(|found| found.map(room).unwrap_or_default()).collect()
}

/// The room of parts of edges: half of the rectangle around those in the drawing.
fn of_lines(
    places: &Places,
    (shapes, parts): (&[Shape], &[u32]),
    order: &[u32],
    count: usize,
) -> Vec<Room> {
    let mut middles: Vec<Vec<(f64, f64)>> = vec![Vec::new(); count];
    for &shape in order.iter().filter(|&&shape| parts[shape as usize] != NONE) {
        let [a, b, ..] = shapes[shape as usize];
        if let [a, b] = places.rect().clip(vec![places.at(a), places.at(b)])[..] {
            let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            middles[parts[shape as usize] as usize].push(middle);
        }
    }
    let room = |mut middles: Vec<(f64, f64)>| {
        let mean =
            |of: fn(&(f64, f64)) -> f64| middles.iter().map(of).sum::<f64>() / middles.len() as f64;
        let half = |of: fn(&(f64, f64)) -> f64| {
            let (low, high) = range(middles.iter().map(of));
            (high - low) / 2.0
        };
        let (at, size) = ((mean(|p| p.0), mean(|p| p.1)), (half(|p| p.0), half(|p| p.1)));
        let off = |p: &(f64, f64)| (p.0 - at.0).hypot(p.1 - at.1);
        middles.sort_by(|a, b| off(a).total_cmp(&off(b)));
        (size, middles)
    };
    middles.into_iter().map(room).collect()
}
