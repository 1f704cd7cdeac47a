//! A skeleton that follows a graph, in figures.

use super::*;
use crate::Stream;
use palmette_io::Values;

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
        record.figure("history", history(self));
    }
}

/// The points of a stream, one object each.
fn history(stream: &Stream) -> Value {
    let columns = stream.history();
    let cell = |values: &Values, k: usize| match values {
        Values::I64(numbers) => json!(numbers[k]),
        Values::F64(numbers) => json!(numbers[k]),
        _ => Value::Null,
    };
    let row = |k: usize| {
        columns
            .iter()
            .map(|(name, values)| (name.to_string(), cell(values, k)))
            .collect::<Map<_, _>>()
    };
    (0..stream.points.len()).map(|k| Value::Object(row(k))).collect()
}
