//! `palmette graph generate`.

use super::files::GraphOutput;
use crate::prelude::*;
use palmette::GraphFigures;
use palmette::core::graph::generate::{Generated, GraphShape, Weights, generate};
use palmette::core::random::{Purpose, Random};
use std::collections::BTreeSet;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// grid:ROWSxCOLUMNS, grid:XxYxZ, random:N:DEGREE, geometric:N:DEGREE, road:N, path:N,
    /// star:N, clique:N or landscape:ROWSxCOLUMNS (hills between lakes; a raster as FILE.asc).
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
    /// Output file for the coordinates of the vertices (grid, geometric, road, landscape).
    #[arg(long, value_name = "FILE")]
    output_xyz: Option<PathBuf>,
    /// Output file for focal points of a landscape, drawn at random: lines of number, x and y.
    #[arg(long, value_name = "FILE")]
    output_points: Option<PathBuf>,
    /// Number of focal points.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "output_points",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    points: u32,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, weights, seed, .. } = arguments;
    let (output, xyz) = (&arguments.output, arguments.output_xyz.as_deref());
    let is_raster = output.is_raster();
    let files = output.files(Files::made(&shape.to_string()));
    let files = files.writes("--output-xyz", xyz, Kind::POINTS).writes(
        "--output-points",
        arguments.output_points.as_deref(),
        Kind::POINTS,
    );
    let is_landscape = matches!(shape, GraphShape::Landscape { .. });
    if is_raster && !is_landscape {
        bail!("only landscape:ROWSxCOLUMNS makes a raster; use a name such as FILE.mtx");
    }
    if arguments.output_points.is_some() && !is_landscape {
        bail!("--output-points: {shape} graphs are no landscapes");
    }
    let mut session = Session::open("graph generate", files, run)?;
    session
        .parameter("shape", shape.to_string())
        .parameter("weights", weights.to_string())
        .parameter("seed", seed);
    let Generated { graph, points, raster } =
        session.phase("compute", || generate(shape, weights, seed))?;
    GraphFigures::of(&graph, None).size(&mut session.record);
    if let (Some(path), Some(points)) = (&arguments.output_points, &points) {
        session.file("output_points", Some(path));
        session.parameter("points", arguments.points);
        let chosen = focal_points(points, arguments.points as usize, seed)?;
        session.write(path, |out| {
            let lines = (1..).zip(&chosen);
            lines.into_iter().try_for_each(|(k, [x, y, _])| writeln!(out, "{k} {x} {y}"))
        })?;
    }
    match (xyz, points) {
        (Some(path), Some(points)) => {
            session.file("output_xyz", xyz);
            session.write(path, |out| write_points(out, &points))?;
        }
        (Some(_), None) => bail!("--output-xyz: {shape} graphs have no coordinates"),
        _ => {}
    }
    match raster.filter(|_| is_raster) {
        Some(raster) => output.write_raster(&mut session, &raster)?,
        None => output.write(&mut session, &graph)?,
    }
    session.finish()
}

/// Different cells at random.
fn focal_points(points: &[[f64; 3]], count: usize, seed: u64) -> Result<Vec<[f64; 3]>> {
    if count > points.len() {
        bail!("--points: {count} of only {} cells", points.len());
    }
    let mut random = Random::new(seed, Purpose::Samples);
    let mut chosen = BTreeSet::new();
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count {
        let cell = random.below(points.len() as u32);
        if chosen.insert(cell) {
            drawn.push(points[cell as usize]);
        }
    }
    Ok(drawn)
}
