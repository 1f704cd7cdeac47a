//! The legend right of a theorem's plot: signs, names, and each series' constants.

use crate::law::{Fit, Law};
use crate::marker;
use crate::number::constant;
use crate::svg::{Anchor, Svg};
use crate::text;

const ROW: f64 = 20.0;
const SIGN: f64 = 30.0;
const NAME_ROOM: f64 = 122.0;
/// Where the columns of numbers end.
const COLUMNS: [f64; 2] = [SIGN + NAME_ROOM + 58.0, SIGN + NAME_ROOM + 128.0];
/// The width of a legend.
pub(super) const WIDTH: f64 = COLUMNS[1];

/// What a row shows left of its name.
pub(super) enum Sign {
    Law,
    Series(usize),
    Baseline,
}

/// The rows of a legend, from the top.
pub(super) struct Legend {
    law: Law,
    rows: Vec<(Sign, String, Option<Fit>)>,
}

impl Legend {
    pub(super) fn new(law: Law) -> Self {
        Legend { law, rows: Vec::new() }
    }

    pub(super) fn push(&mut self, sign: Sign, name: &str, fit: Option<Fit>) {
        self.rows.push((sign, name.to_string(), fit));
    }

    pub(super) fn height(&self) -> f64 {
        ROW * (self.rows.len() + 1) as f64 + 8.0
    }

    pub(super) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        let column = |i: usize| left + COLUMNS[i];
        if self.rows.iter().any(|row| row.2.is_some()) {
            let of = match self.law {
                Law::Constant => "constants".to_string(),
                law => format!("times {law}"),
            };
            svg.text((left + SIGN, top + 11.0), Anchor::Start, "note", &of, "");
            svg.text((column(0), top + 11.0), Anchor::End, "note", "fit", "geometric mean");
            svg.text((column(1), top + 11.0), Anchor::End, "note", "most", "largest ratio");
            svg.line((left, top + 18.0), (left + WIDTH, top + 18.0), "grid");
        }
        for (i, (sign, name, fit)) in self.rows.iter().enumerate() {
            let y = top + ROW * (i as f64 + 1.5) + 2.0;
            let (from, to, middle) = ((left, y), (left + 24.0, y), (left + 12.0, y));
            match *sign {
                Sign::Law => svg.line(from, to, "law"),
                Sign::Series(i) => {
                    svg.line(from, to, &marker::line_class(i));
                    marker::draw(svg, i, middle, "");
                }
                Sign::Baseline => {
                    svg.line(from, to, "baseline");
                    marker::draw_baseline(svg, middle, "");
                }
            }
            let room = if fit.is_some() { NAME_ROOM } else { WIDTH - SIGN };
            let fitted = text::fit(name, 12.0, room);
            svg.text((left + SIGN, y + 4.0), Anchor::Start, "", &fitted, name);
            if let Some(fit) = fit {
                for (i, value) in [fit.constant, fit.largest].into_iter().enumerate() {
                    svg.text((column(i), y + 4.0), Anchor::End, "", &constant(value), "");
                }
            }
        }
    }
}
