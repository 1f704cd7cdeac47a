//! Runs on the simulated spatial computer: where messages went, what each round contracted, and
//! a treefix step by step.

use super::layout::grid_svg;
use super::*;
use crate::figures::MachineFigures;
use crate::{
    Direction, Messages, Operator, SparseRun, SpatialCreation, SpatialLca, SpatialTreefix,
};
use palmette_report::view::{
    Contraction, MAX_QUEUES, MessageKind, QueueFrame, QueuesView, RoundsView, Unit, ViewError,
};
use palmette_report::{LinkLoads, MAX_PROCESSORS, RunPicture};
use palmette_spatial::Grid;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::network::Way;
use palmette_spatial::machine::{self, Machine, Sent};

/// Loads of links are drawn on grids of up to so many cells.
pub const MAX_DRAWN_CELLS: u64 = 1 << 26;
/// More vertices are too many to follow.
const MOST_FOLLOWED: usize = 1 << 15;

/// The messages of one round over every link; `kind` says what they were, and without `messages`
/// every vertex sent straight to each of its children. Nothing where the grid is too large.
pub fn messages(
    name: &str,
    kind: &str,
    layout: &Layout,
    messages: Option<&Messages>,
) -> Option<Picture> {
    let loads = match messages {
        Some(messages) => messages.machine.link_loads(),
        None => layout.link_loads(),
    };
    let loads = BothWays::of(&loads.filter(|_| layout.grid().len() <= MAX_DRAWN_CELLS)?);
    let subtitle = format!("{kind}, {} order on {}", layout.order(), layout.curve().kind());
    let svg = loads.drawing(&title(name), &subtitle).to_svg();
    Some(still("links", "Messages over links", svg))
}

/// What a treefix is, in the subtitles of its pictures.
fn treefix_subtitle(
    (direction, operator): (Direction, Operator),
    layout: &Layout,
    run: &SpatialTreefix,
) -> String {
    let way = match direction {
        Direction::Leaffix => "leaffix",
        Direction::Rootfix => "rootfix",
    };
    let of = MachineFigures { machine: &run.machine, vertices: layout.tree().len() };
    subtitle(&format!("{way} of {operator}"), layout.curve().kind(), &of)
}

/// The messages of a treefix over links, and what its rounds contracted.
pub fn treefix(
    name: &str,
    what: (Direction, Operator),
    layout: &Layout,
    run: &SpatialTreefix,
) -> Picture {
    run_picture(name, &treefix_subtitle(what, layout, run), &run.machine, &run.contracted)
}

/// The messages of a search for ancestors over links, and what the rounds of its first treefix
/// contracted.
pub fn lca(name: &str, curve: CurveKind, run: &SpatialLca) -> Picture {
    let of = MachineFigures { machine: &run.machine, vertices: run.vertices };
    let subtitle = subtitle("lowest common ancestors", curve, &of);
    run_picture(name, &subtitle, &run.machine, &run.contracted)
}

/// The messages of layout creation over links, and what the rounds of its first tour contracted.
pub fn creation(name: &str, run: &SpatialCreation) -> Picture {
    let of = MachineFigures { machine: &run.machine, vertices: run.positions.len() };
    let subtitle = subtitle("layout creation", run.layout.curve().kind(), &of);
    run_picture(name, &subtitle, &run.machine, &run.contracted)
}

/// The messages of a run with a sparse matrix over links; nothing where the grid is too large.
pub fn sparse(name: &str, what: &str, curve: CurveKind, run: &SparseRun) -> Option<Picture> {
    let machine = &run.machine;
    let loads = machine.link_loads().filter(|_| machine.grid().len() <= MAX_DRAWN_CELLS)?;
    let each = run.energy_after_setup() as f64 / run.entries.max(1) as f64;
    let subtitle = format!("{what} by {} on {curve}, {each:.2} energy per entry", run.placement);
    let loads = BothWays::of(&loads);
    let svg = loads.drawing(&title(name), &subtitle).to_svg();
    Some(still("links", "Messages over links", svg))
}

fn subtitle(what: &str, curve: CurveKind, of: &MachineFigures<'_>) -> String {
    let each = of.energy_per_vertex();
    format!("{what}, light-first order on {curve}, the run took {each:.2} energy per vertex")
}

fn run_picture(name: &str, subtitle: &str, machine: &Machine, rounds: &[u64]) -> Picture {
    let loads = machine.link_loads().filter(|_| machine.grid().len() <= MAX_DRAWN_CELLS);
    let both = loads.as_ref().map(BothWays::of);
    let loads = both.as_ref().map(|both| both.drawing("Messages over links", ""));
    let picture = RunPicture { title: &title(name), subtitle, loads, rounds };
    still("run", "Messages and rounds", picture.to_svg())
}

/// Whether a treefix on a layout is small enough to be followed step by step. Its machine has
/// to keep a [trace](palmette_spatial::machine::MachineParams::trace) for that.
pub fn is_followed(layout: &Layout) -> bool {
    layout.tree().len() <= MOST_FOLLOWED
}

