//! What partitions and mappings are worth, in records.

use crate::session::Session;
use palmette::mesh::placement::{LevelTraffic, dilation};
use palmette::{Graph, Mapping, MappingTraffic, MeshInput, PartitionFigures};
use palmette_report::{Cell, Table};
use serde_json::{Value, json};

/// Notes how good parts of the vertices are.
pub(super) fn note_parts(session: &mut Session, input: &MeshInput, part: &[u32], parts: usize) {
    note_graph_parts(session, &input.graph, part, parts, input.weights.as_deref());
}

/// Notes how good parts of a graph are.
pub(super) fn note_graph_parts(
    session: &mut Session,
    graph: &Graph,
    part: &[u32],
    parts: usize,
    weights: Option<&[u32]>,
) {
    let figures = PartitionFigures::of(graph, part, parts, weights);
    session
        .record
        .figure("parts", figures.parts)
        .figure("cut", whole(figures.cut))
        .figure("imbalance", figures.imbalance)
        .figure("smallest_part", figures.smallest)
        .figure("largest_part", figures.largest)
        .figure("components", figures.components);
}

/// Counts are whole in records.
pub(super) fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number < 1e15 { (number as u64).into() } else { number.into() }
}

/// The same for people.
pub(super) fn count_cell(count: &Value) -> Cell {
    match count.as_u64() {
        Some(count) => Cell::from(count),
        None => Cell::from(count.as_f64().unwrap_or(f64::NAN)),
    }
}

/// Notes how far values travel and what that loads.
pub(super) fn note_mapping(session: &mut Session, mapping: &Mapping) {
    let Mapping { machine, quotient, placement, .. } = mapping;
    session
        .record
        .figure("values", quotient.total())
        .figure("hopsum", mapping.hopsum())
        .figure("dilation", dilation(quotient, machine, placement));
    note_traffic(session, &mapping.traffic);
}

/// Notes what messages load, and how many phases they take where there are any.
pub(super) fn note_traffic(session: &mut Session, traffic: &MappingTraffic) {
    match traffic {
        MappingTraffic::Routes(phases) => {
            let channels = phases.max_channels().into_iter().max().unwrap_or(0);
            session
                .record
                .figure("routed_hopsum", phases.routes.hopsum())
                .figure("max_link_load", phases.routes.max_link_load())
                .figure("max_channels", channels)
                .figure("phases", phases.count)
                .figure("phases_at_least", phases.lower_bound);
        }
        MappingTraffic::Levels(levels) => note_levels(session, levels),
    }
}

/// Notes the traffic of a fat tree, for people as a table.
fn note_levels(session: &mut Session, levels: &[LevelTraffic]) {
    let level = |t: &LevelTraffic| {
        json!({
            "level": t.level, "values": t.values, "largest": t.largest,
            "capacity": t.capacity, "time": t.time(),
        })
    };
    session.record.figure("levels", levels.iter().map(level).collect::<Value>());
    let mut table = Table::new(&["level", "values", "largest", "capacity", "time"]);
    for t in levels {
        let counts = [t.level as u64, t.values, t.largest, t.capacity.into()].map(Cell::from);
        table.row(counts.into_iter().chain([Cell::from(t.time())]));
    }
    session.end_with(table.to_string(), &["levels"]);
}
