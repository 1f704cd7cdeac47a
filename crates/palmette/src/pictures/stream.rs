//! A skeleton that follows a graph.

use super::*;
use crate::{Stream, StreamPoint};
use palmette_report::{AxisSpec, StackedChart};

/// Condition number, density and time per update, over updates.
pub fn stream(name: &str, found: &Stream) -> Picture {
    let over = |of: fn(&StreamPoint) -> f64| {
        found.points.iter().map(|point| (point.updates as f64, of(point))).collect::<Vec<_>>()
    };
    // Time is that of the updates up to a point.
    let spans = found.points.windows(2).map(|pair| {
        let count = (pair[1].updates - pair[0].updates).max(1) as f64;
        (pair[1].updates as f64, 1e6 * pair[1].seconds / count)
    });
    let last = found.points.last();
    let chart = StackedChart {
        title: format!("The skeleton of {}", title(name)),
        note: last.map_or(String::new(), |last| {
            format!("{} updates, refreshed {} times", last.updates, last.refreshes)
        }),
        x: AxisSpec::linear("updates"),
        panels: vec![
            (AxisSpec::linear("condition number"), over(|point| point.condition)),
            (AxisSpec::linear("recovered edges per vertex"), over(|point| point.density)),
            (AxisSpec::linear("time per update (µs)"), spans.collect()),
        ],
    };
    still("stream", "The skeleton over updates", chart.to_svg())
}
