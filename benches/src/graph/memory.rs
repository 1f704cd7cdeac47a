//! The most bytes that are held while sparsifying, counted by the allocator.

use super::input::Input;
use crate::memory::most_bytes;
use crate::table::Table;
use crate::timing::pool;
use palmette_graph::sparsify::{Engine, SparsifyParams, sparsify};

/// The head of the table.
pub const HEAD: [&str; 5] = [
    "graph",
    "edges",
    "the graph, bytes per edge",
    "with linear, at most",
    "with parallel, 2 threads, at most",
];

/// Bytes per edge, those of the graph included; returns the larger of both engines.
pub fn measure(input: &Input, table: &mut Table) -> f64 {
    let graph = &input.graph;
    let own = size_of_val(graph.offsets())
        + size_of_val(graph.all_neighbours())
        + size_of_val(graph.all_weights());
    let an_edge = |bytes: usize| bytes as f64 / graph.edge_count() as f64;
    let peaks = [(Engine::Linear, 1), (Engine::Parallel, 2)].map(|(engine, threads)| {
        let pool = pool(threads);
        let params = SparsifyParams { engine, ..Default::default() };
        let (answer, most) = most_bytes(|| pool.install(|| sparsify(graph, &params)));
        answer.expect("the graphs of the study can be sparsified");
        an_edge(own + most)
    });
    let mut cells = vec![input.name.clone(), graph.edge_count().to_string()];
    cells.extend([an_edge(own), peaks[0], peaks[1]].map(|bytes| format!("{bytes:.0}")));
    table.row(cells);
    peaks[0].max(peaks[1])
}
