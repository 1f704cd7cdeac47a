//! `palmette mesh graph`.

use super::files::drawable;
use super::options::{InputOptions, failed};
use crate::graph::files::GraphOutput;
use crate::prelude::*;
use palmette::GraphFigures;
use palmette::mesh::element::conductance_graph;

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the edges of the graph")))]
pub(crate) struct Arguments {
    /// Edge weights.
    #[arg(long, value_enum, value_name = "WEIGHTS", default_value = "stiffness")]
    weights: Weights,
    #[command(flatten)]
    output: GraphOutput,
    /// Output file for the coordinates of the vertices (--xyz reads those of the input).
    #[arg(long, value_name = "FILE")]
    output_xyz: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Weights {
    /// Conductances: the negated entries of the stiffness matrix. Pairs of nodes where that is not
    /// positive are left out.
    Stiffness,
    /// 1 for each pair of nodes that share an element.
    Unit,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let (output, points) = (&arguments.output, arguments.output_xyz.as_deref());
    let files = output
        .files(arguments.input.files())
        .writes("--output-xyz", points, Kind::POINTS)
        .draws(&arguments.pictures, "graph");
    let mut session = Session::open("mesh graph", files, run)?;
    let mut input = arguments.input.load(&mut session)?;
    let drawn = drawable(&session, &input, &["graph"], false)?;
    if points.is_some() {
        input.located()?;
    }
    match (arguments.weights, &input.mesh) {
        (Weights::Unit, _) => drop(session.parameter("weights", "unit")),
        (Weights::Stiffness, None) => {
            bail!("{}: stiffness needs a mesh with elements, but this is a graph", input.name)
        }
        (Weights::Stiffness, Some(file)) => {
            session.parameter("weights", "stiffness");
            let found = session.phase("compute", || conductance_graph(&file.mesh));
            let found = found.map_err(|error| failed(&input, error))?;
            session.figures(&found);
            input.graph = found.graph;
        }
    }
    let figures = session.phase("compute", || GraphFigures::of(&input.graph, None));
    figures.brief(&mut session.record);
    session.file("output_xyz", points);
    if let Some(path) = points {
        session.write(path, |out| write_points(out, &input.points))?;
    }
    if drawn {
        show(&mut session, "graph", None, || {
            let between = Topology::Graph(&input.graph);
            DrawnMesh { name: &input.name, points: &input.points, between }.graph_picture()
        })?;
    }
    output.write(&mut session, &input.graph)?;
    session.finish()
}
