//! The skeleton of a graph in figures.

use super::*;
use palmette_graph::Quality;
use palmette_graph::sparsify::Sparsifier;

/// Adds what was kept of a graph.
pub fn skeleton(record: &mut Record, graph: &Graph, skeleton: &Sparsifier) {
    let (tree, recovered) = (skeleton.tree.len(), skeleton.recovered.len());
    record
        .figure("tree_edges", tree)
        .figure("recovered_edges", recovered)
        .figure("kept_edges", tree + recovered)
        .figure("non_crossing", skeleton.non_crossing)
        .figure("components", graph.len() - tree);
}

impl Figures for Quality {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => largest, smallest, condition, condition_error, resistance_mean, resistance_max);
        record.figure("resistance_samples", self.samples);
    }
}
