//! `palmette-mpi tree`: trees that no rank has whole.

mod arguments;
mod input;
mod output;
mod record;

use crate::tree::arguments::{Arguments, LcaArguments, Operation, TreefixArguments, Verb};
use clap::Parser;
use input::Slice;
use palmette::tree::distributed::{
    DistributedError, DistributedParams, DistributedTree, Metered, NO_VERTEX, Ranks, RanksError,
};
use palmette::{
    AggregateError, AggregateParams, Answer, AnswerCells, Direction, Findings, IoError, Scope,
    Values, distributed_aggregate, distributed_measure,
};
use palmette_mpi::{Job, MpiTransport};
use record::Report;
use std::error::Error;
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Runs a command on all ranks. Where one gives up, the others wait for the end of the job.
pub(crate) fn run(job: &Job, transport: MpiTransport, words: &[&str]) -> Outcome<()> {
    let mut ranks = Metered::new(transport);
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => {
            if job.rank() == 0 {
                // A closed pipe is no concern of ours.
                let _ = error.print();
            }
            if error.use_stderr() {
                // All ranks are here, so that nothing is cut off.
                ranks.sum(0)?;
                Job::abort();
            }
            return Ok(());
        }
    };
    ranks.phase("read");
    let outcome = match &arguments.verb {
        Verb::Rootfix(arguments) => treefix(&mut ranks, Direction::Rootfix, arguments),
        Verb::Leaffix(arguments) => treefix(&mut ranks, Direction::Leaffix, arguments),
        Verb::Lca(arguments) => lca(&mut ranks, arguments),
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

/// Adds the option that mends what is wrong.
fn advised(error: Box<dyn Error>) -> Box<dyn Error> {
    let advice = match error.downcast_ref() {
        Some(IoError::OwnParent { .. }) => "pass --self-root to take such a vertex as a root",
        Some(IoError::Header { .. }) => "pass --header true or --header false",
        _ => return error,
    };
    format!("{error}; {advice}").into()
}

fn build(
    ranks: &mut Metered<MpiTransport>,
    slice: &Slice,
    forest: bool,
) -> Outcome<DistributedTree> {
    let params = DistributedParams { forest, ..Default::default() };
    let tree = DistributedTree::build(ranks, &slice.parents, params);
    tree.map_err(|error| slice.explain(error))
}

fn treefix(
    ranks: &mut Metered<MpiTransport>,
    direction: Direction,
    arguments: &TreefixArguments,
) -> Outcome<()> {
    let options = &arguments.values;
    ranks.agree(arguments.check(direction))?;
    let texts = options.values.iter().map(|text| text.strip_prefix("file:").unwrap_or(text));
    let mut inputs = vec![arguments.input.file.as_path()];
    inputs.extend(texts.map(Path::new));
    output::check(ranks, arguments.output.as_deref(), &inputs)?;
    let mut slice = input::read(ranks, arguments)?;
    let tree = build(ranks, &slice, arguments.input.forest)?;
    let answer = match arguments.operation {
        Operation::Operator(operator) => {
            let params = AggregateParams {
                scope: if arguments.exclusive { Scope::Exclusive } else { Scope::Inclusive },
                wrapping: options.wrapping,
                modulus: options.modulus,
                seed: options.seed,
                summation: arguments.sums.summation.unwrap_or_default(),
                error_bound: arguments.sums.error_bound,
                ..Default::default()
            };
            let values = std::mem::take(&mut slice.values);
            let answer = distributed_aggregate(ranks, &tree, direction, operator, &values, &params);
            answer.map_err(|error| slice.explain_sum(error))?
        }
        Operation::Measure(measure) => {
            let lengths = match slice.values.first() {
                Some(Values::F64(lengths)) => Some(&lengths[..]),
                _ => None,
            };
            let values = distributed_measure(ranks, &tree, measure, &slice.parents, lengths)?;
            Answer::of_numbers(measure.name(), values)
        }
    };
    let mut report = Report::new(arguments.command(direction), &arguments.input.file);
    report.record.parameter("op", arguments.operation.name());
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
        output::write_answers(ranks, path, &slice, &answer)?;
        report.record.parameter("output", path.display().to_string());
    } else if !arguments.run.json {
        report.note("the answers are not kept; -o FILE writes them".to_string());
    }
    report.finish(ranks, &arguments.run)
}

