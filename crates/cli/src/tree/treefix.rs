//! `palmette tree rootfix` and `palmette tree leaffix`.

use crate::arguments::{InputOptions, RunOptions, TableOptions};
use crate::input::{Lengths, Loaded, Needs, load, name_of};
use crate::operators::{
    Operation, ValueOptions, engine, leaffix_operation, rootfix_operation, type_name,
};
use crate::output::{self, Answers};
use crate::picture;
use crate::session::Session;
use crate::values::ValuePlan;
use clap::Args;
use palmette::io::Cells;
use palmette::{
    AggregateError, AggregateParams, Answer, AnswerCells, AnswerColumn, Direction, Engine, Measure,
    OperatorName, Scope, TreeFile, TreefixError, ValueType, Values, aggregate,
};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct RootfixArguments {
    /// The operator, or a measure that needs no values.
    #[arg(long = "op", value_name = "OP", default_value = "sum", value_parser = rootfix_operation())]
    pub(crate) operation: Operation,
    #[command(flatten)]
    pub(crate) common: Arguments,
}

#[derive(Debug, Args)]
pub(crate) struct LeaffixArguments {
    /// The operator, or a measure that needs no values.
    #[arg(long = "op", value_name = "OP", default_value = "sum", value_parser = leaffix_operation())]
    pub(crate) operation: Operation,
    #[command(flatten)]
    pub(crate) common: Arguments,
}

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten, next_help_heading = None)]
    values: ValueOptions,
    /// Leave out a vertex's own value; what is left without any is the operator's
    /// identity.
    #[arg(long)]
    exclusive: bool,
    /// The engine; all give the same answer.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine())]
    engine: Engine,
    /// Draw the tree, coloured by the answer: whole up to 200 leaves, else its profile.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    table: TableOptions,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

pub(crate) fn run(
    direction: Direction,
    operation: Operation,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    let command = match direction {
        Direction::Rootfix => "tree rootfix",
        Direction::Leaffix => "tree leaffix",
    };
    let input = &arguments.input;
    output::check_distinct(arguments.table.output.as_deref(), arguments.svg.as_deref())?;
    let mut session = Session::new(command, &name_of(&input.file), &arguments.run);
    session.record.parameter("op", operation.name());
    let (loaded, answer) = match operation {
        Operation::Operator(operator) => operate(&mut session, direction, operator, arguments)?,
        Operation::Measure(measure) => measured(&mut session, measure, arguments)?,
    };
    let Loaded { file, tree } = &loaded;
    session.record.figure("vertices", tree.len());
    if let Some(engine) = answer.engine {
        session.record.figure("engine", engine.name());
    }
    let numbers = answer.columns.iter().find_map(|column| match &column.cells {
        AnswerCells::Numbers(values) => Some((column.name, values)),
        AnswerCells::Vertices(_) => None,
    });
    if let Some((_, values)) = numbers {
        note_range(&mut session, values);
    }
    session.rate("ns_per_vertex", "compute", tree.len());
    let picture = match &arguments.svg {
        Some(path) => {
            let values = numbers.map(|(name, values)| (name, floats(values)));
            Some(picture::draw(&mut session, path, file, tree, values)?)
        }
        None => None,
    };
    let mut columns = vec![("vertex", Cells::EachVertex)];
    columns.extend(answer.cells());
    let answers = Answers { labels: &file.labels, columns, numbers: answer.numbers() };
    answers.write(&mut session, &arguments.table)?;
    output::finish(picture)?;
    Ok(session.finish()?)
}