/// The steps of a treefix whose machine has a trace, beside a picture of its layout; nothing
/// without a trace.
///
/// # Errors
/// A run that no view can show.
pub fn contraction(
    name: &str,
    what: (Direction, Operator),
    layout: &Layout,
    run: &SpatialTreefix,
) -> Result<Option<Picture>, ViewError> {
    let Some(view) = steps(layout, run)? else { return Ok(None) };
    let svg = grid_svg(name, &treefix_subtitle(what, layout, run), layout, None);
    let still = still("contraction", "The contraction, step by step", svg);
    Ok(Some(Picture { view: Some(View::from(view).to_value()), ..still }))
}

/// Frames are steps of the machine's clock, from the first of the contraction.
fn steps(layout: &Layout, run: &SpatialTreefix) -> Result<Option<RoundsView>, ViewError> {
    let (Some(trace), Some(contracted)) = (run.machine.trace(), run.contracted_in()) else {
        return Ok(None);
    };
    let kinds: Vec<Option<MessageKind>> = trace.phases.iter().map(|name| kind(name)).collect();
    let of = |sent: &&Sent| kinds[sent.phase as usize].is_some();
    let first = trace.sent.iter().filter(of).map(|sent| sent.step).min().unwrap_or(0);
    let (grid, cells) = (layout.grid(), layout.cells());
    let (x, y): (Vec<u32>, Vec<u32>) = cells.iter().map(|cell| (cell.x, cell.y)).unzip();
    let parents = layout.tree().parents();
    let mut view = RoundsView::new([grid.width, grid.height], Unit::Step, &x, &y, parents)?;
    for (vertex, (step, how)) in (0..).zip(contracted.iter().zip(&run.contraction)) {
        let how = if how.compressed { Contraction::Compress } else { Contraction::Rake };
        step.map_or(Ok(()), |step| view.contract(vertex, step - first, how))?;
    }
    for sent in &trace.sent {
        if let Some(kind) = kinds[sent.phase as usize] {
            view.send(sent.step - first, sent.from, sent.to, kind)?;
        }
    }
    Ok(Some(view))
}

/// What a phase of the ledger is about; none for those before the contraction.
fn kind(phase: &str) -> Option<MessageKind> {
    match phase.rsplit_once(": ")?.1 {
        "rake" => Some(MessageKind::Rake),
        "compress" => Some(MessageKind::Compress),
        "uncontract" => Some(MessageKind::Uncontract),
        _ => None,
    }
}

/// Frames of a replay: more are not told apart.
const MOST_FRAMES: u32 = 96;

/// A replay of a run over time, where queues build up, beside a picture of what its links carried;
/// nothing where the run was not replayed, or lies on more than [`MAX_PROCESSORS`] cells.
///
/// # Errors
/// A run that no view can show.
pub fn queues(name: &str, machine: &Machine) -> Result<Option<Picture>, ViewError> {
    let Some(view) = queues_view(machine)? else { return Ok(None) };
    let loads = machine.link_loads();
    let Some(both) = loads.as_ref().map(BothWays::of) else { return Ok(None) };
    let svg = both.drawing(&title(name), "all messages of the run").to_svg();
    let still = still("queues", "Queues of the replay, over time", svg);
    Ok(Some(Picture { view: Some(View::from(view).to_value()), ..still }))
}

/// In as many frames as fit into a view.
fn queues_view(machine: &Machine) -> Result<Option<QueuesView>, ViewError> {
    let grid = machine.grid();
    if grid.len() > MAX_PROCESSORS as u64 || machine.costs().messages == 0 {
        return Ok(None);
    }
    let Some((_, all)) = machine.replay_queues(MOST_FRAMES) else { return Ok(None) };
    let mut queues = all.merged(1);
    // A quarter longer each time: frames that fit are not much longer than they must be.
    let mut together = 1;
    while queues.links() > MAX_QUEUES && queues.frames.len() > 1 {
        together += 1 + together / 4;
        queues = all.merged(together);
    }
    let mut view = QueuesView::new([grid.width, grid.height], queues.cycles_per_frame)?;
    let (corner, size) = (queues.corner, queues.size);
    let number = |&(cell, way): &(u32, Way)| {
        let (x, y) = (corner.x + cell % size.width, corner.y + cell / size.width);
        6 * (y * grid.width + x) + way as u32
    };
    for frame in queues.frames {
        let links = frame.links.iter().map(number).collect();
        view.frame(QueueFrame(links, frame.busy, frame.waiting))?;
    }
    Ok(Some(view))
}

/// The loads of all links, both directions together.
pub(super) struct BothWays {
    grid: Grid,
    horizontal: Vec<u64>,
    vertical: Vec<u64>,
}

impl BothWays {
    pub(super) fn of(loads: &machine::LinkLoads) -> BothWays {
        let grid = loads.grid();
        let cells = |width: u32, height: u32| {
            (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
        };
        let both = |(there, back): (u64, u64)| there + back;
        let across = cells(grid.width - 1, grid.height).map(|cell| both(loads.right_of(cell)));
        let down = cells(grid.width, grid.height - 1).map(|cell| both(loads.below(cell)));
        BothWays { grid, horizontal: across.collect(), vertical: down.collect() }
    }

    pub(super) fn drawing<'a>(&'a self, title: &'a str, subtitle: &'a str) -> LinkLoads<'a> {
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
