//! How far below light-first on Hilbert local moves get.

use crate::table::Table;
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate};
use palmette_spatial::layout::{Layout, LayoutParams, Order};
use std::time::Instant;

/// The head of the table.
pub const HEAD: [&str; 6] =
    ["tree", "vertices", "light-first", "refined", "refined/light-first", "seconds"];

/// Energies per vertex before and after.
pub fn measure(shape: Shape, n: usize, table: &mut Table) {
    let parents = generate(shape, n, 1).expect("a tree can be generated");
    let tree = Tree::from_parents(&parents).expect("generated trees are trees");
    let params = LayoutParams { order: Order::Refined, ..LayoutParams::default() };
    let start = Instant::now();
    let layout = Layout::new(tree, params).expect("Hilbert has such grids");
    let seconds = start.elapsed().as_secs_f64();
    let refined = layout.refined().expect("refining was asked for");
    assert_eq!(layout.traffic().energy, refined.energy, "the energy is counted anew");
    let each = |energy: u64| energy as f64 / n as f64;
    table.row(vec![
        shape.to_string(),
        n.to_string(),
        format!("{:.3}", each(refined.energy_before)),
        format!("{:.3}", each(refined.energy)),
        format!("{:.2}", each(refined.energy) / each(refined.energy_before)),
        format!("{seconds:.1}"),
    ]);
}
