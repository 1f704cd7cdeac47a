//! `palmette mesh partition`.

use super::files::{self, check_vtu, drawable, of_elements, signed};
use super::options::{CutOptions, InputOptions, WeightOptions, cut, failed, note_parts};
use crate::limit::read_integers;
use crate::prelude::*;
use palmette::core::mesh::Point;
use palmette::figures::separator;
use palmette::io::write_integers;
use palmette::mesh::partition::{element_partition, vertex_separator};
use palmette::mesh::{PartitionParams, Quotient};
use palmette::pictures::Parts;
use palmette::{PartitionFigures, centroids};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the parts; a folder also gets a picture of what they exchange")
}))]
pub(crate) struct Arguments {
    /// How many parts.
    #[arg(short = 'k', long, value_name = "K")]
    parts: u32,
    /// Partition elements instead of nodes; nodes shared by several parts are copied.
    #[arg(long, conflicts_with_all = ["node_weights", "separator"])]
    elements: bool,
    /// File with element weights, for --elements: one whole number per line.
    #[arg(long, value_name = "FILE", requires = "elements")]
    element_weights: Option<PathBuf>,
    /// Output for the part of each node or element: one number per line, from 0; optionally gz or
    /// zst; `-` is stdout.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output for a separator (nodes that touch every edge between parts): one number per line,
    /// from 1.
    #[arg(long, value_name = "FILE")]
    separator: Option<PathBuf>,
    /// Write the mesh with the field `part` for ParaView.
    #[arg(long, value_name = "FILE")]
    vtu: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    cut: CutOptions,
    #[command(flatten)]
    weights: WeightOptions,
}

/// Parts of nodes or elements, what they exchange, and where they lie.
struct Found {
    part: Vec<u32>,
    quotient: Quotient,
    centroids: Vec<Point>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("mesh partition", arguments.files(), run)?;
    let params = arguments.cut.params(&mut session, arguments.parts);
    session.parameter("elements", arguments.elements);
    let mut input = arguments.input.load(&mut session)?;
    check_vtu(&input, arguments.vtu.as_deref())?;
    let drawn = drawable(&session, &input, &["partition", "quotient"], false)?;
    let found = match arguments.elements {
        true => cut_elements(&mut session, arguments, &input, &params)?,
        false => {
            arguments.weights.load(&mut session, &mut input)?;
            cut_nodes(&mut session, &input, &params)?
        }
    };
    write(&mut session, arguments, &input, &found)?;
    if drawn {
        draw(&mut session, arguments, &input, &found)?;
    }
    session.finish()
}

impl Arguments {
    fn files(&self) -> Files {
        self.weights
            .files(self.input.files())
            .reads("--element-weights", self.element_weights.as_deref())
            .writes("-o", self.output.as_deref(), Kind::NUMBERS)
            .writes("--vtu", self.vtu.as_deref(), Kind::VTU)
            .draws(&self.pictures, "partition")
            .writes("--separator", self.separator.as_deref(), Kind::NUMBERS)
    }
}

fn cut_nodes(session: &mut Session, input: &MeshInput, params: &PartitionParams) -> Result<Found> {
    let part = cut(session, input, params)?.part;
    let parts = params.parts as usize;
    note_parts(session, input, &part, parts);
    let quotient = Quotient::of(&input.graph, &part, parts);
    let centroids = centroids(&input.points, &part, parts);
    Ok(Found { part, quotient, centroids })
}

fn cut_elements(
    session: &mut Session,
    arguments: &Arguments,
    input: &MeshInput,
    params: &PartitionParams,
) -> Result<Found> {
    let Some(file) = &input.mesh else {
        bail!("{}: --elements needs a mesh with elements, but this is a graph", input.name);
    };
    let mesh = &file.mesh;
    let weights = match &arguments.element_weights {
        None => None,
        Some(path) => {
            session.parameter("element_weights", name_of(path));
            Some(session.phase("read", || read_integers(path, mesh.elements().len()))?)
        }
    };
    let weights = weights.as_deref();
    let found = session.phase("partition", || element_partition(mesh, weights, params));
    let found = found.map_err(|error| failed(input, error))?;
    let parts = params.parts as usize;
    session.figures(&PartitionFigures::of(&found.graph, &found.part, parts, weights));
    session.figures(&found);
    let middles: Vec<Point> = (0..found.part.len()).map(|e| mesh.centroid(e)).collect();
    let centroids = centroids(&middles, &found.part, parts);
    Ok(Found { part: found.part, quotient: found.quotient, centroids })
}

/// Writes the requested outputs.
fn write(
    session: &mut Session,
    arguments: &Arguments,
    input: &MeshInput,
    Found { part, .. }: &Found,
) -> Result<()> {
    let elements = arguments.elements;
    if let Some(path) = &arguments.separator {
        session.parameter("separator", path.display().to_string());
        let found = session.phase("separator", || vertex_separator(&input.graph, part));
        separator(&mut session.record, found.len());
        let numbers: Vec<u32> = found.iter().map(|vertex| vertex + 1).collect();
        session.write(path, |out| write_integers(out, &numbers))?;
    }
    if let Some(path) = &arguments.vtu {
        session.parameter("vtu", path.display().to_string());
        let field = vec![("part", signed(part))];
        let (points, cells) = match elements {
            true => (Vec::new(), field),
            false => {
                let cells = of_elements(input, &field);
                (field, cells)
            }
        };
        files::vtu(session, path, input, &points, &cells)?;
    }
    if arguments.output.is_some()
        && let Some(path) = session.destination(arguments.output.as_deref())
    {
        session.write(&path, |out| write_integers(out, part))?;
    }
    Ok(())
}

/// Draws the parts and what they exchange.
fn draw(
    session: &mut Session,
    arguments: &Arguments,
    input: &MeshInput,
    Found { part, quotient, centroids }: &Found,
) -> Result<()> {
    let of = if arguments.elements { Parts::OfElements(part) } else { Parts::OfNodes(part) };
    show(session, "partition", None, || {
        DrawnMesh::from(input).parts_picture(of, quotient.parts())
    })?;
    show(session, "quotient", None, || pictures::quotient(&input.name, centroids, quotient))
}
