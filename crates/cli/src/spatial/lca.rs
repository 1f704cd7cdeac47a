//! `palmette spatial lca`.

use super::options::MachineOptions;
use super::program::{GridOptions, check_one_root, fault, finish, keep_queues, note_run};
use super::trace::TraceOption;
use crate::prelude::*;
use palmette::core::tree::SiblingOrder;
use palmette::{SpatialLcaParams, spatial_lca};

#[derive(Debug, Args)]
#[command(mut_arg("forest", |argument| argument.hide(true)))]
#[command(mut_arg("missing_length", |argument| argument.hide(true)))]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw how many messages every link carried, and how many vertices each round \
                   of the first treefix contracted")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    pairs: PairOptions,
    #[command(flatten)]
    grid: GridOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    trace: TraceOption,
    /// Seed for random delays; the program itself draws nothing.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Output table of pairs and their ancestors: csv, or tsv by the file's name, optionally gz or
    /// zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let table = arguments.output.as_deref();
    let files = Files::of(&input.file)
        .reads("--pairs", arguments.pairs.pairs.as_deref())
        .writes("-o", table, Kind::COLUMNS)
        .writes("--trace", arguments.trace.file(), Kind::trace(false))
        .draws(&arguments.pictures, "run");
    let mut session = Session::open("spatial lca", files, run)?;
    let machine = arguments.machine.params()?;
    let siblings = SiblingOrder::LightFirst;
    let needs = Needs { siblings, any_roots: true, ..Needs::default() };
    let Loaded { file, tree } = load(&mut session, input, &needs)?;
    check_one_root(&file, &tree)?;
    let pairs = arguments.pairs.read(&mut session, &file)?;
    if let (true, Some(path)) = (pairs.is_empty(), &arguments.pairs.pairs) {
        bail!("{}: no pairs in this file", name_of(path));
    }
    let params = SpatialLcaParams {
        curve: arguments.grid.curve,
        grid: arguments.grid.grid,
        machine: MachineParams {
            seed: arguments.seed,
            trace: arguments.trace.is_given(),
            ..machine
        },
        ..SpatialLcaParams::default()
    };
    let run = session.phase("compute", || spatial_lca(&tree, &pairs, &params));
    let run = run.map_err(fault)?;
    session
        .parameter("curve", params.curve.name())
        .parameter("seed", arguments.seed)
        .parameter("grid", run.machine.grid().to_string());
    note_run(&mut session, &run, &run.machine, tree.len(), run.correct);
    if !run.correct {
        return finish(session, false);
    }
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let columns = vec![
        ("u", Cells::Vertices(&first)),
        ("v", Cells::Vertices(&second)),
        ("lca", Cells::Vertices(&run.lca)),
    ];
    let answers = Answers { labels: &file.labels, columns, numbers: None };
    answers.note(&mut session);
    show(&mut session, "run", None, || pictures::lca(&file.name, params.curve, &run))?;
    keep_queues(&mut session, &file.name, &run.machine)?;
    arguments.trace.write(&mut session, &run.machine)?;
    if let Some(path) = table {
        answers.write_to(&mut session, path)?;
    }
    finish(session, run.correct)
}
