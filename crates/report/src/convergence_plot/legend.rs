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
const COLUMNS: [f64; 2] = [SIGN + NAME_ROOM + 62.0, SIGN + NAME_ROOM + 154.0];
/// The width of a legend.
pub(super) const WIDTH: f64 = COLUMNS[1];

/// One row a curve.
pub(super) struct Legend<'a>(&'a [ConvergenceCurve]);

impl<'a> Legend<'a> {
    pub(super) fn new(curves: &'a [ConvergenceCurve]) -> Self {
        Legend(curves)
    }

    pub(super) fn height(&self) -> f64 {
        ROW * (self.0.len() + 1) as f64 + 8.0
    }

    pub(super) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        if self.0.is_empty() {
            svg.text((left, top + 11.0), Anchor::Start, "note", "no curve", "");
            return;
        }
        let column = |i: usize| left + COLUMNS[i];
        svg.text((column(0), top + 11.0), Anchor::End, "note", "iterations", "");
        svg.text((column(1), top + 11.0), Anchor::End, "note", "residual", "the last one");
        svg.line((left, top + 18.0), (left + WIDTH, top + 18.0), "grid");
        for (i, ConvergenceCurve { name, residuals }) in self.0.iter().enumerate() {
            let y = top + ROW * (i as f64 + 1.5) + 2.0;
            if residuals.len() > 2 {
                svg.line((left, y), (left + 40.0, y), &curve::class(i));
            }
            marker::draw(svg, i, (left + 20.0, y), "");
            let fitted = text::fit(name, 12.0, NAME_ROOM);
            svg.text((left + SIGN, y + 4.0), Anchor::Start, "", &fitted, name);
            let (steps, last) = match residuals.last() {
                Some(&last) => (thousands(residuals.len() as u64 - 1), short(last)),
                None => ("none".to_string(), "–".to_string()),
            };
            svg.text((column(0), y + 4.0), Anchor::End, "", &steps, "");
            svg.text((column(1), y + 4.0), Anchor::End, "", &last, "");
        }
    }
}
