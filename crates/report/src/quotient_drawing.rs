//! Which parts exchange how many values.
//!
//! **Problem.** A place for each part, and pairs of parts with values between them.
//!
//! **Method.** Parts are discs where they lie; lines between them are as wide as there are
//! values, in proportion, up to nine pixels for the most and never below half a pixel. More
//! than [`MAX_PAIRS`] lines are thinned to those with the most values, and the key says so. Where
//! parts crowd, an inset shows them larger (`inset.rs`).
//!
//! **Cost.** `m log m` for `m` pairs.

use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::graph_drawing::places::Places;
use crate::inset::{Inset, Rect};
use crate::number::{counted, thousands};
use crate::part_numbers::{self, Numbers};
use crate::svg::Svg;

/// A [`QuotientDrawing`] draws at most this many lines.
pub const MAX_PAIRS: usize = 10_000;
const TOP: f64 = 88.0;
/// Pixels of the widest and the narrowest line.
const WIDEST: f64 = 9.0;
const NARROWEST: f64 = 0.5;

/// Parts that are so many pixels apart have room for their numbers.
const ROOM: f64 = 24.0;

/// Parts and what they exchange.
///
/// ```
/// use palmette_report::QuotientDrawing;
/// let picture = QuotientDrawing {
///     title: "Three parts in a row",
///     subtitle: "",
///     places: &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]],
///     pairs: &[(0, 1, 12), (1, 2, 6)],
/// };
/// assert!(picture.to_svg().contains("parts 0 and 1: 12 values"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuotientDrawing<'a> {
    /// The heading.
    pub title: &'a str,
    /// One line below the heading; may be empty.
    pub subtitle: &'a str,
    /// By part, where it lies; all finite.
    pub places: &'a [[f64; 3]],
    /// Two parts and the values that they exchange, both ways together.
    pub pairs: &'a [(u32, u32, u64)],
}

impl QuotientDrawing<'_> {
    /// The picture.
    ///
    /// # Panics
    /// When a pair names no part.
    pub fn to_svg(&self) -> String {
        let places = Places::new(self.places, TOP);
        let mut pairs = self.pairs.to_vec();
        // Wide lines first, so that narrow ones lie over them.
        pairs.sort_by_key(|&(a, b, values)| (std::cmp::Reverse(values), a, b));
        let drawn = &pairs[..pairs.len().min(MAX_PAIRS)];
        let mut inset = Inset::of(&places, ROOM);
        let mut near = inset.as_ref().map(|inset| self.layer(inset.places(&places), None));
        let whole = self.layer(places, inset.as_ref().map(Inset::mark));

        let most = drawn.first().map_or(0, |pair| pair.2);
        let mut keys = self.keys(&whole.places, drawn.len(), most);
        let numbers: Vec<&Numbers> =
            [Some(&whole), near.as_ref()].into_iter().flatten().map(|l| &l.numbers).collect();
        Numbers::explain(&mut keys, 0..self.places.len() as u32, &numbers);
        let total: u64 = self.pairs.iter().map(|pair| pair.2).sum();
        let facts = format!(
            "{} · {} · {}",
            some(self.places.len() as u64, "part", "parts"),
            some(pairs.len() as u64, "pair that exchanges", "pairs that exchange"),
            some(total, "value", "values")
        );
        let key = whole.places.below();
        let end = Inset::put_below(&mut inset, &mut keys, key, ["part", "parts"]);
        let mut svg = start(
            end,
            (self.title, self.subtitle, &facts),
            &format!("Parts of a mesh and what they exchange: {facts}."),
        );
        whole.draw(&mut svg, drawn);
        keys.draw(&mut svg, key);
        if let (Some(inset), Some(near)) = (&inset, &mut near) {
            near.places.move_by(inset.corner());
            near.draw(&mut svg, drawn);
            inset.draw_frames(&mut svg);
        }
        svg.finish()
    }

    fn keys(&self, places: &Places, drawn: usize, most: u64) -> Keys {
        let mut keys = Keys::default();
        keys.push_if(places.count() > 0, Sign::Vertex, "part, at its centroid");
        for values in scale(most) {
            keys.push(Sign::Wide(width(values, most)), counted(values, "value", "values"));
        }
        if most > 0 {
            keys.remark("both directions; widths in proportion, at least half a pixel");
        }
        if drawn < self.pairs.len() {
            let [some, all] = [drawn, self.pairs.len()].map(|count| thousands(count as u64));
            keys.push(Sign::Remark, format!("only the {some} widest of {all} lines drawn"));
        }
        places.explain(&mut keys);
        keys
    }

    /// Discs are small where parts lie near each other; numbers stand beside them, around a frame.
    fn layer(&self, places: Places, frame: Option<Rect>) -> Layer {
        let mut radii = vec![(0.12 * places.apart()).clamp(1.2, 4.5); self.places.len()];
        for &(a, b, _) in self.pairs {
            let (from, to) = (places.at(a), places.at(b));
            let apart = (from.0 - to.0).hypot(from.1 - to.1);
            for part in [a, b] {
                let radius = &mut radii[part as usize];
                *radius = radius.min((0.3 * apart).max(0.5));
            }
        }
        let discs = || (0..).zip(&radii).map(|(part, &radius)| (part, places.at(part), radius));
        let covered = discs().map(|(_, at, radius)| Rect::around(at, (2.0 * radius, 2.0 * radius)));
        let mut numbers = Numbers::new(&places, frame.into_iter().chain(covered).collect());
        if places.apart() >= ROOM {
            for (part, (x, y), radius) in discs() {
                let (wide, high) = part_numbers::size(part);
                let (right, up) = (radius + wide / 2.0, radius + high / 2.0);
                let around = [(right, -up), (-right, -up), (right, up), (-right, up)];
                numbers.push(part, around.map(|off| (x + off.0, y + off.1)));
            }
        }
        Layer { places, radii, numbers }
    }
}

/// Parts at some places.
struct Layer {
    places: Places,
    radii: Vec<f64>,
    numbers: Numbers,
}

impl Layer {
    /// Draws pairs, the widest first, and parts over them. Nothing leaves the drawing.
    fn draw(&self, svg: &mut Svg, pairs: &[(u32, u32, u64)]) {
        let (places, frame) = (&self.places, self.places.rect());
        let most = pairs.first().map_or(0, |pair| pair.2);
        for &(a, b, values) in pairs {
            // The round ends of a line stay inside, too.
            let wide = width(values, most);
            let inside = frame.shrunk(wide / 2.0);
            if let [from, to] = inside.clip(vec![places.at(a), places.at(b)])[..] {
                let hint = format!("parts {a} and {b}: {}", counted(values, "value", "values"));
                svg.wide_line(&[from, to], wide, "strand l0", &hint);
            }
        }
        for (part, &radius) in (0..).zip(&self.radii) {
            if frame.holds(places.at(part)) {
                svg.disc(places.at(part), radius, "vertex", "", &format!("part {part}"));
            }
        }
        self.numbers.draw(svg, places);
    }
}

/// Pixels of a line.
fn width(values: u64, most: u64) -> f64 {
    (WIDEST * values as f64 / most.max(1) as f64).max(NARROWEST)
}

/// The most, a half and an eighth of it.
fn scale(most: u64) -> Vec<u64> {
    let mut values: Vec<u64> = [most, most / 2, most / 8].into_iter().filter(|&v| v > 0).collect();
    values.dedup();
    values
}
