//! `palmette spatial layout --compare`: all orders on all curves.

use crate::arguments::InputOptions;
use crate::input::{Needs, load};
use crate::session::Session;
use palmette::spatial::curve::CurveKind;
use palmette::spatial::layout::{Layout, LayoutParams, LayoutTraffic, Order};
use palmette::spatial::local::virtual_tree;
use palmette_report::{Cell, Table};
use serde_json::{Map, Value};

/// The orders that are compared.
const ORDERS: [Order; 4] = [Order::Bfs, Order::Dfs, Order::HeavyFirst, Order::LightFirst];

pub(super) fn run(mut session: Session, input: &InputOptions) -> anyhow::Result<()> {
    let loaded = load(&mut session, input, &Needs::default())?;
    session.record.figure("vertices", loaded.tree.len());
    let mut columns = vec!["curve"];
    columns.extend(ORDERS.map(Order::name));
    columns.push("virtual tree");
    let mut table = Table::new(&columns);
    let mut figures = Map::new();
    let sorted = ORDERS.map(|order| loaded.tree.with_siblings(order.siblings()));
    for curve in CurveKind::ALL {
        let mut row = vec![Cell::from(curve.name())];
        let mut energies = Map::new();
        for (order, tree) in ORDERS.into_iter().zip(&sorted) {
            let params = LayoutParams { order, curve, ..LayoutParams::default() };
            let layout = session.phase("layout", || Layout::new(tree.clone(), params))?;
            let traffic = session.phase("compute", || layout.traffic());
            row.push(Cell::from(traffic.energy_per_vertex()));
            energies.insert(order.name().to_string(), traffic.energy_per_vertex().into());
            if order == Order::LightFirst {
                let traffic = session.phase("compute", || by_virtual_tree(&layout));
                row.push(Cell::from(traffic.energy_per_vertex()));
                energies.insert("virtual".to_string(), traffic.energy_per_vertex().into());
            }
        }
        table.row(row);
        figures.insert(curve.name().to_string(), Value::Object(energies));
    }
    session.record.figure("energy_per_vertex", Value::Object(figures));
    let text = format!("energy a vertex of one message from parents to children\n{table}");
    session.summarise(text);
    session.finish()
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
