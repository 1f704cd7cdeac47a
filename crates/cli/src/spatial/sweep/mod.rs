//! `palmette spatial sweep`.

mod sizes;

use super::options::{DeliveryOption, GivenOption};
use super::trace::TraceOption;
use crate::prelude::*;
use palmette::figures;
use palmette::pictures::StudyPlots;
use palmette::spatial::machine::network::ReplayWhen;
use palmette::spatial::program::Method;
use palmette::sweep::{Progress, Study, StudyProgram, Sweep, sweep};

/// The library's defaults, as people write them.
const SIZES: &str = "2^8..2^14";
const LIMIT: &str = "2^12";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Program to run: treefix, rootfix, lca, layout or list-ranking.
    #[arg(long, value_name = "PROGRAM", value_parser = named::<StudyProgram>())]
    program: StudyProgram,
    /// Shapes of trees as in `tree generate`, or `all`; list-ranking has none. [default: random,
    /// path, caterpillar, star, perfect, preferential, double-broom]
    #[arg(long, value_name = "SHAPES")]
    shapes: Option<String>,
    /// Numbers of vertices: a list (256,1000), the powers of two in a range (2^8..2^18), or every
    /// other one (2^8..2^18:2).
    #[arg(long, value_name = "SIZES", default_value = SIZES, allow_hyphen_values = true)]
    sizes: String,
    /// Curve to lay trees along.
    #[arg(long, value_name = "CURVE", default_value_t = Study::default().curve,
          value_parser = named::<CurveKind>())]
    curve: CurveKind,
    /// How lists and trees are contracted, in treefix, rootfix and list-ranking: ours or published.
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    method: Method,
    /// Seed for trees, values, queries and the processors' random bits.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// How many seeds to run each case with, counting up from --seed; figures are medians and 99th
    /// percentiles.
    #[arg(long, value_name = "COUNT", default_value_t = Study::default().seeds,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    seeds: u32,
    #[command(flatten)]
    delivery: DeliveryOption,
    #[command(flatten)]
    given: GivenOption,
    /// Run what needs no layout for comparison, a PRAM and the Euler tour, on the first shape, up to
    /// this size (0 = never).
    #[arg(long, value_name = "SIZE", default_value = LIMIT, allow_hyphen_values = true)]
    baseline_limit: String,
    /// When to replay messages through simulated routers, for columns of cycles beside their
    /// estimate: never, auto (where that takes a few seconds per run at most) or always.
    #[arg(long, value_name = "WHEN", default_value_t = Study::default().replay,
          value_parser = named::<ReplayWhen>())]
    replay: ReplayWhen,
    #[command(flatten)]
    trace: TraceOption,
    /// Write an HTML page with one plot per theorem; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let program = arguments.program;
    let study = Study {
        program,
        shapes: match &arguments.shapes {
            Some(names) => sizes::shapes(names)?,
            None => Study::default().shapes,
        },
        sizes: sizes::sizes(&arguments.sizes)?,
        curve: arguments.curve,
        seed: arguments.seed,
        method: arguments.method,
        seeds: arguments.seeds,
        delivery: arguments.delivery.delivery,
        given: arguments.given.given,
        baseline_limit: sizes::limit(&arguments.baseline_limit)?,
        replay: arguments.replay,
        trace: arguments.trace.is_given(),
    };
    let output = arguments.output.as_deref();
    let files = Files::made(program.name()).writes("-o", output, Kind::PAGE);
    let files = files.writes("--trace", arguments.trace.file(), Kind::trace(false));
    let mut session = Session::open("spatial sweep", files, run)?;
    let target = output.and_then(|path| session.destination(Some(path)));
    note_study(&mut session, &study);
    if arguments.shapes.is_some() && !program.has_shapes() {
        bail!("--program {program} runs on lists in random order; leave out --shapes");
    }
    if let (true, runs @ 2..) = (study.trace, study.program_runs()) {
        bail!(
            "--trace has the messages of one run, and this sweep has {runs}; pass one of --sizes, \
             of --shapes and of --seeds"
        );
    }
    let found = watch(&mut session, &study)?;
    arguments.trace.write_trace(&mut session, found.runs[0].trace.as_ref())?;
    let plots = StudyPlots::of(&study, &found);
    session.figures(&plots);
    let [runs, constants] = plots.tables();
    session.summarise(format!("{runs}\n{constants}"));
    if session.keeps_pictures() {
        for picture in session.phase("draw", || plots.pictures()) {
            keep(&mut session, None, picture)?;
        }
    }
    if let Some(path) = target {
        let page = plots.page(facts(&study, arguments));
        session.write_text(&path, &page.to_html())?;
    }
    session.finish()?;
    Ok(found.check(program)?)
}

fn note_study(session: &mut Session, study: &Study) {
    let shapes: Vec<String> = study.shapes.iter().map(|shape| shape.to_string()).collect();
    let record = session.parameter("program", study.program.name());
    if study.program.has_shapes() {
        record.parameter("shapes", shapes);
    }
    record
        .parameter("sizes", study.sizes.clone())
        .parameter("curve", study.curve.name())
        .parameter("seed", study.seed)
        .parameter("method", study.method.name())
        .parameter("seeds", study.seeds)
        .parameter("delivery", study.delivery.to_string())
        .parameter("given", figures::gifts(study.given))
        .parameter("baseline_limit", study.baseline_limit)
        .parameter("replay", study.replay.name());
}

/// What made a page: the command, with what it rests on spelled out.
fn facts(study: &Study, arguments: &Arguments) -> Vec<(String, String)> {
    let typed = |text: &str| text.split_whitespace().collect::<String>();
    let shapes: Vec<String> = study.shapes.iter().map(|shape| shape.to_string()).collect();
    let shapes = match study.program.has_shapes() {
        true => format!(" --shapes {}", shapes.join(",")),
        false => String::new(),
    };
    let &Study { program, curve, seed, seeds, method, delivery, given, replay, .. } = study;
    let method = match method == Method::default() {
        true => String::new(),
        false => format!(" --method {method}"),
    };
    let replay = match replay == Study::default().replay {
        true => String::new(),
        false => format!(" --replay {replay}"),
    };
    let (sizes, limit) = (typed(&arguments.sizes), typed(&arguments.baseline_limit));
    let command = format!(
        "palmette spatial sweep --program {program}{shapes} --sizes {sizes} --curve {curve}{method} \
         --seed {seed} --seeds {seeds} --delivery {delivery} --given {given} \
         --baseline-limit {limit}{replay}"
    );
    [("command", command.as_str()), ("version", env!("CARGO_PKG_VERSION"))]
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .to_vec()
}

/// Runs the study, with a bar on stderr if that is a terminal.
fn watch(session: &mut Session, study: &Study) -> Result<Sweep> {
    let bar = session.bar(study.runs());
    let found = session.record.time("compute", || {
        sweep(study, |progress| match (progress, &bar) {
            (Progress::Begins(case), Some(bar)) => bar.set_message(case.to_string()),
            (Progress::Ends(_), Some(bar)) => bar.inc(1),
            _ => {}
        })
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(found?)
}
