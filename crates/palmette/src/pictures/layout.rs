//! A tree laid out on a grid.

use super::*;
use palmette_report::GridLayout;
use palmette_spatial::layout::LayoutTraffic;

/// Grids up to this side show the curve.
const MOST_SIDE: u32 = 64;

/// A layout, and what a message along every edge costs there: whole up to 64 by 64, else where
/// edges are long.
pub fn layout(name: &str, layout: &Layout, traffic: &LayoutTraffic) -> Picture {
    let (curve, grid) = (layout.curve(), layout.grid());
    let subtitle = format!(
        "{} order on {}, {:.2} energy per vertex",
        layout.order(),
        curve.kind(),
        traffic.energy_per_vertex()
    );
    let small = grid.width <= MOST_SIDE && grid.height <= MOST_SIDE;
    let along: Option<Vec<(u32, u32)>> =
        small.then(|| (0..curve.len()).map(|i| place(&curve.cell(i))).collect());
    still("layout", "The layout", grid_svg(name, &subtitle, layout, along.as_deref()))
}

/// The tree on its grid, with the cells along its curve where these are shown.
pub(super) fn grid_svg(
    name: &str,
    subtitle: &str,
    layout: &Layout,
    curve: Option<&[(u32, u32)]>,
) -> String {
    let (grid, title) = (layout.grid(), title(name));
    let cells: Vec<(u32, u32)> = layout.cells().iter().map(place).collect();
    let picture = GridLayout {
        title: &title,
        subtitle,
        width: grid.width,
        height: grid.height,
        cells: &cells,
        parents: layout.tree().parents(),
        curve,
    };
    picture.to_svg()
}

fn place(cell: &Cell) -> (u32, u32) {
    (cell.x, cell.y)
}
