//! The skeleton of a graph in figures.

use super::*;
use palmette_graph::Quality;
use palmette_graph::sparsify::Sparsifier;

/// What was kept of a graph.
#[derive(Debug)]
pub struct SkeletonFigures<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Its skeleton.
    pub skeleton: &'a Sparsifier,
}

impl Figures for SkeletonFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let (tree, recovered) = (self.skeleton.tree.len(), self.skeleton.recovered.len());
        record
            .figure("tree_edges", tree)
            .figure("recovered_edges", recovered)
            .figure("kept_edges", tree + recovered)
            .figure("non_crossing", self.skeleton.non_crossing)
            .figure("components", self.graph.len() - tree);
    }
}

impl Figures for Quality {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => largest, smallest, condition, resistance_mean, resistance_max);
        record.figure("resistance_samples", self.samples);
    }
}
