//! Minimum cuts in figures.

use super::*;
use palmette_graph::mincut::{AllMinCuts, MinCut};

/// A minimum cut of a graph with so many vertices.
#[derive(Debug)]
pub struct MinCutFigures<'a> {
    /// The cut.
    pub cut: &'a MinCut,
    /// Vertices of the graph.
    pub vertices: usize,
}

impl MinCutFigures<'_> {
    /// Vertices on either side, the smaller side first.
    pub fn side_sizes(&self) -> [usize; 2] {
        let small = self.cut.side.len();
        [small, self.vertices - small]
    }
}

impl Figures for MinCutFigures<'_> {
    fn figures(&self, record: &mut Record) {
        let cut = self.cut;
        record
            .figure("value", whole(cut.value))
            .figure("side_sizes", json!(self.side_sizes()))
            .figure("cut_edges", cut.edges.len())
            .figure("trees", cut.trees)
            .figure("double_trees", cut.double_trees)
            .figure("kernel", cut.kernel);
        if cut.error > 0.0 {
            record.figure("error", cut.error);
        }
    }
}

impl Figures for AllMinCuts {
    fn figures(&self, record: &mut Record) {
        record.figure("minimum_cuts", self.sides.len());
    }
}
