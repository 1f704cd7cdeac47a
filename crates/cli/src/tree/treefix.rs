//! `palmette tree rootfix` and `palmette tree leaffix`.

use crate::input::{build, load_file};
use crate::prelude::*;
use palmette::{
    AggregateParams, Answer, Engine, Findings, Measure, ONCE_BYTES, Operator, Scope, TreefixError,
    aggregate, aggregate_once, needs_no_tree,
};
use palmette_vocabulary::{Operation, SumOptions, note_of_overflow, note_of_values};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree: whole up to 200 leaves, coloured by the answer; else its \
                   profile, with the answer by depth and how it is distributed")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    values: ValueOptions,
    /// Leave out the vertex's own value; where no value remains, the answer is the operator's
    /// identity.
    #[arg(long)]
    exclusive: bool,
    /// Engine; all give the same answer (float sums up to rounding). The `gpu` engines run on a
    /// graphics processor: counts, sums of integers and f32, extremes, bits, hashes, products and
    /// affine maps with a modulus, and measures.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = device::engine())]
    engine: AnyEngine,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    sums: SumOptions,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    rows: TipsOption,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(
    direction: Direction,
    operation: Operation,
    arguments: &Arguments,
    run: &RunOptions,
) -> Result<()> {
    let command = format!("tree {direction}");
    let input = &arguments.input;
    let files = value_files(&arguments.values.given.values, Files::of(&input.file));
    let files = arguments.table.files(files, Kind::TABLE).draws(&arguments.pictures, "tree");
    let mut session = Session::open(&command, files, run)?;
    session.parameter("op", operation.name());
    let Found { file, tree, answer } = match operation {
        Operation::Operator(operator) => operate(&mut session, direction, operator, arguments)?,
        Operation::Measure(measure) => measured(&mut session, measure, arguments)?,
    };
    session.record.figure("vertices", file.len());
    session.figures(&answer);
    let numbers = answer.proper();
    note_accuracy(&session, &answer, numbers.map(|(_, values)| values.value_type()));
    session.rate("ns_per_vertex", "compute", file.len());
    if let Some(tree) = tree.filter(|_| session.draws()) {
        let drawn = session.phase("draw", || pictures::tree(&file, &tree, numbers))?;
        keep(&mut session, None, drawn)?;
    }
    let names = answer.names(arguments.values.given.each(operation));
    let mut columns = vec![("vertex", Cells::EachVertex)];
    columns
        .extend(names.iter().map(String::as_str).zip(answer.cells().into_iter().map(|(_, c)| c)));
    let answers = Answers { labels: &file.labels, columns, numbers: answer.numbers() };
    let rows = arguments.rows.rows(&file);
    answers.write_rows(&mut session, &arguments.table, rows.as_deref())?;
    session.finish()
}

/// An answer, the file it is of, and the tree where one was made.
struct Found {
    file: TreeFile,
    tree: Option<Tree>,
    answer: Answer,
}

fn operate(
    session: &mut Session,
    direction: Direction,
    name: OperatorName,
    arguments: &Arguments,
) -> Result<Found> {
    let (options, sums) = (&arguments.values, &arguments.sums);
    let floats = sums.need_floats(Operation::Operator(name), options.given.typed.kind);
    let floats = floats.map_err(anyhow::Error::msg)?;
    let (operator, plan) = ValuePlan::several(name, options, floats)?;
    let plan = plan.with_nan(sums.allow_nan);
    let mut needs = plan.needs();
    if session.draws() && needs.lengths == Lengths::No {
        needs.lengths = Lengths::IfAny;
    }
    let input = &arguments.input;
    let exclusive = arguments.exclusive;
    let params = AggregateParams {
        scope: if exclusive { Scope::Exclusive } else { Scope::Inclusive },
        engine: arguments.engine.host(),
        summation: sums.summation.unwrap_or_default(),
        error_bound: sums.error_bound,
        preorder: false,
    };
    let no_tree = wants_no_tree(session, arguments)? && needs_no_tree(operator, &params);
    needs.bytes_per_vertex = no_tree.then_some(ONCE_BYTES);
    let mut file = load_file(session, input, &needs)?;
    let values = plan.read(session, &mut file)?;
    let kind = values.first().map(Values::value_type);
    sums.check_nan(kind).map_err(anyhow::Error::msg)?;
    session
        .parameter("values", options.given.text(name))
        .parameter("type", kind.map_or("", ValueType::name))
        .parameter("exclusive", exclusive)
        .parameter("engine", arguments.engine.name());
    if let Some(modulus) = operator.modulus() {
        session.parameter("modulus", modulus);
    }
    if name == OperatorName::Sum && matches!(kind, Some(ValueType::F32 | ValueType::F64)) {
        session.parameter("sum", params.summation.name());
        session.parameter("error_bound", params.error_bound);
    }
    if let Operator::Hash { seed } = operator {
        session.parameter("seed", seed);
    }
    let values = Values::slices(&values);
    if no_tree {
        let (parents, forest) = (&file.parents, input.has_roots());
        let answer = session.phase("compute", || {
            aggregate_once(parents, forest, direction, operator, &values, &params)
        });
        if let Some(answer) = answer.map_err(|error| explain(error, &file, kind))? {
            return Ok(Found { file, tree: None, answer });
        }
    }
    let tree = build(session, input, &needs, &file)?;
    let answer = arguments.device.run(session, arguments.engine, &tree, |engine| {
        DeviceJob::Treefix { direction, operator, values: &values, params: &params, engine }
    });
    let answer = match answer {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => {
            session.phase("compute", || aggregate(&tree, direction, operator, &values, &params))
        }
        Err(error) => Err(error.downcast::<AggregateError>()?),
    };
    let answer = answer.map_err(|error| explain(error, &file, kind))?;
    Ok(Found { file, tree: Some(tree), answer })
}

