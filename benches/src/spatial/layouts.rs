//! The energy of a round from parents to children, by tree, order and curve; and the
//! time to lay a tree out.

use crate::table::Table;
use crate::timing::{pool, race, run};
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::layout::{Layout, LayoutParams, LayoutTraffic, Order};
use palmette_spatial::local::virtual_tree;

/// The head of the table of energies.
pub const HEAD: [&str; 9] = [
    "tree",
    "vertices",
    "BFS",
    "DFS as given",
    "heavy-first",
    "light-first",
    "light-first on Z",
    "on Peano",
    "on row-major",
];

/// The head of the table of times.
pub const TIME_HEAD: [&str; 4] = ["tree", "vertices", "1 thread, s", "2 threads, s"];

const COLUMNS: [(Order, CurveKind); 7] = [
    (Order::Bfs, CurveKind::Hilbert),
    (Order::Dfs, CurveKind::Hilbert),
    (Order::HeavyFirst, CurveKind::Hilbert),
    (Order::LightFirst, CurveKind::Hilbert),
    (Order::LightFirst, CurveKind::Z),
    (Order::LightFirst, CurveKind::Peano),
    (Order::LightFirst, CurveKind::RowMajor),
];

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    let parents = generate(shape, n, seed).expect("a tree can be generated");
    Tree::from_parents(&parents).expect("generated trees are trees")
}

fn lay_out(tree: &Tree, order: Order, curve: CurveKind) -> Layout {
    let params = LayoutParams { order, curve, ..LayoutParams::default() };
    Layout::new(tree.clone(), params).expect("every curve has such grids")
}

/// Energies per vertex of one tree, straight to children and along the virtual tree.
pub fn measure(shape: Shape, n: usize, table: &mut Table) {
    let tree = tree(shape, n, 1);
    let direct = |order, curve| lay_out(&tree, order, curve).traffic();
    row(table, &shape.to_string(), n, |order, curve| Some(direct(order, curve)));
    if tree.child_counts().iter().any(|&children| children > 2) {
        row(table, &format!("{shape}, virtual tree"), n, |order, curve| {
            (order == Order::LightFirst).then(|| {
                let layout = lay_out(&tree, order, curve);
                let links = virtual_tree(layout.tree());
                let edges = links.iter().enumerate();
                let edges = edges.flat_map(|(v, l)| l.children().map(move |c| (v as u32, c)));
                LayoutTraffic::of(layout.grid(), layout.cells(), edges)
            })
        });
    }
}

fn row(
    table: &mut Table,
    name: &str,
    n: usize,
    traffic: impl Fn(Order, CurveKind) -> Option<LayoutTraffic>,
) {
    let mut cells = vec![name.to_string(), n.to_string()];
    cells.extend(COLUMNS.map(|(order, curve)| {
        traffic(order, curve).map_or(String::new(), |t| format!("{:.2}", t.energy_per_vertex()))
    }));
    table.row(cells);
}

/// Seconds to lay out a tree that is there, light-first on Hilbert, siblings sorted
/// anew.
pub fn time(shape: Shape, n: usize, rounds: usize, table: &mut Table) {
    let tree = tree(shape, n, 1);
    let pools = [pool(1), pool(2)];
    let turn = |k: usize| {
        let layout = pools[k].install(|| lay_out(&tree, Order::LightFirst, CurveKind::Hilbert));
        assert_eq!(layout.cells().len(), n);
    };
    let best = race(rounds, &mut [run(|| turn(0)), run(|| turn(1))]);
    let mut cells = vec![shape.to_string(), n.to_string()];
    cells.extend(best.iter().map(|s| format!("{s:.2}")));
    table.row(cells);
}
