//! `palmette-mpi tree`: trees that no rank has whole.

mod arguments;
mod input;
pub(crate) mod output;
mod parsimony;
mod sliced;

use crate::command::{Links, Outcome, RunOptions, agree, ends_in, parsed};
use crate::record::Report;
use crate::tree::arguments::{Arguments, LcaArguments, TreefixArguments, Verb};
use clap::Parser;
use input::Slice;
use palmette::figures::ancestors;
use palmette::tree::distributed::{
    DistributedError, DistributedParams, DistributedTree, Metered, NO_VERTEX, Ranks, RanksError,
};
use palmette::{
    AggregateError, AggregateParams, Answer, AnswerCells, Direction, Figures, Findings, IoError,
    Measure, Scope, ValueType, Values, distributed_aggregate, distributed_measure,
    distributed_needs_order,
};
use palmette_mpi::{Job, MpiTransport};
use palmette_vocabulary::{Operation, ValueSource, input_advice, note_of_overflow, note_of_values};
use std::error::Error;
use std::path::{Path, PathBuf};

/// Runs a command on all ranks. Where one gives up, the others wait for the end of the job.
pub(crate) fn run(job: &Job, transport: MpiTransport, words: &[&str]) -> Outcome<()> {
    let mut ranks = Metered::new(transport);
    let Some(arguments) = parsed::<Arguments>(job, &mut ranks, words)? else { return Ok(()) };
    ranks.phase("read");
    let outcome = match &arguments.verb {
        Verb::Rootfix(arguments) => {
            treefix(&mut ranks, Direction::Rootfix, arguments.operation, &arguments.common)
        }
        Verb::Leaffix(arguments) => {
            treefix(&mut ranks, Direction::Leaffix, arguments.operation, &arguments.common)
        }
        Verb::Lca(arguments) => lca(&mut ranks, arguments),
        Verb::Parsimony(arguments) => parsimony::run(&mut ranks, arguments),
    };
    outcome.map_err(|error| if is_elsewhere(&*error) { job.wait() } else { advised(error) })
}

