//! A tree laid out on a grid, in figures: what one message along every edge costs.

use super::Figures;
use palmette_core::Record;
use palmette_spatial::layout::{Layout, LayoutTraffic};

impl Figures for LayoutTraffic {
    fn figures(&self, record: &mut Record) {
        record
            .figure("vertices", self.vertices)
            .figure("energy", self.energy)
            .figure("energy_per_vertex", self.energy_per_vertex())
            .figure("depth", self.depth())
            .figure("distance", self.longest)
            .figure("longest_edge", self.longest)
            .figure("max_link_load", self.max_link_load);
    }
}

/// What a layout costs, and what refining it gained.
#[derive(Debug)]
pub struct LayoutFigures<'a> {
    /// The layout.
    pub layout: &'a Layout,
    /// What one message along every edge costs.
    pub traffic: &'a LayoutTraffic,
}

impl Figures for LayoutFigures<'_> {
    fn figures(&self, record: &mut Record) {
        self.traffic.figures(record);
        if let Some(refined) = self.layout.refined() {
            let before = refined.energy_before as f64 / self.traffic.vertices.max(1) as f64;
            record
                .figure("energy_per_vertex_before", before)
                .figure("moves_tried", refined.moves_tried);
        }
    }
}