fn operate(
    session: &mut Session,
    direction: Direction,
    operator: OperatorName,
    arguments: &Arguments,
) -> anyhow::Result<(Loaded, Answer)> {
    let options = &arguments.values;
    let plan = ValuePlan::new(operator, options)?;
    let mut needs = plan.needs();
    if arguments.svg.is_some() && needs.lengths == Lengths::No {
        needs.lengths = Lengths::IfAny;
    }
    let mut loaded = load(session, &arguments.input, &needs)?;
    let values = plan.read(session, &arguments.input, &mut loaded.file)?;
    let exclusive = arguments.exclusive;
    let params = AggregateParams {
        scope: if exclusive { Scope::Exclusive } else { Scope::Inclusive },
        engine: arguments.engine,
        wrapping: options.wrapping,
        modulus: options.modulus,
        seed: options.seed,
    };
    let kind = values.first().map(Values::value_type);
    session
        .record
        .parameter("values", options.text(operator))
        .parameter("type", kind.map_or("", type_name))
        .parameter("exclusive", exclusive)
        .parameter("engine", params.engine.name());
    if let Some(modulus) = params.modulus {
        session.record.parameter("modulus", modulus);
    }
    if operator == OperatorName::Hash {
        session.record.parameter("seed", params.seed);
    }
    let answer = session
        .phase("compute", || aggregate(&loaded.tree, direction, operator, &values, &params))
        .map_err(|error| {
            let hint = " (--wrapping takes it modulo 2^64, --type f64 rounds it)";
            explain(error, &loaded.file, kind, hint)
        })?;
    Ok((loaded, answer))
}

fn measured(
    session: &mut Session,
    measure: Measure,
    arguments: &Arguments,
) -> anyhow::Result<(Loaded, Answer)> {
    let options = &arguments.values;
    let unused = [
        ("--values", !options.values.is_empty()),
        ("--type", options.kind.is_some()),
        ("--modulus", options.modulus.is_some()),
        ("--exclusive", arguments.exclusive),
        ("--engine", arguments.engine != Engine::Auto),
    ];
    if let Some((option, _)) = unused.iter().find(|u| u.1) {
        anyhow::bail!("{option}: expected an operator on values, found the measure {measure}");
    }
    let lengths = match (measure, &arguments.svg) {
        (Measure::WeightedDepth, _) => Lengths::Required,
        (_, Some(_)) => Lengths::IfAny,
        _ => Lengths::No,
    };
    let loaded = load(session, &arguments.input, &Needs { lengths, ..Needs::default() })?;
    let lengths = loaded.file.lengths.as_deref();
    let values = session.phase("compute", || measure.by_vertex(&loaded.tree, lengths))?;
    let column = AnswerColumn { name: measure.name(), cells: AnswerCells::Numbers(values) };
    Ok((loaded, Answer { columns: vec![column], present: None, engine: None }))
}

/// Puts a label and a line into an error that names a vertex.
pub(crate) fn explain(
    error: AggregateError,
    file: &TreeFile,
    kind: Option<ValueType>,
    hint: &str,
) -> anyhow::Error {
    let AggregateError::Treefix(TreefixError::Overflow { vertex, exact }) = error else {
        return error.into();
    };
    let line = file.line_of(vertex).map_or(String::new(), |line| format!(", line {line}"));
    anyhow::anyhow!(
        "{}{line}: expected a sum that fits {} at `{}`, found {exact}{hint}",
        file.name,
        kind.map_or("", type_name),
        file.labels.get(vertex)
    )
}

/// The smallest and the largest answer.
fn note_range(session: &mut Session, values: &Values) {
    macro_rules! range {
        ($x:expr, $wide:ty) => {{
            let (low, high) =
                $x.iter().fold((None, None), |(low, high): (Option<_>, Option<_>), &x| {
                    let low = low.filter(|&l| l <= x).or(Some(x));
                    (low, high.filter(|&h| h >= x).or(Some(x)))
                });
            if let (Some(low), Some(high)) = (low, high) {
                session.record.figure("smallest", <$wide>::from(low));
                session.record.figure("largest", <$wide>::from(high));
            }
        }};
    }
    match values {
        Values::I64(x) => range!(x, i64),
        Values::U64(x) => range!(x, u64),
        Values::F64(x) => range!(x, f64),
        Values::F32(x) => range!(x, f64),
    }
}

fn floats(values: &Values) -> Vec<f64> {
    match values {
        Values::I64(x) => x.iter().map(|&v| v as f64).collect(),
        Values::U64(x) => x.iter().map(|&v| v as f64).collect(),
        Values::F64(x) => x.clone(),
        Values::F32(x) => x.iter().map(|&v| v.into()).collect(),
    }
}
