//! A skeleton that follows a graph, in figures.

use super::*;
use crate::{Stream, StreamPoint};

impl Figures for Stream {
    fn figures(&self, record: &mut Record) {
        let one = &self.skeleton;
        record
            .figure("updates", one.updates())
            .figure("edges", one.edge_count())
            .figure("tree_edges", one.tree().count())
            .figure("recovered_edges", one.recovered().count())
            .figure("density", one.density())
            .figure("refreshes", one.refreshes());
        if let Some(last) = self.points.last() {
            let most = self.points.iter().map(|point| point.condition).fold(1.0, f64::max);
            record.figure("condition", last.condition).figure("condition_max", most);
        }
        record.figure("ns_per_update", self.ns_per_update());
        record.figure("history", stream_points(&self.points));
    }
}

/// The points of a stream, one object each.
pub fn stream_points(points: &[StreamPoint]) -> Value {
    let point = |p: &StreamPoint| {
        json!({
            "updates": p.updates,
            "edges": p.edges,
            "density": p.density,
            "condition": p.condition,
            "refreshes": p.refreshes,
            "seconds": p.seconds,
        })
    };
    points.iter().map(point).collect()
}
