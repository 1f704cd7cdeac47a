//! The numbers of parts in a picture.
//!
//! **Method.** A number stands at the first of its candidates where it leaves neither the drawing
//! nor meets another number or what must stay free, such as the frame of an inset. The key names
//! the parts that have no number anywhere.

use crate::board::keys::Keys;
use crate::graph_drawing::places::Places;
use crate::inset::Rect;
use crate::svg::{Anchor, Svg};
use crate::text;

/// Pixels of the letters, and of what is free around them.
const SIZE: f64 = 13.0;
const ROOM: f64 = 3.0;
/// The key says of more parts only how many have no number.
const MOST_NAMED: usize = 20;

/// Numbers of parts, and where they stand.
pub(crate) struct Numbers {
    /// Parts and the middles of their numbers, from the corner of the drawing.
    found: Vec<(u32, (f64, f64))>,
    drawing: Rect,
    taken: Vec<Rect>,
}

/// The pixels that the number of a part takes.
pub(crate) fn size(part: u32) -> (f64, f64) {
    (text::width(&part.to_string(), 1.1 * SIZE) + 2.0 * ROOM, SIZE + 2.0)
}

impl Numbers {
    /// No number yet in a drawing where some rectangles must stay free.
    pub(crate) fn new(places: &Places, taken: Vec<Rect>) -> Numbers {
        Numbers { found: Vec::new(), drawing: places.rect(), taken }
    }

    /// Puts a number at the first candidate with room for it.
    pub(crate) fn push(&mut self, part: u32, candidates: impl IntoIterator<Item = (f64, f64)>) {
        let around = candidates.into_iter().map(|at| (at, Rect::around(at, size(part))));
        let is_free = |(_, own): &((f64, f64), Rect)| {
            let inside = self.drawing.holds(own.low) && self.drawing.holds(own.high);
            inside && !self.taken.iter().any(|other| own.meets(other))
        };
        if let Some(((x, y), own)) = { around }.find(is_free) {
            let corner = self.drawing.low;
            self.found.push((part, (x - corner.0, y - corner.1)));
            self.taken.push(own);
        }
    }

    /// Draws the numbers where the drawing lies now.
    pub(crate) fn draw(&self, svg: &mut Svg, places: &Places) {
        let corner = places.rect().low;
        for &(part, (x, y)) in &self.found {
            let baseline = (corner.0 + x, corner.1 + y + 0.36 * SIZE);
            let (words, hint) = (part.to_string(), format!("part {part}"));
            svg.text(baseline, Anchor::Middle, "panel halo", &words, &hint);
        }
    }

    /// The key names the parts that have a number in none of these drawings.
    pub(crate) fn explain(
        keys: &mut Keys,
        parts: impl IntoIterator<Item = u32>,
        drawings: &[&Numbers],
    ) {
        let found = || drawings.iter().flat_map(|numbers| &numbers.found);
        let without = parts.into_iter().filter(|part| found().all(|(other, _)| other != part));
        let without: Vec<String> = without.map(|part| part.to_string()).collect();
        match without.len() {
            0 => (),
            1..=MOST_NAMED => {
                keys.remark(&format!("parts without room for a number: {}", without.join(", ")));
            }
            many => keys.remark(&format!("{many} parts without room for a number")),
        }
    }
}
