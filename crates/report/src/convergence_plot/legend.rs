//! The legend right of the curves: lines, signs, names, iterations and last residuals.

use super::{ConvergenceCurve, curve};
use crate::marker;
use crate::number::{short, thousands};
use crate::svg::{Anchor, Svg};
use crate::text;

const ROW: f64 = 20.0;
const SIGN: f64 = 48.0;
const NAME_ROOM: f64 = 160.0;
/// Where the columns of numbers end.
const COLUMNS: [f64; 3] =
    [SIGN + NAME_ROOM + 62.0, SIGN + NAME_ROOM + 154.0, SIGN + NAME_ROOM + 246.0];

/// One row per curve.
pub(super) struct Legend<'a> {
    curves: &'a [ConvergenceCurve],
    /// What the last number of a curve is called.
    last: &'a str,
}

impl<'a> Legend<'a> {
    pub(super) fn new(curves: &'a [ConvergenceCurve], last: &'a str) -> Self {
        Legend { curves, last }
    }

    pub(super) fn height(&self) -> f64 {
        ROW * (self.curves.len() + 1) as f64 + 8.0
    }

    /// The width; bounds have a column if there are any.
    pub(super) fn width(&self) -> f64 {
        COLUMNS[1 + usize::from(self.has_bounds())]
    }

    fn has_bounds(&self) -> bool {
        self.curves.iter().any(|curve| curve.limit().is_some())
    }

    pub(super) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        if self.curves.is_empty() {
            svg.text((left, top + 11.0), Anchor::Start, "note", "no curve", "");
            return;
        }
        let column = |i: usize| left + COLUMNS[i];
        svg.text((column(0), top + 11.0), Anchor::End, "note", "iterations", "");
        svg.text((column(1), top + 11.0), Anchor::End, "note", self.last, "the last one");
        if self.has_bounds() {
            svg.text((column(2), top + 11.0), Anchor::End, "note", "bound", "dotted lines");
        }
        svg.line((left, top + 18.0), (left + self.width(), top + 18.0), "grid");
        for (i, curve) in self.curves.iter().enumerate() {
            let ConvergenceCurve { name, residuals, .. } = curve;
            let y = top + ROW * (i as f64 + 1.5) + 2.0;
            if curve.has_line() {
                svg.line((left, y), (left + 40.0, y), &curve::class(i));
            }
            marker::draw(svg, i, (left + 20.0, y), "");
            let fitted = text::fit(name, 12.0, NAME_ROOM);
            svg.text((left + SIGN, y + 4.0), Anchor::Start, "", &fitted, name);
            let (steps, last) = match residuals.last() {
                Some(&last) => (thousands(curve.last_iteration()), short(last)),
                None => ("none".to_string(), "–".to_string()),
            };
            svg.text((column(0), y + 4.0), Anchor::End, "", &steps, "");
            svg.text((column(1), y + 4.0), Anchor::End, "", &last, "");
            if let Some(limit) = curve.limit() {
                svg.text((column(2), y + 4.0), Anchor::End, "", &short(limit), "");
            }
        }
    }
}
