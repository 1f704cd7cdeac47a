//! Several quantities over one horizontal axis, one below the other.

use super::{AxisSpec, Frame};
use crate::colour;
use crate::number::short;
use crate::paper::{MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::Svg;

/// Pixels of a panel, and between two of them.
const PANEL: f64 = 108.0;
const APART: f64 = 42.0;
const TOP: f64 = 90.0;

/// Quantities that have no axis in common but the horizontal one.
///
/// Points that are not finite, or not positive on a logarithmic axis, are left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StackedChart {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis of each panel, and its points from left to right; a linear axis includes 0.
    pub panels: Vec<(AxisSpec, Vec<(f64, f64)>)>,
}

impl StackedChart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let count = self.panels.len() as f64;
        let height = TOP + count * (PANEL + APART) + 14.0;
        let names: Vec<String> = self.panels.iter().map(|(axis, _)| axis.caption()).collect();
        let description = format!("{} against {}.", names.join("; "), self.x.caption());
        let mut svg = Svg::new(WIDTH, height, &self.title, &description);
        heading(&mut svg, &self.title, &[&self.note]);
        let all = || self.panels.iter().flat_map(|(_, points)| points).map(|point| point.0);
        let mut last = None;
        for (i, (axis, points)) in self.panels.iter().enumerate() {
            let top = TOP + i as f64 * (PANEL + APART);
            let frame =
                Frame { left: 52.0, top, right: WIDTH - MARGIN - 10.0, bottom: top + PANEL };
            let x = Scale::nice(self.x.spread, range(all()), frame.horizontal());
            let fits = |y: f64| y.is_finite() && (axis.spread == Spread::Linear || y > 0.0);
            let shown = || points.iter().filter(|point| fits(point.1));
            let mut span = range(shown().map(|point| point.1));
            if axis.spread == Spread::Linear {
                span = (span.0.min(0.0), span.1.max(0.0));
            }
            let y = Scale::nice(axis.spread, span, frame.vertical());
            frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), &axis.caption());
            let pixels: Vec<_> = shown().map(|p| (x.at(p.0), y.at(p.1))).collect();
            svg.polyline(&pixels, &format!("line {}", colour::stroke(i)));
            for (point, &pixel) in shown().zip(&pixels) {
                let hint = format!("{}: {}", short(point.0), short(point.1));
                svg.disc(pixel, 3.5, &colour::fill(i), "", &hint);
            }
            last = Some((frame, x));
        }
        if let Some((frame, x)) = last {
            frame.draw_x(&mut svg, &x, &frame.x_ticks(&x), &self.x.caption());
        }
        svg.finish()
    }
}
