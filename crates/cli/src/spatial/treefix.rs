//! `palmette spatial treefix`.

use super::options::MachineOptions;
use super::program::{GridOptions, check_one_root, fault, finish, keep_queues, note_run};
use super::trace::TraceOption;
use crate::prelude::*;
use crate::tree::treefix::explain;
use palmette::spatial::program::Method;
use palmette::{SpatialTreefixParams, spatial_treefix};

#[derive(Debug, Args)]
#[command(mut_arg("forest", |argument| argument.hide(true)))]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw how many messages every link carried, and how many vertices each round \
                   contracted")
}))]
#[command(mut_arg("seed", |argument| {
    argument.help(format!("Seed for the processors' random bits, random delays and the base of the hash \
                           [default: {DEFAULT_SEED}]"))
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    /// The operator.
    #[arg(long = "op", value_name = "OP", default_value = "sum", value_parser = named::<OperatorName>())]
    operator: OperatorName,
    /// Which way values are combined: over subtrees (leaffix), or down from the root (rootfix).
    #[arg(long, value_name = "DIRECTION", default_value = "leaffix", value_parser = named::<Direction>())]
    direction: Direction,
    /// How the tree is contracted: by addresses (ours), or in rounds with coins, as printed in the
    /// paper (published).
    #[arg(long, value_name = "METHOD", default_value_t, value_parser = named::<Method>())]
    method: Method,
    #[command(flatten)]
    values: ValueOptions,
    /// Apply an operator that does not commute to children in layout order, smallest subtree first.
    #[arg(long)]
    layout_order: bool,
    #[command(flatten)]
    grid: GridOptions,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    trace: TraceOption,
    /// Output table of every vertex's answer: csv, or tsv or npy by the file's name, optionally gz
    /// or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { ref input, operator: name, direction, layout_order, .. } = arguments;
    let mut values = arguments.values.clone();
    let parameters = &mut values.given.parameters;
    let seed = parameters.seed.unwrap_or(DEFAULT_SEED);
    // The seed decides the processors' random bits, too.
    parameters.seed = (name == OperatorName::Hash).then_some(seed);
    let given = &values.given;
    let table = arguments.output.as_deref();
    let files = value_files(&given.values, Files::of(&input.file))
        .writes("-o", table, Kind::TABLE)
        .writes("--trace", arguments.trace.file(), Kind::trace(false))
        .draws(&arguments.pictures, "run");
    let mut session = Session::open("spatial treefix", files, run)?;
    if layout_order && direction == Direction::Rootfix {
        bail!("--layout-order needs --direction leaffix, not rootfix");
    }
    let machine = arguments.machine.params()?;
    let (operator, plan) = ValuePlan::new(name, &values, false)?;
    let needs = Needs { any_roots: true, ..plan.needs() };
    session
        .parameter("op", name.name())
        .parameter("direction", direction.name())
        .parameter("method", arguments.method.name());
    let options = arguments.grid.layout(seed);
    let (mut file, layout) = options.load(&mut session, input, needs)?;
    check_one_root(&file, layout.tree())?;
    let columns = plan.read(&mut session, &mut file)?;
    let kind = columns.first().map(Values::value_type);
    session
        .parameter("values", given.text(name))
        .parameter("type", kind.map_or("", ValueType::name));
    if let Some(modulus) = operator.modulus() {
        session.parameter("modulus", modulus);
    }
    let params = SpatialTreefixParams {
        machine: MachineParams {
            seed,
            trace: arguments.trace.is_given()
                || session.wants("contraction") && pictures::is_followed(&layout),
            ..machine
        },
        layout_order,
        method: arguments.method,
    };
    let columns = Values::slices(&columns);
    let run = session
        .phase("compute", || spatial_treefix(&layout, direction, operator, &columns, &params))
        .map_err(|error| refused(error, &file, kind))?;
    note_run(&mut session, &run, &run.machine, file.len(), run.correct);
    if !run.correct {
        return finish(session, false);
    }
    let (name, what) = (&file.name, (direction, operator));
    if session.wants("contraction")
        && let Some(steps) =
            session.phase("draw", || pictures::contraction(name, what, &layout, &run))?
    {
        keep(&mut session, None, steps)?;
    }
    show(&mut session, "run", None, || pictures::treefix(name, what, &layout, &run))?;
    keep_queues(&mut session, name, &run.machine)?;
    arguments.trace.write(&mut session, &run.machine)?;
    if let Some(path) = table {
        let mut columns = vec![("vertex", Cells::EachVertex)];
        columns.extend(run.answer.cells());
        let answers = Answers { labels: &file.labels, columns, numbers: run.answer.numbers() };
        answers.write_to(&mut session, path)?;
    }
    finish(session, run.correct)
}

/// Puts labels, lines and options into an error.
fn refused(error: AggregateError, file: &TreeFile, kind: Option<ValueType>) -> anyhow::Error {
    match error {
        AggregateError::NotCommutative { operator, vertex } => {
            let line = file.line_of(vertex).map_or(String::new(), |line| format!(", line {line}"));
            let text = format!(
                "{}{line}: {operator} does not commute, and light-first order changes that of the \
                 children of `{}`",
                file.name,
                file.labels.get(vertex)
            );
            anyhow::Error::new(error).context(text)
        }
        AggregateError::Spatial(error) => fault(error),
        other => explain(other, file, kind),
    }
}
