//! Figures of a layout: the cost of one message along every edge.

use super::*;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutError, LayoutParams, LayoutTraffic, Order};
use palmette_spatial::local::virtual_tree;

impl Figures for LayoutTraffic {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => vertices, energy, energy_words(), energy_per_vertex(), depth());
        record
            .figure("distance", self.longest)
            .figure("longest_edge", self.longest)
            .figure("max_link_load", self.max_link_load);
    }
}

/// Adds what a layout costs, and what refining it gained.
pub fn layout(record: &mut Record, layout: &Layout, traffic: &LayoutTraffic) {
    traffic.figures(record);
    if let Some(refined) = layout.refined() {
        let before = refined.energy_before as f64 / traffic.vertices.max(1) as f64;
        record.figure("energy_per_vertex_before", before);
        record.figure("moves_tried", refined.moves_tried);
    }
}

/// The energy of all orders on all curves; except the refined order, which takes as long as you let
/// it.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutComparison {
    /// The number of vertices.
    pub vertices: usize,
    /// By curve, the energy per vertex of one message from parents to children, in the order of
    /// [`LayoutComparison::ORDERS`], and then along the virtual tree.
    pub curves: Vec<(CurveKind, [f64; 5])>,
}

impl LayoutComparison {
    /// The orders that are compared.
    pub const ORDERS: [Order; 4] = [Order::Bfs, Order::Dfs, Order::HeavyFirst, Order::LightFirst];

    /// Lays a tree out in every order on every curve.
    ///
    /// # Errors
    /// A tree that is too large.
    pub fn of(tree: &Tree) -> Result<LayoutComparison, LayoutError> {
        let sorted = Self::ORDERS.map(|order| tree.with_siblings(order.siblings()));
        let mut curves = Vec::new();
        for curve in CurveKind::ALL {
            let mut energies = [0.0; 5];
            for (k, (order, tree)) in Self::ORDERS.into_iter().zip(&sorted).enumerate() {
                let params = LayoutParams { order, curve, ..LayoutParams::default() };
                let layout = Layout::new(tree.clone(), params)?;
                energies[k] = layout.traffic().energy_per_vertex();
                if order == Order::LightFirst {
                    energies[Self::ORDERS.len()] = by_virtual_tree(&layout).energy_per_vertex();
                }
            }
            curves.push((curve, energies));
        }
        Ok(LayoutComparison { vertices: tree.len(), curves })
    }
}

/// One message along every edge of the virtual tree.
fn by_virtual_tree(layout: &Layout) -> LayoutTraffic {
    let links = virtual_tree(layout.tree());
    let edges = links
        .iter()
        .enumerate()
        .flat_map(|(v, link)| link.children().map(move |child| (v as u32, child)));
    LayoutTraffic::of(layout.grid(), layout.cells(), edges)
}

impl Figures for LayoutComparison {
    fn figures(&self, record: &mut Record) {
        let names = Self::ORDERS.map(Order::name);
        let row = |(curve, energies): &(CurveKind, [f64; 5])| {
            let names = names.iter().chain(&["virtual"]);
            let row: Map<String, Value> =
                names.zip(energies).map(|(name, &e)| (name.to_string(), e.into())).collect();
            (curve.name().to_string(), Value::Object(row))
        };
        let curves: Map<String, Value> = self.curves.iter().map(row).collect();
        record.figure("vertices", self.vertices).figure("energy_per_vertex", curves);
    }
}
