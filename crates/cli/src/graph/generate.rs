//! `palmette graph generate`.

use super::files::GraphOutput;
use crate::prelude::*;
use palmette::GraphFigures;
use palmette::core::graph::generate::{Generated, GraphShape, Weights, generate};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// grid:ROWSxCOLUMNS, grid:XxYxZ, random:N:DEGREE, geometric:N:DEGREE, road:N, path:N,
    /// star:N or clique:N.
    #[arg(value_name = "SHAPE")]
    shape: GraphShape,
    /// unit, uniform:LOW:HIGH or log-uniform:LOW:HIGH.
    #[arg(long, value_name = "WEIGHTS", default_value = "unit")]
    weights: Weights,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    #[command(flatten)]
    output: GraphOutput,
    /// Output file for the coordinates of the vertices (grid, geometric, road).
    #[arg(long, value_name = "FILE")]
    output_xyz: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, weights, seed, .. } = arguments;
    let (output, xyz) = (&arguments.output, arguments.output_xyz.as_deref());
    let files =
        output.files(Files::made(&shape.to_string())).writes("--output-xyz", xyz, Kind::POINTS);
    let mut session = Session::open("graph generate", files, run)?;
    session
        .parameter("shape", shape.to_string())
        .parameter("weights", weights.to_string())
        .parameter("seed", seed);
    let Generated { graph, points } =
        session.phase("compute", || generate(shape, weights, seed))?;
    GraphFigures::of(&graph, None).size(&mut session.record);
    match (xyz, points) {
        (Some(path), Some(points)) => {
            session.file("output_xyz", xyz);
            session.write(path, |out| write_points(out, &points))?;
        }
        (Some(_), None) => bail!("--output-xyz: {shape} graphs have no coordinates"),
        _ => {}
    }
    output.write(&mut session, &graph)?;
    session.finish()
}
