//! The axes left of and below a mesh, and the colour bar below those, with their numbers.

use super::values::Values;
use crate::colour::viridis;
use crate::graph_drawing::places::Places;
use crate::number::among;
use crate::paper::{INSIDE, SMALL, WIDTH};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;

/// Pixels between numbers, beside and below each other.
const BESIDE: f64 = 14.0;
const BELOW: f64 = 24.0;
/// The bar, and the room left and right of it for half of a number.
const BAR: (f64, f64) = (INSIDE - 2.0 * BAR_ROOM, 12.0);
pub(super) const BAR_ROOM: f64 = 30.0;
/// The height of the bar with its name above and its numbers below.
pub(super) const BAR_HEIGHT: f64 = 62.0;
/// Numbers that an axis has at most.
const MOST: usize = 12;

/// A scale and its numbers, as they are written.
pub(super) struct Axis {
    scale: Scale,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    fn new(ends: (f64, f64), pixels: (f64, f64), apart: impl Fn(f64) -> f64) -> Axis {
        let scale = Scale::new(Spread::Linear, ends, pixels);
        let long = (pixels.1 - pixels.0).abs();
        let written = |count: usize| -> Vec<(f64, String)> {
            scale.even_ticks(count).into_iter().map(|t| (t, among(t, ends))).collect()
        };
        let widest = |ticks: &[(f64, String)]| {
            apart(ticks.iter().map(|t| text::width(&t.1, SMALL)).fold(0.0, f64::max))
        };
        let fit = |ticks: &Vec<(f64, String)>| match &ticks[..] {
            [a, b, ..] => {
                ticks.len() <= MOST && (scale.at(b.0) - scale.at(a.0)).abs() >= widest(ticks)
            }
            _ => true,
        };
        // About as many as asked for: more may do.
        let most = ((long / apart(0.0)) as usize).clamp(1, MOST + MOST / 3);
        let ticks = (1..=most).rev().map(written).find(fit).unwrap_or_default();
        // Without a round number inside the beginning has its own.
        let ticks = if ticks.is_empty() { vec![(ends.0, among(ends.0, ends))] } else { ticks };
        Axis { scale, ticks }
    }

    fn labels(&self) -> impl Iterator<Item = (f64, &str)> {
        self.ticks.iter().map(|(tick, words)| (self.scale.at(*tick), words.as_str()))
    }

    /// The width of the widest number.
    pub(super) fn width(&self) -> f64 {
        self.ticks.iter().map(|t| text::width(&t.1, SMALL)).fold(0.0, f64::max)
    }
}

/// The axes of a mesh at its places, `x` and `y`.
pub(super) fn axes(points: &[[f64; 3]], places: &Places) -> [Axis; 2] {
    let (corner, size) = places.drawn();
    let ends = |axis: usize| range(points.iter().map(|p| p[axis]));
    let x = Axis::new(ends(0), (corner.0, corner.0 + size.0), |wide| wide + BESIDE);
    let y = Axis::new(ends(1), (corner.1 + size.1, corner.1), |_| BELOW);
    [x, y]
}

/// Draws both axes.
pub(super) fn draw(svg: &mut Svg, [x, y]: &[Axis; 2], places: &Places) {
    let (corner, size) = places.drawn();
    let (left, bottom) = (places.rect().low.0, places.bottom());
    svg.line((corner.0, bottom), (corner.0 + size.0, bottom), "axis");
    for (at, words) in x.labels() {
        svg.line((at, bottom), (at, bottom + 4.0), "axis");
        svg.text((inside(at, words), bottom + 17.0), Anchor::Middle, "tick", words, "");
    }
    svg.text((corner.0 + size.0 / 2.0, bottom + 34.0), Anchor::Middle, "note", "x", "");
    svg.line((left, corner.1), (left, corner.1 + size.1), "axis");
    for (at, words) in y.labels() {
        svg.line((left - 4.0, at), (left, at), "axis");
        svg.text((left - 8.0, at + 4.0), Anchor::End, "tick", words, "");
    }
    svg.text((left - 3.0, corner.1 - 12.0), Anchor::End, "note", "y", "");
}

/// The middle of a number, moved so that the number ends inside of the picture.
fn inside(at: f64, words: &str) -> f64 {
    let half = text::width(words, SMALL) / 2.0;
    at.clamp(half + 2.0, (WIDTH - 2.0 - half).max(half + 2.0))
}

/// The bar of colours.
pub(super) struct Bar {
    axis: Axis,
    is_constant: bool,
    range: (f64, f64),
}

impl Bar {
    pub(super) fn new(values: &Values) -> Bar {
        let mut axis = Axis::new(values.range(), (0.0, BAR.0), |wide| wide + BESIDE);
        let is_constant = values.is_constant();
        if is_constant {
            let value = values.range().0;
            axis.ticks = vec![(value, among(value, (value, value)))];
        }
        Bar { axis, is_constant, range: values.range() }
    }

    /// The numbers below it that lie inside of the range, neither at its ends.
    pub(super) fn levels(&self) -> Vec<f64> {
        let ticks = self.axis.ticks.iter().map(|tick| tick.0);
        ticks.filter(|&level| self.range.0 < level && level < self.range.1).collect()
    }

    pub(super) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let shares = (0..=8).map(|i| if self.is_constant { 0.5 } else { f64::from(i) / 8.0 });
        let stops: Vec<String> = shares.map(viridis).collect();
        svg.gradient((left, top), BAR, "values", &stops);
        let bottom = top + BAR.1;
        for (at, words) in self.axis.labels() {
            svg.line((left + at, bottom), (left + at, bottom + 4.0), "axis");
            let x = inside(left + at, words);
            svg.text((x, bottom + 17.0), Anchor::Middle, "tick", words, "");
        }
    }
}
