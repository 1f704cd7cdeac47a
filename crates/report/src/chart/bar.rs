//! Groups of horizontal bars, with their values written out.
//!
//! Bars lie on their side so that names need no turning, and begin at 0 on a linear axis so
//! that lengths can be compared.

use super::Frame;
use crate::colour;
use crate::number::short;
use crate::paper::{MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;

const BAR: f64 = 17.0;
const GROUP_GAP: f64 = 16.0;
const NAME_ROOM: f64 = 140.0;

/// An entry of the legend: the corner of its square, and its name.
type Key = ((f64, f64), String);

/// One value for each group and each series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BarChart {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// The quantity and its unit.
    pub value: String,
    /// The names of the groups, from the top.
    pub groups: Vec<String>,
    /// A name and one value per group for each series; NaN where there is none.
    pub series: Vec<(String, Vec<f64>)>,
}

impl BarChart {
    /// The picture. Negative values are shown as missing.
    pub fn to_svg(&self) -> String {
        let names: Vec<String> =
            self.groups.iter().map(|g| text::fit(g, 12.0, NAME_ROOM)).collect();
        let widest = names.iter().map(|n| text::width(n, 12.0)).fold(30.0, f64::max);
        let (keys, key_rows) = self.place_keys();
        let top = 66.0 + 20.0 * key_rows as f64;
        let group = BAR * self.series.len().max(1) as f64 + GROUP_GAP;
        let bottom = top + group * self.groups.len().max(1) as f64;
        let frame = Frame { left: MARGIN + widest + 10.0, top, right: WIDTH - 70.0, bottom };
        let all = self.series.iter().flat_map(|s| s.1.iter().copied()).filter(|v| *v >= 0.0);
        let x = Scale::nice(Spread::Linear, (0.0, range(all).1), frame.horizontal());

        let series: Vec<&str> = self.series.iter().map(|s| s.0.as_str()).collect();
        let description =
            format!("{} of {} for {}.", self.value, series.join(", "), self.groups.join(", "));
        let mut svg = Svg::new(WIDTH, bottom + 50.0, &self.title, &description);
        heading(&mut svg, &self.title, &[&self.note]);
        for (i, (corner, key)) in keys.iter().enumerate() {
            svg.rect(*corner, (11.0, 11.0), &colour::fill(i), "");
            svg.text((corner.0 + 17.0, corner.1 + 10.0), Anchor::Start, "", key, "");
        }
        let ticks = frame.x_ticks(&x);
        for &tick in &ticks {
            svg.line((x.at(tick), top), (x.at(tick), bottom), "grid");
        }
        frame.draw_x(&mut svg, &x, &ticks, &self.value);
        svg.line((frame.left, top), (frame.left, bottom), "axis");
        for (g, name) in names.iter().enumerate() {
            let first = top + group * g as f64 + GROUP_GAP / 2.0;
            let middle = first + (group - GROUP_GAP) / 2.0;
            let hint = &self.groups[g];
            svg.text((frame.left - 8.0, middle + 4.0), Anchor::End, "", name, hint);
            for s in 0..self.series.len() {
                let y = first + BAR * s as f64;
                let Some(value) = self.get(s, g) else {
                    svg.text((frame.left + 6.0, y + 12.5), Anchor::Start, "note", "no value", "");
                    continue;
                };
                let label = short(value);
                let hint = format!("{}, {}: {label}", self.groups[g], self.series[s].0);
                let end = x.at(value);
                let size = (end - frame.left, BAR - 2.0);
                svg.rect((frame.left, y + 1.0), size, &colour::fill(s), &hint);
                svg.text((end + 6.0, y + 12.5), Anchor::Start, "note halo", &label, "");
            }
        }
        svg.finish()
    }

    fn get(&self, series: usize, group: usize) -> Option<f64> {
        let value = *self.series.get(series)?.1.get(group)?;
        (value.is_finite() && value >= 0.0).then_some(value)
    }

    /// The legend, wrapped into rows; empty for one series, whose name the title has.
    fn place_keys(&self) -> (Vec<Key>, usize) {
        if self.series.len() < 2 {
            return (Vec::new(), 0);
        }
        let (mut x, mut row) = (MARGIN, 0);
        let mut keys = Vec::new();
        for (name, _) in &self.series {
            let name = text::fit(name, 12.0, NAME_ROOM);
            let wide = 17.0 + text::width(&name, 12.0) + 18.0;
            if x + wide > WIDTH && x > MARGIN {
                (x, row) = (MARGIN, row + 1);
            }
            keys.push(((x, 58.0 + 20.0 * row as f64), name));
            x += wide;
        }
        (keys, row + 1)
    }
}
