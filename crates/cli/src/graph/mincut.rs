//! `palmette graph mincut`.

use super::options::{InputOptions, note_found};
use crate::limit::{read_pairs, read_points};
use crate::prelude::*;
use palmette::explain_cut;
use palmette::figures::MinCutFigures;
use palmette::graph::mincut::{
    AllMinCuts, MinCut, MinCutError, MinCutParams, all_minimum_cuts, gomory_hu, minimum_cut,
    separate,
};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw both sides and the edges of the cut (needs --xyz)").requires("xyz")
}), mut_arg("png", |argument| argument.requires("xyz")))]
pub(crate) struct Arguments {
    /// Output table: the side of each vertex (1 is the smaller one); with --all the vertices of the
    /// smaller side of each cut; with --pairs the pairs and what separates them; with --all-pairs a
    /// tree. csv, or tsv, parquet or arrow by the file's name, optionally gz or zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output table for the edges of the cut and their weights.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "all_pairs"])]
    edges: Option<PathBuf>,
    /// List all minimum cuts.
    #[arg(long, conflicts_with_all = ["pairs", "all_pairs"])]
    all: bool,
    /// Limit on the cuts that --all lists.
    #[arg(long, value_name = "N", default_value_t = MinCutParams::default().most, requires = "all")]
    limit: usize,
    /// Pairs of vertices to separate, each by edges of least weight: a table or npy, as for
    /// `palmette graph resistance`.
    #[arg(long, value_name = "FILE", conflicts_with = "all_pairs")]
    pairs: Option<PathBuf>,
    /// Separate all pairs: the Gomory-Hu tree, as a parent table with values. What separates two
    /// vertices is the least value between them in the tree. One flow per vertex.
    #[arg(long)]
    all_pairs: bool,
    /// Seed for ties; it decides which of several minimum cuts is found.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    #[command(flatten)]
    pictures: PictureOptions,
    /// Coordinates of the vertices, two or three numbers per line, to draw the cut.
    #[arg(long, value_name = "POINTS", conflicts_with_all = ["pairs", "all_pairs"])]
    xyz: Option<PathBuf>,
    #[command(flatten)]
    input: InputOptions,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("graph mincut", arguments.files(), run)?;
    let params = MinCutParams { seed: arguments.seed, most: arguments.limit, cancel: None };
    session.parameter("seed", params.seed);
    let file = arguments.input.load(&mut session)?;
    if file.netlist.is_some() {
        bail!("{}: a netlist; minimum cuts are of graphs of weights", file.name);
    }
    if file.ground.is_some() {
        session.note("conductances to ground are no edges and not cut");
    }
    if let Some(path) = &arguments.pairs {
        pairs(&mut session, arguments, path, &file, &params)?;
    } else if arguments.all_pairs {
        all_pairs(&mut session, arguments, &file, &params)?;
    } else {
        whole(&mut session, arguments, &file, &params)?;
    }
    session.finish()
}

impl Arguments {
    fn files(&self) -> Files {
        Files::of(&self.input.file)
            .reads("--pairs", self.pairs.as_deref())
            .reads("--xyz", self.xyz.as_deref())
            .writes("-o", self.output.as_deref(), Kind::COLUMNS)
            .writes("--edges", self.edges.as_deref(), Kind::COLUMNS)
            .draws(&self.pictures, "minimum-cut")
    }
}

fn failed(file: &GraphFile, error: MinCutError) -> anyhow::Error {
    let text = explain_cut(file, &error);
    anyhow::Error::new(error).context(text)
}

/// The cut of the whole graph, or all of them.
fn whole(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    params: &MinCutParams,
) -> Result<()> {
    let points = match &arguments.xyz {
        Some(path) => Some(session.phase("read", || read_points(path, file.graph.len()))?),
        None => None,
    };
    let (cut, all) = if arguments.all {
        session.parameter("all", true).parameter("limit", params.most);
        let found = session.phase("compute", || all_minimum_cuts(&file.graph, params));
        let found = found.map_err(|error| failed(file, error))?;
        (found.cut.clone(), Some(found))
    } else {
        let found = session.phase("compute", || minimum_cut(&file.graph, params));
        (found.map_err(|error| failed(file, error))?, None)
    };
    let figures = MinCutFigures { cut: &cut, vertices: file.graph.len() };
    session.figures(&figures);
    let [small, large] = figures.side_sizes();
    session.tell("side_sizes", format!("{small} and {large}"));
    if let Some(all) = &all {
        session.figures(all);
    }
    note_found(session, file);
    if let Some(points) = &points {
        show(session, "minimum-cut", None, || pictures::minimum_cut(file, points, &cut))?;
    }
    session.file("edges", arguments.edges.as_deref());
    if let Some(path) = &arguments.edges {
        edges(file, &cut, |answers| answers.write_beside(session, path))?;
    }
    let Some(path) = &arguments.output else { return Ok(()) };
    match &all {
        Some(all) => sides(session, path, file, all),
        None => side(session, path, file, &cut),
    }
}

