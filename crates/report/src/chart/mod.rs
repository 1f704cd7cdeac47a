//! Charts, and the frame of axes they share.
//!
//! Names of vertical axes stand above the axis, not rotated beside it. A logarithmic axis
//! says so in its name.

mod bar;
pub(crate) mod bins;
mod line;
mod stacked;

pub use bar::BarChart;
pub use line::{LineChart, Series};
pub use stacked::StackedChart;

use crate::number::short;
use crate::paper::SMALL;
use crate::scale::{Scale, Spread};
use crate::svg::{Anchor, Svg};
use crate::text;

/// What an axis shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AxisSpec {
    /// The quantity and its unit, such as `time (s)`.
    pub name: String,
    /// Linear or logarithmic.
    pub spread: Spread,
}

impl AxisSpec {
    /// A linear axis.
    pub fn linear(name: &str) -> Self {
        AxisSpec { name: name.to_string(), spread: Spread::Linear }
    }

    /// A logarithmic axis.
    pub fn log(name: &str) -> Self {
        AxisSpec { name: name.to_string(), spread: Spread::Log }
    }

    pub(crate) fn caption(&self) -> String {
        match self.spread {
            Spread::Linear => self.name.clone(),
            Spread::Log => format!("{}, log scale", self.name),
        }
    }
}

/// The rectangle in which data is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn horizontal(&self) -> (f64, f64) {
        (self.left, self.right)
    }

    /// Upwards: small numbers at the bottom.
    pub(crate) fn vertical(&self) -> (f64, f64) {
        (self.bottom, self.top)
    }

    /// Grid lines, numbers and name of the vertical axis.
    pub(crate) fn draw_y(&self, svg: &mut Svg, scale: &Scale, ticks: &[f64], caption: &str) {
        for &tick in ticks {
            let y = scale.at(tick);
            svg.line((self.left, y), (self.right, y), "grid");
            svg.text((self.left - 7.0, y + 4.0), Anchor::End, "tick", &short(tick), "");
        }
        let caption = text::fit(caption, SMALL, self.right - self.left + 30.0);
        svg.text((self.left - 30.0, self.top - 12.0), Anchor::Start, "note", &caption, "");
    }

    /// The vertical axis of counts up to `most`, drawn. A logarithmic one has room below 1, so that
    /// a count of one is not on the axis.
    pub(crate) fn draw_counts(
        &self,
        svg: &mut Svg,
        name: &str,
        spread: Spread,
        most: f64,
    ) -> Scale {
        let most = most.max(1.0);
        let scale = match spread {
            Spread::Linear => Scale::nice(spread, (0.0, most), self.vertical()),
            Spread::Log => {
                Scale::new(spread, (0.6, 10f64.powf(most.log10().ceil())), self.vertical())
            }
        };
        let caption = AxisSpec { name: name.to_string(), spread }.caption();
        self.draw_y(svg, &scale, &whole(self.y_ticks(&scale)), &caption);
        scale
    }

    /// The base line, the numbers at these ticks and the name of the horizontal axis.
    pub(crate) fn draw_x(&self, svg: &mut Svg, scale: &Scale, ticks: &[f64], caption: &str) {
        self.draw_x_as(svg, scale, ticks, caption, short);
    }

    /// The same with numbers as `number` writes them.
    pub(crate) fn draw_x_as(
        &self,
        svg: &mut Svg,
        scale: &Scale,
        ticks: &[f64],
        caption: &str,
        number: fn(f64) -> String,
    ) {
        svg.line((self.left, self.bottom), (self.right, self.bottom), "axis");
        for &tick in ticks {
            self.x_tick(svg, scale.at(tick), &number(tick));
        }
        self.x_caption(svg, caption);
    }

    pub(crate) fn x_tick(&self, svg: &mut Svg, x: f64, number: &str) {
        svg.line((x, self.bottom), (x, self.bottom + 4.0), "axis");
        svg.text((x, self.bottom + 17.0), Anchor::Middle, "tick", number, "");
    }

    pub(crate) fn x_caption(&self, svg: &mut Svg, caption: &str) {
        let middle = (self.left + self.right) / 2.0;
        let caption = text::fit(caption, SMALL, self.right - self.left);
        svg.text((middle, self.bottom + 35.0), Anchor::Middle, "note", &caption, "");
    }

    /// As many ticks as fit one above the other; more for powers of ten, which are read
    /// faster.
    pub(crate) fn y_ticks(&self, scale: &Scale) -> Vec<f64> {
        let apart = if scale.spread() == Spread::Log { 28.0 } else { 45.0 };
        let count = ((self.bottom - self.top) / apart) as usize;
        let ticks = scale.ticks(count);
        // A logarithmic axis of less than a decade has few round numbers of its own.
        if ticks.len() < 3 { scale.even_ticks(count.clamp(2, 6)) } else { ticks }
    }

    /// As many ticks as fit side by side.
    pub(crate) fn x_ticks(&self, scale: &Scale) -> Vec<f64> {
        scale.ticks(((self.right - self.left) / 65.0) as usize)
    }
}

/// The ticks that are whole numbers, for axes that count.
pub(crate) fn whole(mut ticks: Vec<f64>) -> Vec<f64> {
    ticks.retain(|t| t.fract() == 0.0 && *t >= 0.0);
    ticks
}