/// Whether another rank has found the mistake, and tells it.
fn is_elsewhere(error: &(dyn Error + 'static)) -> bool {
    let ranks = |error: &RanksError| matches!(error, RanksError::Elsewhere { .. });
    let tree = |error: &DistributedError| matches!(error, DistributedError::Ranks(e) if ranks(e));
    error.downcast_ref().is_some_and(ranks)
        || error.downcast_ref().is_some_and(tree)
        || matches!(error.downcast_ref(), Some(AggregateError::Distributed(e)) if tree(e))
}

/// Adds the option that fixes the error.
fn advised(error: Box<dyn Error>) -> Box<dyn Error> {
    // Other errors have options that ranks do not know.
    let known = |error: &&IoError| {
        use IoError::{Header, NoIntegerType, OwnParent};
        matches!(error, OwnParent { .. } | Header { .. } | NoIntegerType(_))
    };
    match error.downcast_ref().filter(known).and_then(input_advice) {
        Some(advice) => format!("{error}; {advice}").into(),
        None => error,
    }
}

fn build(
    ranks: &mut Links,
    slice: &Slice,
    forest: bool,
    ordered: bool,
) -> Outcome<DistributedTree> {
    // Whoever has read sooner waits here: that is reading.
    ranks.sum(0)?;
    let params = DistributedParams { forest, ordered, ..Default::default() };
    let tree = DistributedTree::build(ranks, &slice.parents, params);
    tree.map_err(|error| slice.explain(error))
}

fn treefix(
    ranks: &mut Links,
    direction: Direction,
    operation: Operation,
    arguments: &TreefixArguments,
) -> Outcome<()> {
    let mut report = Report::new(&format!("tree {direction}"), &arguments.input.file);
    let options = &arguments.values;
    let name = operation.name();
    let operation = match operation {
        Operation::Measure(measure) => {
            let more = [("--exclusive", arguments.exclusive)];
            let more = more.into_iter().chain(arguments.sums.options());
            let measure = options.measure(measure, more).map_err(Box::<dyn Error>::from);
            Operation::Measure(ranks.agree(measure)?)
        }
        operator => operator,
    };
    let files: Vec<PathBuf> = options.values.iter().filter_map(|text| file_of(text)).collect();
    let mut inputs = vec![arguments.input.file.as_path()];
    inputs.extend(files.iter().map(PathBuf::as_path));
    output::check(ranks, arguments.output.as_deref(), &inputs)?;
    let mut slice = input::read(ranks, operation, arguments)?;
    let ordered = match operation {
        Operation::Operator(operator) => {
            let operator = options.parameters.operator(operator)?;
            let values = Values::slices(&slice.values);
            distributed_needs_order(ranks, direction, operator, &values)?
        }
        Operation::Measure(_) => false,
    };
    let tree = build(ranks, &slice, arguments.input.forest, ordered)?;
    report.record.parameter("op", name);
    let answer = match operation {
        Operation::Operator(operator) => {
            let text = options.text(operator);
            let operator = options.parameters.operator(operator)?;
            let params = AggregateParams {
                scope: if arguments.exclusive { Scope::Exclusive } else { Scope::Inclusive },
                summation: arguments.sums.summation.unwrap_or_default(),
                error_bound: arguments.sums.error_bound,
                ..Default::default()
            };
            let values = std::mem::take(&mut slice.values);
            let kind = values.first().map(Values::value_type);
            let checked = arguments.sums.check_nan(kind).map_err(Box::<dyn Error>::from);
            ranks.agree(checked)?;
            let kind = kind.map_or("", ValueType::name);
            report.record.parameter("values", text).parameter("type", kind);
            let values = Values::slices(&values);
            let answer = distributed_aggregate(ranks, &tree, direction, operator, &values, &params);
            answer.map_err(|error| slice.explain_sum(error))?
        }
        Operation::Measure(measure) => {
            let lengths = match slice.values.first() {
                Some(Values::F64(lengths)) => Some(&lengths[..]),
                _ => None,
            };
            let values = distributed_measure(ranks, &tree, measure, &slice.parents, lengths)?;
            Answer::of_numbers(name, values)
        }
    };
    report.record.parameter("exclusive", arguments.exclusive);
    report.record.figure("vertices", tree.len());
    if let Some(summation) = arguments.sums.summation {
        report.record.parameter("sum", summation.name());
    }
    if let Some(found) = answer.findings {
        note_findings(&mut report, found);
    } else {
        note_floats(ranks, &mut report, &answer)?;
    }
    if let Some(path) = &arguments.output {
        ranks.phase("write");
        output::write_answers(ranks, path, &slice, &answer, options.each(operation))?;
        report.record.parameter("output", path.display().to_string());
    } else if !arguments.run.json {
        report.note("the answers are not kept; pass -o FILE to write them".to_string());
    }
    report.finish(ranks, &arguments.run)
}

/// The file that a text after `--values` names.
fn file_of(text: &str) -> Option<PathBuf> {
    match ValueSource::parse(text) {
        ValueSource::File(path) => Some(path),
        _ => None,
    }
}

/// What is not finite among sums of floats.
fn note_findings(report: &mut Report, found: Findings) {
    found.figures(&mut report.record);
    for note in [note_of_values(found), note_of_overflow(found, None)].into_iter().flatten() {
        report.note(note);
    }
}

/// Counts answers that are not finite, on all ranks.
fn note_floats(ranks: &mut Links, report: &mut Report, answer: &Answer) -> Outcome<()> {
    fn count<T: Copy + Into<f64>>(x: &[T]) -> [u64; 2] {
        let number = |is: fn(f64) -> bool| x.iter().filter(|&&x| is(x.into())).count() as u64;
        [number(f64::is_nan), number(f64::is_infinite)]
    }
    let counts = answer.columns.iter().filter_map(|column| match &column.cells {
        AnswerCells::Numbers(Values::F64(x)) => Some(count(x)),
        AnswerCells::Numbers(Values::F32(x)) => Some(count(x)),
        _ => None,
    });
    let Some([nan, infinite]) = counts.reduce(|a, b| [a[0] + b[0], a[1] + b[1]]) else {
        return Ok(());
    };
    let (nan, infinite) = (ranks.sum(nan)?, ranks.sum(infinite)?);
    report.record.figure("nan_answers", nan).figure("infinite_answers", infinite);
    if nan + infinite > 0 {
        report.note(format!("{nan} answers are NaN, {infinite} infinite"));
    }
    Ok(())
}

fn lca(ranks: &mut Links, arguments: &LcaArguments) -> Outcome<()> {
    let mut report = Report::new("tree lca", &arguments.input.file);
    let inputs = [arguments.input.file.as_path(), arguments.pairs.as_path()];
    output::check(ranks, arguments.output.as_deref(), &inputs)?;
    let slice = input::read_tree(ranks, &arguments.input, arguments.lengths)?;
    let pairs = input::read_pairs(ranks, arguments, &slice)?;
    let tree = build(ranks, &slice, arguments.input.forest, true)?;
    let index = tree.lca(ranks, &slice.parents)?;
    let meetings = index.batch(ranks, &pairs.vertices)?;
    let distances = match slice.values.first() {
        Some(Values::F64(lengths)) => {
            let (measure, parents) = (Measure::WeightedDepth, &slice.parents);
            let depths = distributed_measure(ranks, &tree, measure, parents, Some(lengths))?;
            let Values::F64(depths) = depths else {
                return Err("depths by length are no floats".into());
            };
            Values::F64(index.distances(ranks, &depths, &pairs.vertices, &meetings)?)
        }
        _ => Values::U64(meetings.iter().map(|meeting| meeting.distance).collect()),
    };
    report.record.parameter("queries", arguments.pairs.display().to_string());
    let apart = meetings.iter().filter(|meeting| meeting.ancestor == NO_VERTEX).count();
    let (queries, apart) = (ranks.sum(meetings.len() as u64)?, ranks.sum(apart as u64)?);
    ancestors(&mut report.record, tree.len(), queries, apart);
    if let Some(path) = &arguments.output {
        ranks.phase("write");
        let unit = if arguments.lengths { "length" } else { "edges" };
        let distances = arguments.distance.then_some((unit, &distances));
        output::write_meetings(ranks, path, &slice, &pairs, &meetings, distances)?;
        report.record.parameter("output", path.display().to_string());
    }
    report.finish(ranks, &arguments.run)
}
