//! Voltages against the distance from the source, by phase.
//!
//! **Method.** A branch is a line from one end's distance and voltage to the other's; those of a phase
//! are one path in its colour. Lines that are the same in tenths of pixels are drawn once, so that a
//! picture of 10^6 branches is a few megabytes. Grey lines mark the limits of voltage.
//!
//! **Cost.** Linear in the branches.

use super::add_line;
use crate::chart::Frame;
use crate::colour::{PLOT_STYLE, stroke};
use crate::legend::{Legend, Sign};
use crate::number::{counted, short};
use crate::paper::{INSIDE, MARGIN, WIDTH, heading};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use std::collections::HashSet;

const TOP: f64 = 92.0;
const FRAME_HEIGHT: f64 = 330.0;

/// A branch: the distance and the voltage per unit of both ends.
pub type ProfileLine = [(f64, f64); 2];

/// Voltages along a feeder.
///
/// ```
/// use palmette_report::VoltageProfile;
/// let picture = VoltageProfile {
///     title: "Voltages of a feeder".into(),
///     distance: "km from the source".into(),
///     phases: vec![("a".into(), vec![[(0.0, 1.0), (1.5, 0.97)]])],
///     limits: Some((0.95, 1.05)),
///     ..VoltageProfile::default()
/// };
/// assert!(picture.to_svg().contains("km from the source"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VoltageProfile {
    /// The heading.
    pub title: String,
    /// One line below the heading; may be empty.
    pub note: String,
    /// What the horizontal axis has.
    pub distance: String,
    /// By phase, its name and its branches.
    pub phases: Vec<(String, Vec<ProfileLine>)>,
    /// The lowest and the highest voltage that are allowed, per unit.
    pub limits: Option<(f64, f64)>,
}

impl VoltageProfile {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let bottom = TOP + FRAME_HEIGHT;
        let frame = Frame { left: 58.0, top: TOP, right: WIDTH - MARGIN, bottom };
        let ends = || self.phases.iter().flat_map(|(_, lines)| lines).flatten();
        let x = Scale::new(Spread::Linear, range(ends().map(|end| end.0)), frame.horizontal());
        let (mut low, mut high) = range(ends().map(|end| end.1));
        // A limit is shown where voltages come near it.
        let near = (high - low).max(0.02);
        let limits: Vec<f64> = self
            .limits
            .into_iter()
            .flat_map(|(low, high)| [low, high])
            .filter(|&limit| limit > low - near && limit < high + near)
            .collect();
        for &limit in &limits {
            (low, high) = (low.min(limit), high.max(limit));
        }
        let room = 0.06 * (high - low).max(1e-3);
        let y = Scale::new(Spread::Linear, (low - room, high + room), frame.vertical());
        let legend = self.legend();
        let below = bottom + 46.0;
        let height = below + legend.as_ref().map_or(0.0, Legend::height) + 8.0;
        let mut svg = Svg::new(WIDTH, height, &self.title, &self.describe());
        svg.add_style(PLOT_STYLE.to_string());
        heading(&mut svg, &self.title, &[&self.note]);
        frame.draw_y(&mut svg, &y, &frame.y_ticks(&y), "voltage (p.u.)");
        frame.draw_x(&mut svg, &x, &frame.x_ticks(&x), &self.distance);
        for &limit in &limits {
            let at = y.at(limit);
            svg.line((frame.left, at), (frame.right, at), "axis dashed");
            let words = format!("limit {}", short(limit));
            svg.text((frame.right, at - 4.0), Anchor::End, "tick", &words, "");
        }
        for (k, (name, lines)) in self.phases.iter().enumerate() {
            let (mut data, mut seen) = (String::new(), HashSet::new());
            for [from, to] in lines {
                let pixel = |end: &(f64, f64)| (x.at(end.0), y.at(end.1));
                let (from, to) = (pixel(from), pixel(to));
                let key = [from.0, from.1, to.0, to.1].map(|at| (at * 10.0).round() as i64);
                if seen.insert(key) {
                    add_line(&mut data, from, to);
                }
            }
            let hint = if name.is_empty() { String::new() } else { format!("phase {name}") };
            svg.path(&data, &format!("line thin {}", stroke(k)), &hint);
        }
        if let Some(legend) = legend {
            legend.draw(&mut svg, (MARGIN, below));
        }
        svg.finish()
    }

    /// Names of phases, and the lowest voltage of each; none for one without a name.
    fn legend(&self) -> Option<Legend> {
        if self.phases.iter().all(|(name, _)| name.is_empty()) {
            return None;
        }
        let row = |(k, (name, lines)): (usize, &(String, Vec<ProfileLine>))| {
            let (low, high) = range(lines.iter().flatten().map(|end| end.1));
            let numbers = if lines.is_empty() { vec![] } else { vec![short(low), short(high)] };
            (Some(format!("line {}", stroke(k))), Sign::None, format!("phase {name}"), numbers)
        };
        let rows = self.phases.iter().enumerate().map(row).collect();
        let columns = vec![(60.0, "lowest", "per unit"), (130.0, "highest", "per unit")];
        let room = INSIDE - 30.0 - 140.0;
        Some(Legend { line: 22.0, name: 30.0, room, over: String::new(), columns, rows })
    }

    fn describe(&self) -> String {
        let count: usize = self.phases.iter().map(|(_, lines)| lines.len()).sum();
        let (low, high) =
            range(self.phases.iter().flat_map(|(_, lines)| lines).flatten().map(|end| end.1));
        format!(
            "Voltages of {} against {}, from {} to {} per unit.",
            counted(count as u64, "branch", "branches"),
            self.distance,
            short(low),
            short(high)
        )
    }
}
