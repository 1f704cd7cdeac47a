//! Lines of several series, named at their right ends.

use super::{AxisSpec, Frame};
use crate::colour;
use crate::number::{full, short};
use crate::paper::{MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;

const HEIGHT: f64 = 440.0;
const LABEL: f64 = 12.0;
const LABEL_ROOM: f64 = 130.0;

/// One line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Shown at the right end of the line.
    pub name: String,
    /// Points in the order in which they are joined.
    pub points: Vec<(f64, f64)>,
}

/// Several series over one pair of axes.
///
/// Points that are not finite, or not positive on a logarithmic axis, cannot be drawn; the
/// picture states how many those are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineChart {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// The horizontal axis.
    pub x: AxisSpec,
    /// The vertical axis; a linear one includes 0.
    pub y: AxisSpec,
    /// The lines; at most seven have colours of their own.
    pub series: Vec<Series>,
    /// Dashed lines without names, each in the colour of the line with the same number: what
    /// that is compared with. The note says what they are.
    pub dashed: Vec<Vec<(f64, f64)>>,
    /// Lines without signs at their points.
    pub unmarked: bool,
    /// Points that are not joined.
    pub scattered: bool,
    /// The horizontal axis has its numbers in full, as years are read.
    pub in_full: bool,
}

impl LineChart {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let names: Vec<String> =
            self.series.iter().map(|s| text::fit(&s.name, LABEL, LABEL_ROOM)).collect();
        let widest = names.iter().map(|n| text::width(n, LABEL)).fold(0.0, f64::max);
        let frame =
            Frame { left: 52.0, top: 90.0, right: WIDTH - MARGIN - 26.0 - widest, bottom: 385.0 };
        let drawable = |&(x, y): &(f64, f64)| fits(x, self.x.spread) && fits(y, self.y.spread);
        let points = || self.series.iter().map(|s| &s.points).chain(&self.dashed).flatten();
        let shown = || points().filter(|p| drawable(p));
        let x = Scale::nice(self.x.spread, range(shown().map(|p| p.0)), frame.horizontal());
        let mut y_range = range(shown().map(|p| p.1));
        if self.y.spread == Spread::Linear {
            y_range = (y_range.0.min(0.0), y_range.1.max(0.0));
        }
        let y = Scale::nice(self.y.spread, y_range, frame.vertical());

        let all: Vec<&str> = self.series.iter().map(|s| s.name.as_str()).collect();
        let (over, of) = (self.x.caption(), self.y.caption());
        let description = format!("{of} against {over} for {}.", all.join(", "));
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.title, &description);
        heading(&mut svg, &self.title, &[&self.note]);
        frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), &of);
        let number = if self.in_full { full } else { short };
        frame.draw_x_as(&mut svg, &x, &frame.x_ticks(&x), &over, number);
        for (i, points) in self.dashed.iter().enumerate() {
            let kept = points.iter().filter(|p| drawable(p)).map(|p| (x.at(p.0), y.at(p.1)));
            let class = format!("line thin dashed {}", colour::stroke(i));
            svg.polyline(&kept.collect::<Vec<_>>(), &class);
        }
        let mut ends = Vec::new();
        for (i, series) in self.series.iter().enumerate() {
            let kept: Vec<&(f64, f64)> = series.points.iter().filter(|p| drawable(p)).collect();
            let pixels: Vec<(f64, f64)> = kept.iter().map(|p| (x.at(p.0), y.at(p.1))).collect();
            if !self.scattered {
                let thin = if self.unmarked { " thin" } else { "" };
                svg.polyline(&pixels, &format!("line{thin} {}", colour::stroke(i)));
            }
            let marked = if self.unmarked { 0 } else { kept.len() };
            for (point, &pixel) in kept.iter().zip(&pixels).take(marked) {
                let hint = format!("{}: {}, {}", series.name, number(point.0), short(point.1));
                svg.disc(pixel, 3.5, &colour::fill(i), "", &hint);
            }
            let end = pixels.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0));
            ends.extend(end.map(|end| (end, i)));
        }
        self.draw_names(&mut svg, &frame, &names, ends);
        let hidden = points().count() - shown().count();
        if hidden > 0 {
            let text = format!("{hidden} points cannot be drawn on these axes");
            svg.text((frame.left, HEIGHT - 6.0), Anchor::Start, "note", &text, "");
        }
        svg.finish()
    }

    /// Names beside the ends of their lines, moved apart where they would overlap.
    fn draw_names(
        &self,
        svg: &mut Svg,
        frame: &Frame,
        names: &[String],
        mut ends: Vec<((f64, f64), usize)>,
    ) {
        const GAP: f64 = 16.0;
        ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
        let mut at: Vec<f64> = ends.iter().map(|e| e.0.1).collect();
        for i in 1..at.len() {
            at[i] = at[i].max(at[i - 1] + GAP);
        }
        // Whatever was pushed below the frame pushes its neighbours up again.
        let mut lowest = frame.bottom;
        for y in at.iter_mut().rev() {
            *y = y.min(lowest);
            lowest = *y - GAP;
        }
        for (&(end, series), y) in ends.iter().zip(at) {
            let beside = (frame.right + 18.0, y);
            svg.polyline(
                &[(end.0 + 4.0, end.1), (frame.right + 8.0, y), beside],
                &format!("line thin {}", colour::stroke(series)),
            );
            svg.text(
                (beside.0 + 5.0, y + 4.0),
                Anchor::Start,
                "",
                &names[series],
                &self.series[series].name,
            );
        }
    }
}

fn fits(value: f64, spread: Spread) -> bool {
    value.is_finite() && (spread == Spread::Linear || value > 0.0)
}
