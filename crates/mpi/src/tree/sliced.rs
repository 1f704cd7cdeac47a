//! `palmette-mpi tree parsimony --slices N`: ranks share the sites and the tree.
//!
//! **Problem.** As `parsimony.rs`, for scores. **Method.** Ranks form groups of N; a group has some of the sites, and each of
//! its ranks a slice of the tree with the sequences of its tips. **Cost.** No rank has more than its slices of the
//! tree and, while it is read, of the alignment. **Determinism.** The answers of one process.

use super::arguments::ParsimonyArguments;
use super::parsimony::{describe, note_unkept, put_score, read_costs, write_scores};
use super::*;
use palmette::io::{Alignment, CostFile, FastaSlices, NewickSlices, open_newick_slices};
use palmette::phylo::parsimony::{
    CostMatrix, ParsimonyError, SharedParsimonyError, SharedScores, TipSets, shared_parsimony,
};
use palmette::phylogeny::parsimony::cost_matrix;
use palmette::phylogeny::sliced::{SlicedError, TipRows, bring_rows, read_fasta, read_newick};
use palmette::tree::distributed::FoldSlices;

/// The files of every rank.
struct Files {
    tree: NewickSlices,
    alignment: FastaSlices,
    costs: Option<CostFile>,
}

/// The scores of this rank's sites, and what is told of the input.
struct Found {
    shared: SharedScores,
    alignment: Alignment,
    rows: TipRows,
    vertices: u64,
    sites: usize,
}

pub(super) fn run(
    ranks: &mut Links,
    arguments: &ParsimonyArguments,
    mut report: Report,
) -> Outcome<()> {
    let (rank, count, slices) = (ranks.rank(), ranks.ranks(), arguments.slices);
    let files = open(count, arguments);
    let files = agree(ranks, files)?;
    // Ends what was timed so far.
    ranks.phases();
    let group = ranks.inner().group(rank / slices)?;
    let mut links = Metered::new(group);
    links.phase("read");
    let found = group_scores(&mut links, files, arguments, (rank / slices, count / slices));
    let found = match found {
        // All groups read the same; the first one says what is wrong with it.
        Err(_) if rank >= slices => Err(RanksError::Elsewhere { rank: 0 }.into()),
        found => found,
    }?;
    ranks.join(links);
    let found = agreed(ranks, found, &arguments.aligned.alignment)?;
    describe(&mut report, arguments, &found.alignment);
    report.record.parameter("slices", slices);
    let Found { shared, alignment, rows, vertices, sites } = found;
    let score = total(ranks, &shared.scores)?;
    put_score(&mut report, score);
    let variable = shared.scores.iter().filter(|&&score| score > 0.0).count();
    report
        .record
        .figure("variable_sites", ranks.sum(variable as u64)?)
        .figure("sites", sites)
        .figure("states", alignment.symbols.states().len())
        .figure("tips", rows.tips)
        .figure("unknown_tips", rows.unknown)
        .figure("left_out", rows.left_out)
        .figure("vertices", vertices);
    ranks.phase("write");
    write_scores(ranks, arguments, &mut report, shared.first, &shared.scores)?;
    note_unkept(&mut report, arguments);
    report.finish(ranks, &arguments.run)
}

/// Whether such groups can be, and the files.
fn open(ranks: usize, arguments: &ParsimonyArguments) -> Outcome<Files> {
    let slices = arguments.slices;
    if slices == 0 || !ranks.is_multiple_of(slices) {
        return Err(format!(
            "--slices {slices} does not divide the number of ranks, which is {ranks}"
        )
        .into());
    }
    if arguments.branches.is_some() {
        let wrong = "--branches needs the whole tree on every rank; leave out --slices";
        return Err(wrong.into());
    }
    let Some(tree) = open_newick_slices(&arguments.file)? else {
        let file = arguments.file.display();
        return Err(format!(
            "{file}: --slices reads Newick trees only (`palmette tree convert` can write one)"
        )
        .into());
    };
    let costs = read_costs(arguments)?;
    let params = arguments.aligned.params(costs.as_ref())?;
    let alignment = FastaSlices::open(&arguments.aligned.alignment, &params)?;
    Ok(Files { tree, alignment, costs })
}