fn edges(
    file: &GraphFile,
    cut: &MinCut,
    write: impl FnOnce(&Answers<'_>) -> Result<()>,
) -> Result<()> {
    let ends = |end: fn(&(u32, u32, f64)) -> u32| cut.edges.iter().map(end).collect::<Vec<u32>>();
    let (first, second) = (ends(|edge| edge.0), ends(|edge| edge.1));
    let weights = Values::F64(cut.edges.iter().map(|edge| edge.2).collect());
    write(&Answers {
        labels: &file.vertex_labels(),
        columns: vec![
            ("u", Cells::Vertices(&first)),
            ("v", Cells::Vertices(&second)),
            ("weight", Cells::from(&weights)),
        ],
        numbers: None,
    })
}

/// By vertex, its side.
fn side(session: &mut Session, path: &Path, file: &GraphFile, cut: &MinCut) -> Result<()> {
    let mut sides = vec![0i64; file.graph.len()];
    cut.side.iter().for_each(|&v| sides[v as usize] = 1);
    let sides = Values::I64(sides);
    let columns = vec![("vertex", Cells::EachVertex), ("side", Cells::from(&sides))];
    Answers { labels: &file.vertex_labels(), columns, numbers: None }.write_to(session, path)
}

/// The vertices of the smaller side of each cut.
fn sides(session: &mut Session, path: &Path, file: &GraphFile, all: &AllMinCuts) -> Result<()> {
    let numbered = all.sides.iter().zip(1i64..);
    let cuts = numbered.flat_map(|(side, number)| side.iter().map(move |_| number));
    let cuts = Values::I64(cuts.collect());
    let vertices = all.sides.concat();
    let columns = vec![("cut", Cells::from(&cuts)), ("vertex", Cells::Vertices(&vertices))];
    Answers { labels: &file.vertex_labels(), columns, numbers: None }.write_to(session, path)
}

fn pairs(
    session: &mut Session,
    arguments: &Arguments,
    path: &Path,
    file: &GraphFile,
    params: &MinCutParams,
) -> Result<()> {
    session.parameter("pairs", name_of(path));
    let labels = file.query_labels();
    let pairs = session.phase("read", || read_pairs(path, &labels))?;
    let found = session.phase("compute", || separate(&file.graph, &pairs, params));
    let found = found.map_err(|error| failed(file, error))?;
    session.record.figure("queries", pairs.len());
    note_found(session, file);
    let (first, second): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
    let values = Values::F64(found);
    let columns = vec![
        ("u", Cells::Vertices(&first)),
        ("v", Cells::Vertices(&second)),
        ("value", Cells::from(&values)),
    ];
    let answers = Answers { labels: &labels, columns, numbers: None };
    answers.write_to_output(session, arguments.output.as_deref())
}

fn all_pairs(
    session: &mut Session,
    arguments: &Arguments,
    file: &GraphFile,
    params: &MinCutParams,
) -> Result<()> {
    session.parameter("all_pairs", true);
    let tree = session.phase("compute", || gomory_hu(&file.graph, params));
    let tree = tree.map_err(|error| failed(file, error))?;
    session.record.figure("queries", file.graph.len() - 1);
    note_found(session, file);
    // The root is separated from nothing.
    let known: Vec<f64> =
        tree.values.iter().map(|&x| if x.is_finite() { x } else { f64::NAN }).collect();
    let columns = vec![
        ("vertex", Cells::EachVertex),
        ("parent", Cells::Vertices(&tree.parents)),
        ("value", Cells::Known(&known)),
    ];
    let answers = Answers { labels: &file.vertex_labels(), columns, numbers: None };
    answers.write_to_output(session, arguments.output.as_deref())
}
