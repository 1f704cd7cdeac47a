//! The legend of a dendrogram: scale bar or axis, and colours.

use super::Arrangement;
use crate::colour::viridis;
use crate::number::short;
use crate::paper::{INSIDE, SMALL};
use crate::scale::{Scale, Spread, range, step};
use crate::svg::{Anchor, Svg};
use crate::text;

/// A scale bar for branch lengths, or an axis of depths, at this height.
pub(super) fn draw_distance(
    svg: &mut Svg,
    x: &Scale,
    layout: &Arrangement,
    by_length: bool,
    y: f64,
) {
    let (low, high) = layout.range();
    if by_length {
        let pixels = (x.at(high) - x.at(low)) / (high - low);
        return draw_bar(svg, (x.at(low), y), pixels, high - low, "(branch length)");
    }
    let (from, to) = (x.at(low), x.at(high));
    let last = f64::from(layout.height);
    svg.line((from, y), (if last == 0.0 { from } else { to }, y), "axis");
    let count = ((to - from) / 50.0).max(2.0);
    let every = step(last / count).max(1.0);
    for tick in (0..=(last / every) as u32).map(|i| f64::from(i) * every) {
        svg.line((x.at(tick), y), (x.at(tick), y + 4.0), "axis");
        svg.text((x.at(tick), y + 16.0), Anchor::Middle, "tick", &short(tick), "");
    }
    svg.text((from, y + 32.0), Anchor::Start, "note", "depth (edges from the root)", "");
}

/// A scale bar from this point on, of about an eighth of the extent, which has so many pixels per
/// unit.
pub(crate) fn draw_bar(svg: &mut Svg, (from, y): (f64, f64), pixels: f64, extent: f64, unit: &str) {
    let length = step(extent / 8.0);
    let to = from + length * pixels;
    svg.line((from, y), (to, y), "axis");
    for end in [from, to] {
        svg.line((end, y - 4.0), (end, y + 4.0), "axis");
    }
    let caption = format!("{} {unit}", short(length));
    let fitted = text::fit(&caption, SMALL, INSIDE - 20.0);
    svg.text((from, y + 18.0), Anchor::Start, "tick", &fitted, &caption);
}

/// Values as colours: linear, or logarithmic where they span more than a factor of 50.
pub(crate) struct ValueColours<'a> {
    name: &'a str,
    values: &'a [f64],
    range: (f64, f64),
    spread: Spread,
    unit: Scale,
}

const BAR: (f64, f64) = (300.0, 10.0);

impl<'a> ValueColours<'a> {
    pub(crate) fn new(name: &'a str, values: &'a [f64]) -> Self {
        let finite = || values.iter().copied().filter(|v| v.is_finite());
        let range = range(finite());
        let spread = Spread::by_range(finite(), 50.0);
        let unit = Scale::new(spread, range, (0.0, 1.0));
        ValueColours { name, values, range, spread, unit }
    }

    /// The colour of a position, if it has a value.
    pub(crate) fn of(&self, position: usize) -> Option<String> {
        let value = self.values[position];
        value.is_finite().then(|| viridis(self.unit.at(value)))
    }

    /// The colour bar with its name, its ticks, and a sign for missing values.
    pub(crate) fn draw(&self, svg: &mut Svg, at: (f64, f64)) {
        let log = if self.spread == Spread::Log { ", log scale" } else { "" };
        let name = format!("{}{log}", text::fit(self.name, SMALL, INSIDE - 80.0));
        svg.text((at.0, at.1 + 9.0), Anchor::Start, "", &name, self.name);
        // The bar lies below its name, with room for half of a number.
        let (left, at) = (at.0 + 16.0, (at.0, at.1 + 18.0));
        let stops: Vec<String> = (0..=16).map(|i| viridis(f64::from(i) / 16.0)).collect();
        let mut after = left;
        if self.values.iter().any(|v| v.is_finite()) {
            svg.gradient((left, at.1), BAR, "values", &stops);
            let scale = Scale::new(self.spread, self.range, (left, left + BAR.0));
            let one = self.range.0 == self.range.1;
            let ticks = if one { vec![self.range.0] } else { scale.ticks(4) };
            for tick in ticks {
                let x = scale.at(tick);
                svg.line((x, at.1 + BAR.1), (x, at.1 + BAR.1 + 4.0), "axis");
                let baseline = (x, at.1 + BAR.1 + 16.0);
                svg.text(baseline, Anchor::Middle, "tick", &short(tick), "");
            }
            after = left + BAR.0 + 30.0;
        }
        if self.values.iter().any(|v| !v.is_finite()) {
            svg.disc((after, at.1 + 5.0), 4.0, "ring missing", "", "");
            svg.text((after + 10.0, at.1 + 9.0), Anchor::Start, "note", "no value", "");
        }
    }
}