fn measured(session: &mut Session, measure: Measure, arguments: &Arguments) -> Result<Found> {
    let options = &arguments.values;
    let name = measure.name();
    let more = [
        ("--missing-value", options.missing_value.is_some()),
        ("--exclusive", arguments.exclusive),
        ("--engine", !arguments.engine.suits_queries()),
    ];
    let more = more.into_iter().chain(arguments.sums.options());
    let measure = options.given.measure(measure, more).map_err(anyhow::Error::msg)?;
    if options.given.lengths {
        session.parameter("lengths", true);
    }
    let lengths = match measure {
        Measure::WeightedDepth => Lengths::Required,
        _ if session.draws() => Lengths::IfAny,
        _ => Lengths::No,
    };
    let no_tree = wants_no_tree(session, arguments)?;
    let bytes_per_vertex = no_tree.then_some(ONCE_BYTES);
    let needs = Needs { lengths, bytes_per_vertex, ..Needs::default() };
    let input = &arguments.input;
    let file = load_file(session, input, &needs)?;
    let lengths = file.lengths.as_deref();
    if no_tree {
        let forest = input.has_roots();
        let found = session.phase("compute", || measure.once(&file.parents, forest, lengths));
        let values = found.map_err(|error| file.explain(error))?;
        return Ok(Found { file, tree: None, answer: Answer::of_numbers(name, values) });
    }
    let tree = build(session, input, &needs, &file)?;
    let found =
        arguments.device.run(session, arguments.engine, &tree, |_| DeviceJob::Measure(measure))?;
    let mut answer = match found {
        Some(answer) => answer,
        None => {
            let values = session.phase("compute", || measure.by_vertex(&tree, lengths))?;
            Answer::of_numbers(name, values)
        }
    };
    answer.columns[0].name = name;
    Ok(Found { file, tree: Some(tree), answer })
}

/// Whether bare parents may be enough: no picture, no engine and no device is asked for.
fn wants_no_tree(session: &Session, arguments: &Arguments) -> Result<bool> {
    let auto = arguments.engine == AnyEngine::Host(Engine::Auto);
    let on_device = arguments.device.is_wanted(session, arguments.engine)?;
    Ok(auto && !on_device && !session.draws())
}

/// Puts a label and a line into an error that names a vertex.
pub(crate) fn explain(
    error: AggregateError,
    file: &TreeFile,
    kind: Option<ValueType>,
) -> anyhow::Error {
    let line = |v: u32| file.line_of(v).map_or(String::new(), |line| format!(", line {line}"));
    if let AggregateError::NotFinite { vertex, nan } = error {
        let found = if nan { "not a number" } else { "infinity" };
        let label = shown(&file.labels.get(vertex));
        return anyhow!(
            "{}{}: the value at {label} is {found}, and devices need not follow IEEE 754 for it; \
            use a host engine",
            file.name,
            line(vertex)
        );
    }
    if let AggregateError::Tree(error) = error {
        return file.explain(error).into();
    }
    let AggregateError::Treefix(TreefixError::Overflow { vertex, exact }) = error else {
        return error.into();
    };
    let text = format!(
        "{}{}: the sum does not fit {} at {}: {exact}",
        file.name,
        line(vertex),
        kind.map_or("", ValueType::name),
        shown(&file.labels.get(vertex))
    );
    anyhow::Error::new(error).context(text)
}

/// Says what is not finite.
fn note_accuracy(session: &Session, answer: &Answer, kind: Option<ValueType>) {
    let Some(found) = answer.findings else { return };
    if let Some(note) = note_of_values(found) {
        session.note(&note);
    }
    let Findings { infinite_values, overflows, .. } = found;
    if overflows > 0 && infinite_values > 0 && answer.engine == Some(Engine::Euler) {
        session.note(&format!(
            "{overflows} sums of finite values are lost, because engine euler adds and subtracts \
            infinities; use another engine or --sum exact"
        ));
    } else if let Some(note) = note_of_overflow(found, kind) {
        session.note(&note);
    }
}
