//! `palmette graph sparsify`.

use super::options::{InputOptions, MemoryOptions, failed, note_found};
use crate::limit::read_points;
use crate::output::{format_of, separator_of};
use crate::prelude::*;
use palmette::Graph;
use palmette::figures;
use palmette::graph::solve::{CgError, SolveError};
use palmette::graph::sparsify::{Budget, Engine, Rule, Sparsifier, SparsifyParams, sparsify};
use palmette::graph::{QualityParams, quality};
use palmette::io::{
    Format, GraphFormat, write_edge_pairs, write_matrix_market, write_metis, write_npy_parents,
    write_parent_table,
};
use std::io::Write;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the tree and the recovered edges over the graph where --xyz places its \
                   vertices; else where the matrix has entries, before and after")
}), mut_arg("memory", |argument| argument.requires("quality")))]
pub(crate) struct Arguments {
    /// Rule for recovering edges: contest (the exact LGRASS task), fegrass (fast) or spectral (the
    /// best condition numbers, for preconditioning).
    #[arg(long, value_name = "RULE", default_value_t, value_parser = named::<Rule>())]
    rule: Rule,
    /// Engine for the contest rule: parallel (the default), linear (one thread) or reference (the
    /// plain definition, for small graphs). All give the same edges in the same order.
    #[arg(long, value_name = "ENGINE", value_parser = named::<Engine>())]
    engine: Option<Engine>,
    /// Limit on recovered edges: a number (1000), a share of the edges off the tree (4%), or of the
    /// number of vertices (10%V) (default: 4% for contest, 10%V for the others, none with --condition).
    #[arg(long, value_name = "EDGES", allow_negative_numbers = true)]
    budget: Option<Budget>,
    /// Largest radius of the neighbourhoods that the contest rule marks.
    #[arg(long, value_name = "N")]
    beta_cap: Option<u32>,
    /// Recover only as many edges as it takes for the relative condition number to be at most K, by
    /// an estimate (--rule spectral).
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    condition: Option<f64>,
    /// Output for the kept edges: lines `a b`, tree edges first; mtx and graph files also have
    /// weights; optionally gz or zst; `-` is stdout (the default without --json or --quality).
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Estimate how well the skeleton approximates the graph: the extreme eigenvalues, their ratio,
    /// and how much larger effective resistances are across sampled edges.
    #[arg(long)]
    quality: bool,
    /// Seed for the edges that --quality samples.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, requires = "quality")]
    seed: u64,
    #[command(flatten)]
    memory: MemoryOptions,
    #[command(flatten)]
    pictures: PictureOptions,
    /// Coordinates of the vertices, two or three numbers per line, to draw the skeleton.
    #[arg(long, value_name = "POINTS")]
    xyz: Option<PathBuf>,
    /// Output for the spanning tree or forest as a parent table, with the contest rule's roots:
    /// csv, or tsv or npy by the file's name, optionally gz or zst.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let input = &arguments.input;
    let mut session = Session::open("graph sparsify", arguments.files(), run)?;
    if arguments.condition.is_some() && arguments.rule != Rule::Spectral {
        bail!("--condition applies to --rule spectral only");
    }
    if arguments.rule != Rule::Contest
        && (arguments.engine.is_some() || arguments.beta_cap.is_some())
    {
        bail!("--engine and --beta-cap apply to --rule contest only");
    }
    let params = SparsifyParams {
        rule: arguments.rule,
        engine: arguments.engine.unwrap_or_default(),
        budget: arguments.budget.unwrap_or_default(),
        beta_cap: arguments.beta_cap,
        condition: arguments.condition,
    };
    session.parameter("rule", params.rule.name()).parameter("budget", params.budget.to_string());
    if params.rule == Rule::Contest {
        session.parameter("engine", params.engine.name());
    }
    if let Some(condition) = params.condition {
        session.parameter("condition", condition);
    }
    if let Some(cap) = params.beta_cap {
        session.parameter("beta_cap", cap);
    }
    let file = input.load(&mut session)?;
    let points = match &arguments.xyz {
        Some(path) => Some(session.phase("read", || read_points(path, file.graph.len()))?),
        None => None,
    };
    let skeleton = session.phase("compute", || sparsify(&file.graph, &params));
    let skeleton = skeleton.map_err(|error| failed(&file, error))?;
    note_skeleton(&mut session, &file, &skeleton);
    if arguments.quality {
        note_quality(&mut session, arguments, &file, &skeleton)?;
    }
    if let Some(points) = &points {
        show(&mut session, "skeleton", None, || pictures::skeleton(&file, points, &skeleton))?;
    }
    show(&mut session, "matrix", None, || pictures::matrix(&file, Some(&skeleton)))?;
    let tree = arguments.tree.as_deref();
    session.file("tree", tree);
    tree.map_or(Ok(()), |path| write_tree(&mut session, path, &file, &skeleton))?;
    if arguments.output.is_some() || !arguments.quality {
        let output = arguments.output.as_deref();
        write_skeleton(&mut session, output, &file, &file.graph, &skeleton)?;
    }
    session.finish()
}