/// What is not finite among sums of floats, in the words of `palmette tree`.
fn note_findings(report: &mut Report, found: Findings) {
    let Findings { nan_values, infinite_values, nan_sums, infinite_sums, overflows } = found;
    let counts = [
        ("nan_values", nan_values),
        ("infinite_values", infinite_values),
        ("nan_sums", nan_sums),
        ("infinite_sums", infinite_sums),
        ("overflows", overflows),
    ];
    for (key, count) in counts {
        report.record.figure(key, count);
    }
    if nan_values + infinite_values > 0 {
        report.note(format!(
            "among the values are {nan_values} NaN and {infinite_values} infinite; \
             {nan_sums} sums are NaN, {infinite_sums} infinite"
        ));
    }
    if overflows > 0 {
        report.note(format!(
            "{overflows} sums of finite values overflow on the way or in the end (--sum exact \
             loses only those that are too large themselves)"
        ));
    }
}

/// Counts answers that are not finite, on all ranks.
fn note_floats(
    ranks: &mut Metered<MpiTransport>,
    report: &mut Report,
    answer: &Answer,
) -> Outcome<()> {
    let count = |cells: &AnswerCells| match cells {
        AnswerCells::Numbers(Values::F64(x)) => Some((
            x.iter().filter(|x| x.is_nan()).count(),
            x.iter().filter(|x| x.is_infinite()).count(),
        )),
        AnswerCells::Numbers(Values::F32(x)) => Some((
            x.iter().filter(|x| x.is_nan()).count(),
            x.iter().filter(|x| x.is_infinite()).count(),
        )),
        _ => None,
    };
    let counts: Vec<_> = answer.columns.iter().filter_map(|column| count(&column.cells)).collect();
    if counts.is_empty() {
        return Ok(());
    }
    let nan = ranks.sum(counts.iter().map(|c| c.0 as u64).sum())?;
    let infinite = ranks.sum(counts.iter().map(|c| c.1 as u64).sum())?;
    report.record.figure("nan_answers", nan).figure("infinite_answers", infinite);
    if nan + infinite > 0 {
        report.note(format!("{nan} answers are NaN, {infinite} infinite"));
    }
    Ok(())
}

fn lca(ranks: &mut Metered<MpiTransport>, arguments: &LcaArguments) -> Outcome<()> {
    let inputs = [arguments.input.file.as_path(), arguments.pairs.as_path()];
    output::check(ranks, arguments.output.as_deref(), &inputs)?;
    let slice = input::read_tree(ranks, &arguments.input)?;
    let pairs = input::read_pairs(ranks, arguments, &slice)?;
    let tree = build(ranks, &slice, arguments.input.forest)?;
    let index = tree.lca(ranks, &slice.parents)?;
    let meetings = index.batch(ranks, &pairs.vertices)?;
    let mut report = Report::new("tree lca", &arguments.input.file);
    report.record.parameter("queries", arguments.pairs.display().to_string());
    report.record.figure("vertices", tree.len());
    let apart = meetings.iter().filter(|meeting| meeting.ancestor == NO_VERTEX).count();
    report.record.figure("queries", ranks.sum(meetings.len() as u64)?);
    report.record.figure("without_ancestor", ranks.sum(apart as u64)?);
    if let Some(path) = &arguments.output {
        ranks.phase("write");
        output::write_meetings(ranks, path, &slice, &pairs, &meetings, arguments.distance)?;
        report.record.parameter("output", path.display().to_string());
    }
    report.finish(ranks, &arguments.run)
}
