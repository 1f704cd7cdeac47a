//! `palmette-mpi tree parsimony`: ranks share the sites.
//!
//! **Problem.** The least cost of every site of an alignment on a tree, and what changes on each branch cost.
//! **Method.** Sites do not know of each other. Every rank has the tree and a slice of the sites, whose blocks its threads
//! share. Scores stay where they are until they are written. Costs of branches are whole numbers of a unit: each rank
//! adds up those of its slice of the vertices.
//! **Cost.** Work n · sites / ranks. Messages: one round for branches, n words per rank. Memory of a rank: the tree, and the
//! alignment until its slice is taken.
//! **Determinism.** The answers of one process, on any number of ranks.
//! **When not to use.** For trees that no rank can have whole: `--slices` (`sliced.rs`). States of ancestors are not written.

use super::arguments::ParsimonyArguments;
use super::*;
use palmette::io::{
    Alignment, Cells, CostFile, InputLimit, read_alignment, read_bytes_within, read_tree,
};
use palmette::phylo::parsimony::ParsimonyParams;
use palmette::phylogeny::parsimony::{AlignedParams, cost_matrix, parsimony};
use palmette::{Labels, ReadParams, Tree, TreeParams};

/// What every rank has: the tree with its names.
struct Input {
    labels: Labels,
    tree: Tree,
    alignment: Alignment,
    costs: Option<palmette::phylo::parsimony::CostMatrix>,
    /// Sites of all ranks, and where this one's begin.
    sites: usize,
    first: usize,
}

pub(super) fn run(ranks: &mut Links, arguments: &ParsimonyArguments) -> Outcome<()> {
    let mut report = Report::new("tree parsimony", &arguments.file);
    let aligned = &arguments.aligned;
    let cost = aligned.cost.as_deref();
    let mut inputs = vec![arguments.file.as_path(), aligned.alignment.as_path()];
    inputs.extend(cost);
    output::check(ranks, arguments.output.as_deref(), &inputs)?;
    inputs.extend(arguments.output.as_deref());
    output::check(ranks, arguments.branches.as_deref(), &inputs)?;
    if arguments.slices != 1 {
        return sliced::run(ranks, arguments, report);
    }
    let input = read(ranks, arguments);
    let input = agree(ranks, input)?;
    let Input { labels, tree, alignment, costs, .. } = &input;
    describe(&mut report, arguments, alignment);
    ranks.phase("compute");
    let wanted = ParsimonyParams { branches: arguments.branches.is_some(), states: None };
    let params = AlignedParams { wanted, ignore_missing: aligned.ignore_missing };
    let found = parsimony(tree, labels, alignment, costs.as_ref(), &params);
    let found = agree(ranks, found)?;
    let scale = costs.as_ref().map_or(1.0, |costs| costs.scale());
    let units = |score: &f64| (score * scale).round() as u64;
    let own: u64 = found.found.site_scores.iter().map(units).sum();
    let score = ranks.sum(own)? as f64 / scale;
    let variable = found.found.site_scores.iter().filter(|&&score| score > 0.0).count();
    let variable = ranks.sum(variable as u64)?;
    put_score(&mut report, score);
    let record = &mut report.record;
    record
        .figure("variable_sites", variable)
        .figure("sites", input.sites)
        .figure("states", found.states)
        .figure("tips", found.tips)
        .figure("unknown_tips", found.unknown_tips)
        .figure("left_out", found.left_out)
        .figure("vertices", tree.len());
    ranks.phase("write");
    write_scores(ranks, arguments, &mut report, input.first, &found.found.site_scores)?;
    if let (Some(path), Some(costs)) = (&arguments.branches, &found.found.branch_scores) {
        let by_vertex = tree.to_vertices(costs)?;
        let by_vertex: Vec<u64> = by_vertex.iter().map(units).collect();
        let (first, sums) = add_up(ranks, &by_vertex)?;
        let sums: Vec<f64> = sums.into_iter().map(|sum| sum as f64 / scale).collect();
        let sums = whole_or_not(ranks, &sums)?;
        let vertices: Vec<u32> = (first as u32..).take(sums.len()).collect();
        let columns = [("vertex", Cells::Vertices(&vertices)), ("cost", Cells::from(&sums))];
        write(ranks, path, labels, &columns, &sums)?;
        report.record.parameter("branches", path.display().to_string());
    } else {
        note_unkept(&mut report, arguments);
    }
    report.finish(ranks, &arguments.run)
}

