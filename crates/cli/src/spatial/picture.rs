//! Pictures of layouts.

use crate::picture::show;
use crate::session::Session;
use palmette::spatial::layout::{Layout, LayoutTraffic};
use palmette::spatial::machine;
use palmette::spatial::{Cell, Grid};
use palmette_report::{GridLayout, LinkLoads, RunPicture};
use std::borrow::Cow;
use std::path::Path;

/// Grids up to this side show the curve.
const MOST_SIDE: u32 = 64;

pub(super) fn draw(
    session: &mut Session,
    name: &str,
    layout: &Layout,
    traffic: &LayoutTraffic,
) -> anyhow::Result<()> {
    if !session.draws() {
        return Ok(());
    }
    let order = session.record.parameters.get("order").and_then(|o| o.as_str()).unwrap_or("");
    let subtitle = format!(
        "{order} order on {}, {:.2} energy a vertex",
        layout.curve().kind().name(),
        traffic.energy_per_vertex()
    );
    let title = title(name);
    let grid = layout.grid();
    let cells: Vec<(u32, u32)> = layout.cells().iter().map(|c| (c.x, c.y)).collect();
    let small = grid.width <= MOST_SIDE && grid.height <= MOST_SIDE;
    let curve: Option<Vec<(u32, u32)>> = small.then(|| {
        (0..layout.curve().len()).map(|i| layout.curve().cell(i)).map(|c| (c.x, c.y)).collect()
    });
    let picture = GridLayout {
        title: &title,
        subtitle: &subtitle,
        width: grid.width,
        height: grid.height,
        cells: &cells,
        parents: layout.tree().parents(),
        curve: curve.as_deref(),
    };
    show(session, ("layout", "The layout"), None, || picture.to_svg())
}

/// Where messages went: the loads of all links, both directions together.
pub(super) fn draw_links(
    session: &mut Session,
    name: &str,
    subtitle: &str,
    loads: &machine::LinkLoads,
) -> anyhow::Result<()> {
    let both = BothWays::of(loads);
    let title = title(name);
    let picture = both.loads(&title, subtitle);
    show(session, ("links", "Messages over links"), None, || picture.to_svg())
}

/// A run: the loads of its links, and how many vertices each of its rounds contracted.
pub(super) fn draw_run(
    session: &mut Session,
    (name, subtitle): (&str, &str),
    loads: Option<&machine::LinkLoads>,
    rounds: &[u64],
) -> anyhow::Result<()> {
    let both = loads.map(BothWays::of);
    let loads = both.as_ref().map(|both| both.loads("Messages over links", ""));
    let picture = RunPicture { title: &title(name), subtitle, loads, rounds };
    show(session, ("run", "Messages and rounds"), None, || picture.to_svg())
}

/// The loads of all links, both directions together.
struct BothWays {
    grid: Grid,
    horizontal: Vec<u64>,
    vertical: Vec<u64>,
}

impl BothWays {
    fn of(loads: &machine::LinkLoads) -> BothWays {
        let grid = loads.grid();
        let cells = |width: u32, height: u32| {
            (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
        };
        let both = |(there, back): (u64, u64)| there + back;
        let across = cells(grid.width - 1, grid.height).map(|cell| both(loads.right_of(cell)));
        let down = cells(grid.width, grid.height - 1).map(|cell| both(loads.below(cell)));
        BothWays { grid, horizontal: across.collect(), vertical: down.collect() }
    }

    fn loads<'a>(&'a self, title: &'a str, subtitle: &'a str) -> LinkLoads<'a> {
        LinkLoads {
            title,
            subtitle,
            width: self.grid.width,
            height: self.grid.height,
            horizontal: &self.horizontal,
            vertical: &self.vertical,
        }
    }
}

pub(super) fn title(name: &str) -> Cow<'_, str> {
    Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy())
}
