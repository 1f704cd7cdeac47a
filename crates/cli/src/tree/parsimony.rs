//! `palmette tree parsimony`.

use crate::limit::{limit, read_bytes};
use crate::output::separator_of;
use crate::prelude::*;
use palmette::io::{Alignment, CostFile, read_alignment, write_fasta, write_texts};
use palmette::phylo::parsimony::{ParsimonyParams, StateKind, StateSets};
use palmette::phylogeny::parsimony::{AlignedParams, cost_matrix, parsimony, score_values};
use palmette_vocabulary::AlignmentOptions;

#[derive(Debug, Args)]
#[command(mut_arg("missing_length", |argument| argument.hide(true)))]
#[command(mut_arg("output", |argument| {
    argument.help("Output: the score of every site as a table (csv, tsv, npy, parquet, arrow), or with \
        --states sequences of states (fasta, or csv and tsv with a row per inner vertex)")
}))]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree with the changes on each branch: whole up to 200 leaves")
}))]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    aligned: AlignmentOptions,
    /// Write ancestral states to -o: mpr (all that a best reconstruction has), first-pass, or one (those
    /// of one reconstruction).
    #[arg(long, value_name = "KIND", value_parser = named::<StateKind>(), num_args = 0..=1,
        require_equals = true, default_missing_value = "mpr")]
    states: Option<StateKind>,
    /// Output table with the score of every site, beside states.
    #[arg(long, value_name = "FILE", requires = "states")]
    scores: Option<PathBuf>,
    /// Output table with what changes on the branch above each vertex cost.
    #[arg(long, value_name = "FILE")]
    branches: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let cost = arguments.aligned.cost.as_deref();
    let files = Files::of(&arguments.input.file)
        .reads("ALIGNMENT", Some(&arguments.aligned.alignment))
        .reads("--cost", cost)
        .writes("--scores", arguments.scores.as_deref(), Kind::TABLE)
        .writes("--branches", arguments.branches.as_deref(), Kind::TABLE)
        .draws(&arguments.pictures, "tree");
    let kind = if arguments.states.is_some() { Kind::SEQUENCES } else { Kind::TABLE };
    let mut session = Session::open("tree parsimony", arguments.table.files(files, kind), run)?;
    let draws = session.draws();
    let lengths = if draws { Lengths::IfAny } else { Lengths::No };
    let loaded = load(&mut session, &arguments.input, &Needs { lengths, ..Needs::default() })?;
    let costs = match cost {
        Some(path) => Some(CostFile::read(&name_of(path), &read_bytes(path)?)?),
        None => None,
    };
    let alignment = read(&mut session, arguments, costs.as_ref())?;
    let costs = costs.map(|costs| cost_matrix(&costs, &alignment)).transpose()?;
    session
        .parameter("alignment", name_of(&arguments.aligned.alignment))
        .parameter("type", alignment.symbols.kind().name())
        .parameter("alphabet", alignment.symbols.alphabet())
        .parameter("gaps", arguments.aligned.gaps.name());
    session.file("cost", cost);
    session.file("scores", arguments.scores.as_deref());
    session.file("branches", arguments.branches.as_deref());
    let branches = arguments.branches.is_some() || draws;
    let wanted = ParsimonyParams { branches, states: arguments.states };
    let params = AlignedParams { wanted, ignore_missing: arguments.aligned.ignore_missing };
    let Loaded { file, tree } = &loaded;
    let answer = session
        .phase("compute", || parsimony(tree, &file.labels, &alignment, costs.as_ref(), &params))?;
    session.figures(&answer);
    session.rate("ns_per_site_and_vertex", "compute", tree.len() * alignment.sites.max(1));
    let sites = Values::U64((1..=alignment.sites as u64).collect());
    let scores = score_values(&answer.found.site_scores);
    let by_site = Answers {
        labels: &file.labels,
        columns: vec![("site", Cells::from(&sites)), ("score", Cells::from(&scores))],
        numbers: Some(&scores),
    };
    if let Some(path) = &arguments.scores {
        by_site.write_beside(&mut session, path)?;
    }
    if let Some(by_position) = &answer.found.branch_scores {
        let changes = score_values(&tree.to_vertices(by_position)?);
        let columns = vec![("vertex", Cells::EachVertex), ("cost", Cells::from(&changes))];
        let by_branch = Answers { labels: &file.labels, columns, numbers: Some(&changes) };
        if let Some(path) = &arguments.branches {
            by_branch.write_beside(&mut session, path)?;
        }
        if draws {
            let named = Some(("changes", &changes));
            let drawn = session.phase("draw", || pictures::tree(file, tree, named))?;
            keep(&mut session, None, drawn)?;
        }
    }
    match (arguments.states, &answer.found.states) {
        (Some(kind), Some(states)) => {
            session.parameter("states", kind.name());
            write_states(&mut session, arguments, &loaded, &alignment, states)?;
        }
        _ => by_site.write(&mut session, &arguments.table)?,
    }
    session.finish()
}

fn read(
    session: &mut Session,
    arguments: &Arguments,
    costs: Option<&CostFile>,
) -> Result<Alignment> {
    let params = arguments.aligned.params(costs).map_err(|text| anyhow!(text))?;
    let path = &arguments.aligned.alignment;
    Ok(session.phase("read", || read_alignment(path, limit(), &params))?)
}

/// The states of inner vertices, in preorder.
fn write_states(
    session: &mut Session,
    arguments: &Arguments,
    Loaded { file, tree }: &Loaded,
    alignment: &Alignment,
    states: &StateSets,
) -> Result<()> {
    let Some(path) = session.destination(arguments.table.output.as_deref()) else { return Ok(()) };
    let inner = || (0..tree.len() as u32).filter(|&p| !tree.is_leaf(p));
    let name = |position: u32| file.labels.get(tree.vertices()[position as usize]);
    let table = crate::output::format_of(&path).is_some();
    session.write(&path, |out| match table {
        false => {
            let sequences = inner().map(|p| (name(p), states.row(p)));
            write_fasta(out, &alignment.symbols, sequences)
        }
        true => {
            let mut text = Vec::new();
            let rows = inner().map(|p| {
                text.clear();
                states.row(p).for_each(|set| alignment.symbols.push(set, &mut text));
                [name(p).into_owned(), String::from_utf8_lossy(&text).into_owned()]
            });
            write_texts(out, separator_of(&path), ["vertex", "states"], rows)
        }
    })
}