/// What was asked for.
pub(super) fn describe(report: &mut Report, arguments: &ParsimonyArguments, alignment: &Alignment) {
    let aligned = &arguments.aligned;
    report
        .record
        .parameter("alignment", aligned.alignment.display().to_string())
        .parameter("type", alignment.symbols.kind().name())
        .parameter("gaps", aligned.gaps.name());
    if let Some(path) = &aligned.cost {
        report.record.parameter("cost", path.display().to_string());
    }
}

pub(super) fn put_score(report: &mut Report, score: f64) {
    match score.fract() == 0.0 {
        true => report.record.figure("score", score as u64),
        false => report.record.figure("score", score),
    };
}

pub(super) fn note_unkept(report: &mut Report, arguments: &ParsimonyArguments) {
    if arguments.output.is_none() && !arguments.run.json {
        report.note("the scores of sites are not kept; pass -o FILE to write them".to_string());
    }
}

/// Writes the scores of this rank's sites, the first of which is `first`.
pub(super) fn write_scores(
    ranks: &mut Links,
    arguments: &ParsimonyArguments,
    report: &mut Report,
    first: usize,
    scores: &[f64],
) -> Outcome<()> {
    let Some(path) = &arguments.output else { return Ok(()) };
    let sites = Values::U64((1 + first as u64..).take(scores.len()).collect());
    let scores = whole_or_not(ranks, scores)?;
    let columns = [("site", Cells::from(&sites)), ("score", Cells::from(&scores))];
    write(ranks, path, &Labels::numbers(0), &columns, &scores)?;
    report.record.parameter("output", path.display().to_string());
    Ok(())
}

/// The costs of a file, for the states of alignments that are read with these params.
pub(super) fn read_costs(arguments: &ParsimonyArguments) -> Outcome<Option<CostFile>> {
    let Some(path) = &arguments.aligned.cost else { return Ok(None) };
    let bytes = read_bytes_within(path, InputLimit::default())?;
    Ok(Some(CostFile::read(&path.display().to_string(), &bytes)?))
}

/// The tree, and this rank's sites.
fn read(ranks: &Links, arguments: &ParsimonyArguments) -> Outcome<Input> {
    let aligned = &arguments.aligned;
    let file = read_tree(&arguments.file, &ReadParams::default())?;
    let tree = file.tree(TreeParams::default())?;
    let limit = InputLimit::default();
    let costs = read_costs(arguments)?;
    let whole = read_alignment(&aligned.alignment, limit, &aligned.params(costs.as_ref())?)?;
    let costs = costs.map(|costs| cost_matrix(&costs, &whole)).transpose()?;
    let (first, alignment) = whole.part(ranks.rank(), ranks.ranks());
    Ok(Input { labels: file.labels, tree, alignment, costs, sites: whole.sites, first })
}

/// Whole numbers where those of all ranks are.
fn whole_or_not(ranks: &mut Links, numbers: &[f64]) -> Outcome<Values> {
    let broken = numbers.iter().filter(|x| x.fract() != 0.0).count();
    Ok(match ranks.sum(broken as u64)? {
        0 => Values::U64(numbers.iter().map(|&x| x as u64).collect()),
        _ => Values::F64(numbers.to_vec()),
    })
}

/// The sums over ranks, of this rank's slice of the vertices, and where it begins.
fn add_up(ranks: &mut Links, own: &[u64]) -> Outcome<(usize, Vec<u64>)> {
    let count = ranks.ranks();
    let start = |rank: usize| rank * own.len() / count;
    let counts: Vec<usize> = (0..count).map(|rank| start(rank + 1) - start(rank)).collect();
    let mail = ranks.exchange(own, &counts)?;
    let mine = counts[ranks.rank()];
    let mut sums = vec![0; mine];
    for words in mail.words.chunks_exact(mine.max(1)) {
        sums.iter_mut().zip(words).for_each(|(sum, word)| *sum += word);
    }
    Ok((start(ranks.rank()), sums))
}

fn write(
    ranks: &mut Links,
    path: &Path,
    labels: &Labels,
    columns: &[(&str, Cells<'_>)],
    numbers: &Values,
) -> Outcome<()> {
    match ends_in(path, ".npy") {
        true => output::write_numbers(ranks, path, numbers),
        false => output::write_rows(ranks, path, labels, columns),
    }
}
