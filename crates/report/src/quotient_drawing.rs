//! Which parts exchange how many values.
//!
//! **Problem.** A place for each part, and pairs of parts with values between them.
//!
//! **Method.** Parts are discs where they lie; lines between them are as wide as there are
//! values, in proportion, up to nine pixels for the most and never below half a pixel. More
//! than [`MAX_PAIRS`] lines are thinned to those with the most values, and the key says so.
//!
//! **Cost.** `m log m` for `m` pairs.

use crate::board::keys::{Keys, Sign};
use crate::board::{some, start};
use crate::graph_drawing::places::Places;
use crate::number::{counted, thousands};
use crate::svg::{Anchor, Svg};

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
        let most = drawn.first().map_or(0, |pair| pair.2);
        let keys = self.keys(&places, drawn.len(), most);
        let total: u64 = self.pairs.iter().map(|pair| pair.2).sum();
        let facts = format!(
            "{} · {} · {}",
            some(self.places.len() as u64, "part", "parts"),
            some(pairs.len() as u64, "pair that exchanges", "pairs that exchange"),
            some(total, "value", "values")
        );
        let key = (places.right() + 30.0, TOP);
        let mut svg = start(
            (key.0 + keys.width(), places.bottom().max(key.1 + keys.height())),
            (self.title, self.subtitle, &facts),
            &format!("Parts of a mesh and what they exchange: {facts}."),
        );
        for &(a, b, values) in drawn {
            let hint = format!("parts {a} and {b}: {}", counted(values, "value", "values"));
            let wide = width(values, most);
            svg.wide_line(places.at(a), places.at(b), wide, "strand l0", &hint);
        }
        self.draw_parts(&mut svg, &places);
        keys.draw(&mut svg, key);
        svg.finish()
    }

    fn keys(&self, places: &Places, drawn: usize, most: u64) -> Keys {
        let mut keys = Keys::default();
        keys.push_if(places.count() > 0, Sign::Vertex, "part, at its centroid");
        for values in scale(most) {
            keys.push(Sign::Wide(width(values, most)), counted(values, "value", "values"));
        }
        keys.push_if(most > 0, Sign::Remark, "both directions; widths in proportion,");
        keys.push_if(most > 0, Sign::Remark, "at least half a pixel");
        if drawn < self.pairs.len() {
            let (some, all) = (drawn as u64, self.pairs.len() as u64);
            let words =
                format!("only the {} widest of {} lines drawn", thousands(some), thousands(all));
            keys.push(Sign::Remark, words);
        }
        keys.push_if(places.is_deep, Sign::Remark, "oblique projection: z points towards");
        keys.push_if(places.is_deep, Sign::Remark, "the reader, down left, at half length");
        keys
    }

    /// Discs are small where parts lie near each other.
    fn draw_parts(&self, svg: &mut Svg, places: &Places) {
        let mut radius = vec![(0.12 * places.apart()).clamp(1.2, 4.5); self.places.len()];
        for &(a, b, _) in self.pairs {
            let (from, to) = (places.at(a), places.at(b));
            let apart = (from.0 - to.0).hypot(from.1 - to.1);
            for part in [a, b] {
                let radius = &mut radius[part as usize];
                *radius = radius.min((0.3 * apart).max(0.5));
            }
        }
        let numbered = places.apart() >= ROOM;
        for (part, radius) in (0..).zip(radius) {
            let at = places.at(part);
            svg.disc(at, radius, "vertex", "", &format!("part {part}"));
            if numbered {
                let beside = (at.0 + radius + 1.5, at.1 - radius - 1.5);
                svg.text(beside, Anchor::Start, "small halo", &part.to_string(), "");
            }
        }
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
