//! `palmette graph resistance`.

use super::current::pair_table;
use super::focal::FocalOptions;
use super::options::{InputOptions, SolverOptions, failed, note_found};
use crate::limit::read_pairs;
use crate::prelude::*;
use palmette::figures::ResistanceFigures;
use palmette::graph::Laplacian;
use palmette::graph::focal::{FocalMode, FocalParams, focal_resistances};
use palmette::graph::solve::{SolveParams, edge_resistances, projected_resistances};
use palmette::node_resistances;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten, next_help_heading = None)]
    pairs: PairOptions,
    #[command(flatten, next_help_heading = None)]
    focal: FocalOptions,
    /// The resistance across every edge, and its centrality: the probability that a random spanning
    /// tree has it. Exact, by the factor of the graph.
    #[arg(long, conflicts_with_all = ["vertices", "pairs", "preconditioner"])]
    all_edges: bool,
    /// With --all-edges, by N random projections instead: for graphs whose factor does not fit. The
    /// relative error is about the root of 2/N; a sample of edges says it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    projections: Option<u32>,
    #[command(flatten)]
    solver: SolverOptions,
    #[command(flatten, next_help_heading = None)]
    table: TableOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    if arguments.projections.is_some() && !arguments.all_edges {
        bail!("--projections needs --all-edges");
    }
    let input = &arguments.input;
    let pairs = arguments.pairs.pairs.as_deref();
    let some = arguments.all_edges || pairs.is_some() || !arguments.pairs.vertices.is_empty();
    if some && arguments.focal.points.is_some() {
        bail!("--points asks for all pairs of focal points; leave out other pairs and --all-edges");
    }
    let files = Files::of(&input.file).reads("--pairs", pairs);
    let files = files.reads("--points", arguments.focal.points.as_deref());
    let files = arguments.table.files(files, Kind::TABLE);
    let mut session = Session::open("graph resistance", files, run)?;
    let params = arguments.solver.params(&mut session);
    let file = input.load(&mut session)?;
    if let Some(path) = &arguments.focal.points {
        return focal(session, arguments, path, &file, params);
    }
    if arguments.all_edges {
        return all_edges(session, arguments, &file, &params);
    }
    let labels = file.query_labels();
    let pairs = read(&mut session, arguments, &file, &labels)?;
    let found = session.phase("compute", || node_resistances(&file, &pairs, &params));
    let found = found.map_err(|error| failed(&file, error))?;
    let figures = ResistanceFigures(&found);
    session.figures(&figures);
    let apart = figures.without_path();
    note_found(&mut session, &file);
    session.rate("ns_per_query", "compute", pairs.len());
    if apart > 0 {
        session.note(&format!("pairs that are not connected: {apart} of {}", pairs.len()));
    }
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.iter().copied().unzip();
    let values = Values::F64(found);
    let answers = Answers {
        labels: &labels,
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("resistance", Cells::from(&values)),
        ],
        numbers: Some(&values),
    };
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}

/// All pairs of focal points.
fn focal(
    mut session: Session,
    arguments: &Arguments,
    path: &Path,
    file: &GraphFile,
    solve: SolveParams,
) -> Result<()> {
    let regions = arguments.focal.read(&mut session, path, file)?;
    let params = FocalParams { solve, ..FocalParams::default() };
    let found =
        session.phase("compute", || focal_resistances(&file.graph, &regions.vertices, &params));
    let (pairs, found) = found.map_err(|error| failed(file, error))?;
    let figures = ResistanceFigures(&found);
    session.figures(&figures);
    session.record.figure("focal_points", regions.vertices.len());
    session.rate("ns_per_query", "compute", pairs.len());
    let apart = figures.without_path();
    if apart > 0 {
        session.note(&format!("pairs that are not connected: {apart} of {}", pairs.len()));
    }
    let table = pair_table(&regions, FocalMode::Pairwise, &pairs, &found);
    table.answers().write(&mut session, &arguments.table)?;
    session.finish()
}

fn all_edges(
    mut session: Session,
    arguments: &Arguments,
    file: &GraphFile,
    params: &SolveParams,
) -> Result<()> {
    session.parameter("all_edges", true);
    if let Some(count) = arguments.projections {
        session.parameter("projections", count);
    }
    let laplacian = Laplacian::new(&file.graph, file.ground.as_deref());
    let found = session.phase("compute", || match arguments.projections {
        Some(count) => projected_resistances(&laplacian, count as usize, params),
        None => edge_resistances(&laplacian, params),
    });
    let found = found.map_err(|error| failed(file, error))?;
    session.record.figure("queries", found.values.len()).figure("error", found.error);
    note_found(&mut session, file);
    session.rate("ns_per_query", "compute", found.values.len());
    let ends = |end: fn((u32, u32, f64)) -> u32| file.graph.edges().map(end).collect::<Vec<u32>>();
    let (first, second) = (ends(|edge| edge.0), ends(|edge| edge.1));
    let weights: Vec<f64> = file.graph.edges().map(|edge| edge.2).collect();
    let centralities = weights.iter().zip(&found.values).map(|(w, r)| w * r).collect();
    let (weights, centralities) = (Values::F64(weights), Values::F64(centralities));
    let values = Values::F64(found.values);
    let answers = Answers {
        labels: &file.vertex_labels(),
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("weight", Cells::from(&weights)),
            ("centrality", Cells::from(&centralities)),
            ("resistance", Cells::from(&values)),
        ],
        numbers: Some(&values),
    };
    answers.write(&mut session, &arguments.table)?;
    session.finish()
}

fn read(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    labels: &Labels,
) -> Result<Vec<(u32, u32)>> {
    if let [u, v] = &arguments.pairs.vertices[..] {
        return Ok(vec![(file.query(labels, u)?, file.query(labels, v)?)]);
    }
    let path = arguments.pairs.file()?;
    session.parameter("pairs", name_of(path));
    Ok(session.phase("read", || read_pairs(path, labels))?)
}
