//! `palmette spatial layout`.

use super::options::{LayoutOptions, MachineOptions};
use super::trace::TraceOption;
use super::{compare, creation};
use crate::prelude::*;
use palmette::figures;
use palmette::spatial::Cell;

/// Options that --compare excludes.
const OWN: [&str; 8] = ["order", "curve", "grid", "seed", "time_limit", "output", "svg", "png"];

/// Options that need --on-machine.
const OF_MACHINES: [&str; 8] = [
    "delivery",
    "given",
    "replay",
    "hop_latency",
    "ramp_latency",
    "compute_latency",
    "link_capacity",
    "trace",
];

#[derive(Debug, Args)]
#[command(mut_arg("missing_length", |argument| argument.hide(true)))]
#[command(mut_args(|argument| match OF_MACHINES.contains(&argument.get_id().as_str()) {
    true => argument.requires("on_machine"),
    false => argument,
}))]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the layout: in full up to 64 by 64, beyond that where edges are long. With \
                   --on-machine a folder also gets what links carried and rounds contracted")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) input: InputOptions,
    #[command(flatten)]
    pub(super) layout: LayoutOptions,
    /// Lay the tree out in every order on every curve, and print the energy per vertex of each
    /// (except the refined order, which takes as long as you let it).
    #[arg(long, conflicts_with_all = OWN)]
    compare: bool,
    /// Let the processors compute the light-first order themselves, by messages, and print the
    /// cost; initially vertices lie along the curve in the file's order.
    #[arg(long, conflicts_with = "compare")]
    on_machine: bool,
    #[command(flatten)]
    pub(super) machine: MachineOptions,
    #[command(flatten)]
    pub(super) trace: TraceOption,
    /// Output table with the position (processor address), column and row of every vertex: csv, or
    /// tsv by the file's name, optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let files = Files::of(&input.file)
        .writes("-o", arguments.output.as_deref(), Kind::COLUMNS)
        .writes("--trace", arguments.trace.file(), Kind::trace(false))
        .draws(&arguments.pictures, "layout");
    let mut session = Session::open("spatial layout", files, run)?;
    if arguments.compare {
        return compare::run(session, input);
    }
    if arguments.on_machine {
        return creation::run(session, arguments);
    }
    let (order, seed) = (arguments.layout.order, arguments.layout.seed);
    if seed.is_some() && order != Order::Refined {
        bail!("--seed needs --order refined or --on-machine; {order} has no random choices");
    }
    let (file, layout) = arguments.layout.load(&mut session, input, Needs::default())?;
    let traffic = session.phase("compute", || layout.traffic());
    figures::layout(&mut session.record, &layout, &traffic);
    show(&mut session, "layout", None, || pictures::layout(&file.name, &layout, &traffic))?;
    if let Some(path) = &arguments.output {
        write_places(&mut session, path, &file, &layout, layout.tree().positions())?;
    }
    session.finish()
}

/// Writes where every vertex lies, given its position.
pub(super) fn write_places(
    session: &mut Session,
    path: &Path,
    file: &TreeFile,
    layout: &Layout,
    positions: &[u32],
) -> Result<()> {
    let by_vertex = |part: fn(&Cell) -> u32| {
        let part = |&p: &u32| part(&layout.cells()[p as usize]).into();
        Values::U64(positions.iter().map(part).collect())
    };
    let (x, y) = (by_vertex(|c| c.x), by_vertex(|c| c.y));
    let positions = Values::U64(positions.iter().map(|&p| p.into()).collect());
    let columns = vec![
        ("vertex", Cells::EachVertex),
        ("position", Cells::from(&positions)),
        ("column", Cells::from(&x)),
        ("row", Cells::from(&y)),
    ];
    Answers { labels: &file.labels, columns, numbers: None }.write_to(session, path)
}