/// What a rank finds in its group: nothing where another rank of it has a mistake to tell.
type InGroup = Result<Option<Found>, ParsimonyError>;

/// What all groups have found. A group knows of its own sites only that they have no finite cost.
fn agreed(ranks: &mut Links, found: InGroup, file: &Path) -> Outcome<Found> {
    let own = match &found {
        Err(ParsimonyError::Impossible { sites, .. }) => *sites as u64,
        _ => 0,
    };
    let sites = ranks.sum(own)? as usize;
    let found = found.map_err(|error| match error {
        ParsimonyError::Impossible { first, .. } => ParsimonyError::Impossible { sites, first },
        other => other,
    });
    let found = found.map_err(|error| format!("{}: {error}", file.display()));
    let found = agree(ranks, found)?;
    found.ok_or_else(|| RanksError::Elsewhere { rank: 0 }.into())
}

/// The scores of the sites of this group.
fn group_scores(
    ranks: &mut Links,
    mut files: Files,
    arguments: &ParsimonyArguments,
    (group, groups): (usize, usize),
) -> Outcome<InGroup> {
    let slice = read_newick(ranks, &files.tree).map_err(plain)?;
    let params = DistributedParams { ordered: false, ..Default::default() };
    let tree = DistributedTree::build(ranks, &slice.parents, params)?;
    let fold = FoldSlices::build(ranks, &tree, &slice.parents)?;
    let vertices = tree.len();
    drop(tree);
    ranks.phase("read");
    let whole = read_fasta(ranks, &mut files.alignment).map_err(plain)?;
    let costs = files.costs.map(|costs| cost_matrix(&costs, &whole)).transpose();
    let costs: Option<CostMatrix> = agree(ranks, costs)?;
    let sites = whole.sites;
    let (first, mut alignment) = whole.part(group, groups);
    drop(whole);
    let missing = arguments.aligned.ignore_missing;
    let rows = bring_rows(ranks, &fold, &slice, &alignment, missing).map_err(plain)?;
    drop(slice);
    alignment.rows = Vec::new();
    ranks.phase("compute");
    let states = alignment.symbols.states().len();
    let tips = TipSets::new(states, alignment.sites, &rows.rows, &rows.row_of);
    let tips = agree(ranks, tips)?;
    let shared = shared_parsimony(ranks, &fold, &tips, costs.as_ref());
    Ok(match shared {
        Ok(mut shared) => {
            shared.first += first;
            let rows = TipRows { rows: Vec::new(), row_of: Vec::new(), ..rows };
            Ok(Some(Found { shared, alignment, rows, vertices, sites }))
        }
        Err(SharedParsimonyError::Parsimony(ParsimonyError::Impossible { sites, first: site })) => {
            Err(ParsimonyError::Impossible { sites, first: first + site })
        }
        Err(SharedParsimonyError::Parsimony(error)) => Err(error),
        Err(SharedParsimonyError::Distributed(DistributedError::Ranks(
            RanksError::Elsewhere { .. },
        ))) => Ok(None),
        Err(error) => return Err(error.into()),
    })
}

/// The sum over all ranks, exact as the scores are.
fn total(ranks: &mut Links, scores: &[f64]) -> Outcome<f64> {
    // Scores have at most six digits after the point.
    const UNITS: f64 = 1e6;
    let own: f64 = scores.iter().map(|score| (score * UNITS).round()).sum();
    Ok(ranks.sum(own as u64)? as f64 / UNITS)
}

/// The error inside, which is told and looked through.
fn plain(error: SlicedError) -> Box<dyn Error> {
    match error {
        SlicedError::Io(error) => error.into(),
        SlicedError::Aligned(error) => error.into(),
        SlicedError::Distributed(error) => error.into(),
        other => other.into(),
    }
}