impl Arguments {
    fn files(&self) -> Files {
        Files::of(&self.input.file)
            .reads("--xyz", self.xyz.as_deref())
            .writes("-o", self.output.as_deref(), Kind::EDGES)
            .draws(&self.pictures, if self.xyz.is_some() { "skeleton" } else { "matrix" })
            .writes("--tree", self.tree.as_deref(), Kind::PARENTS)
    }
}

fn note_skeleton(session: &mut Session, file: &GraphFile, skeleton: &Sparsifier) {
    figures::skeleton(&mut session.record, &file.graph, skeleton);
    note_found(session, file);
    session.rate("ns_per_edge", "compute", file.graph.edge_count());
    if file.ground.is_some() {
        session.note("conductances to ground are neither thinned nor written");
    }
}

fn note_quality(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    skeleton: &Sparsifier,
) -> Result<()> {
    let memory = arguments.memory.limit(session);
    let seed = arguments.seed;
    session.parameter("quality", true).parameter("seed", seed);
    let found = session.phase("quality", || {
        let params = QualityParams { seed, memory, ..QualityParams::default() };
        quality(&file.graph, &skeleton.graph(&file.graph), &params)
    });
    let found = found.map_err(|error| {
        // The tolerance is fixed, so there is no option to suggest.
        let hopeless = matches!(
            error,
            SolveError::Accuracy { .. }
                | SolveError::Iteration(CgError::NotConverged { .. } | CgError::Breakdown { .. })
        );
        let failed = failed(file, error);
        if hopeless {
            anyhow!("{failed}; drop --quality to get the edges without it")
        } else {
            failed
        }
    })?;
    session.figures(&found);
    Ok(())
}

/// Writes the skeleton of a graph with the vertices of a file.
pub(super) fn write_skeleton(
    session: &mut Session,
    output: Option<&Path>,
    file: &GraphFile,
    graph: &Graph,
    skeleton: &Sparsifier,
) -> Result<()> {
    let Some(path) = session.destination(output) else { return Ok(()) };
    session.write(&path, |out| match GraphFormat::from_name(&path.to_string_lossy()) {
        Some(GraphFormat::MatrixMarket) => write_matrix_market(out, &skeleton.graph(graph)),
        Some(GraphFormat::Metis) => write_metis(out, &skeleton.graph(graph)),
        _ => write_lines(out, file, skeleton),
    })
}

/// One line per edge: its ends by number, in netlists by node name.
fn write_lines(out: &mut Output, file: &GraphFile, skeleton: &Sparsifier) -> std::io::Result<()> {
    if file.netlist.is_none() {
        write_edge_pairs(out, &skeleton.tree)?;
        return write_edge_pairs(out, &skeleton.recovered);
    }
    let labels = file.vertex_labels();
    for &(a, b) in skeleton.tree.iter().chain(&skeleton.recovered) {
        writeln!(out, "{} {}", labels.get(a), labels.get(b))?;
    }
    Ok(())
}

/// The spanning forest.
fn write_tree(
    session: &mut Session,
    path: &Path,
    file: &GraphFile,
    skeleton: &Sparsifier,
) -> Result<()> {
    let (parents, labels) = (skeleton.parents(), file.vertex_labels());
    session.write(path, |out| match format_of(path) {
        Some(Format::Npy) => write_npy_parents(out, &parents),
        _ => write_parent_table(out, separator_of(path), &parents, &labels, None, &[]),
    })
}
