//! Lineages through time, and root-to-tip distances against dates.

use super::{still, title};
use crate::phylogeny::Clock;
use palmette_core::Picture;
use palmette_report::number::{full, short};
use palmette_report::{AxisSpec, LineChart, Series};

/// More points than that lie on each other.
const MOST_POINTS: usize = 400;

/// How many lineages there are at each distance from the root.
pub fn lineages(name: &str, rows: &[(f64, i64)]) -> Picture {
    let step = rows.len().div_ceil(MOST_POINTS).max(1);
    let kept = rows.iter().step_by(step).chain(rows.last().filter(|_| step > 1));
    let kept = kept.filter(|row| row.1 > 0).map(|row| (row.0, row.1 as f64));
    // As many as before, up to each place.
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (x, y) in kept {
        points.extend(points.last().map(|&(_, before)| (x, before)));
        points.push((x, y));
    }
    let chart = LineChart {
        title: format!("Lineages through time in {}", title(name)),
        note: format!("{} changes", rows.len()),
        x: AxisSpec::linear("distance from the root"),
        y: AxisSpec::log("lineages"),
        series: vec![Series { name: "lineages".to_string(), points }],
        unmarked: true,
        ..LineChart::default()
    };
    still("lineages", "Lineages through time", chart.to_svg())
}

/// Distances from the root against dates, and the line through them.
pub fn clock(name: &str, clock: &Clock) -> Picture {
    let line = &clock.line;
    let step = clock.points.len().div_ceil(4 * MOST_POINTS).max(1);
    let dates = || clock.points.iter().map(|point| point.0);
    let ends = [dates().fold(f64::INFINITY, f64::min), dates().fold(f64::NEG_INFINITY, f64::max)];
    let chart = LineChart {
        title: format!("Clock of {}", title(name)),
        note: format!(
            "rate {} per unit of date, root at {}, R² {}",
            short(line.slope),
            full(line.root_date()),
            short(line.r_squared)
        ),
        x: AxisSpec::linear("date"),
        y: AxisSpec::linear("distance from the root"),
        series: vec![Series {
            name: "tips".to_string(),
            points: clock.points.iter().step_by(step).copied().collect(),
        }],
        dashed: vec![ends.map(|date| (date, line.at(date))).to_vec()],
        scattered: true,
        in_full: true,
        ..LineChart::default()
    };
    still("clock", "Root-to-tip distances against dates", chart.to_svg())
}
