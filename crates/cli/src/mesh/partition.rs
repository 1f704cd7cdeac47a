//! `palmette mesh partition`.

use super::demands::{DemandOptions, Demanded};
use super::files::{self, check_vtu, drawable, of_elements, signed};
use super::options::{
    CutOptions, InputOptions, WeightOptions, cut, not_cut, note_demands, note_parts,
};
use crate::limit::read_weights;
use crate::prelude::*;
use palmette::core::mesh::Point;
use palmette::figures::separator;
use palmette::io::write_integers;
use palmette::mesh::partition::{element_partition_as, vertex_separator};
use palmette::mesh::{PartitionParams, Quotient};
use palmette::pictures::Parts;
use palmette::{PartitionFigures, centroids};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the parts; a folder also gets a picture of what they exchange")
}))]
pub(crate) struct Arguments {
    /// How many parts (default: as --sizes has, or --from).
    #[arg(short = 'k', long, value_name = "K", required_unless_present_any = ["sizes", "from"])]
    parts: Option<u32>,
    /// Partition elements instead of nodes; nodes shared by several parts are copied.
    #[arg(long, conflicts_with_all = ["node_weights", "constraints", "separator"])]
    elements: bool,
    /// File with element weights, for --elements: one whole number per line, or several, which are
    /// all balanced.
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
    #[command(flatten)]
    demands: DemandOptions,
}

/// Parts of nodes or elements, what they exchange, and where they lie.
struct Found {
    part: Vec<u32>,
    quotient: Quotient,
    centroids: Vec<Point>,
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let mut session = Session::open("mesh partition", arguments.files(), run)?;
    session.parameter("elements", arguments.elements);
    let mut input = arguments.input.load(&mut session)?;
    check_vtu(&input, arguments.vtu.as_deref())?;
    let drawn = drawable(&session, &input, &["partition", "quotient"], false)?;
    let demands = match arguments.elements {
        true => arguments.weights.shares(&mut session),
        false => arguments.weights.load(&mut session, &mut input)?,
    };
    let things = match (&input.mesh, arguments.elements) {
        (Some(file), true) => file.mesh.elements().len(),
        (None, true) => {
            bail!("{}: --elements needs a mesh with elements, but this is a graph", input.name)
        }
        (_, false) => input.graph.len(),
    };
    let sizes = arguments.weights.sizes.len();
    let demanded =
        arguments.demands.load(&mut session, things, (arguments.parts, sizes), demands)?;
    let params = arguments.cut.params(&mut session, demanded.parts);
    let found = match arguments.elements {
        true => cut_elements(&mut session, arguments, &input, &params, demanded)?,
        false => cut_nodes(&mut session, &input, &params, &demanded)?,
    };
    write(&mut session, arguments, &input, &found)?;
    if drawn {
        draw(&mut session, arguments, &input, &found)?;
    }
    session.finish()
}

impl Arguments {
    fn files(&self) -> Files {
        self.demands
            .files(self.weights.files(self.input.files()))
            .reads("--element-weights", self.element_weights.as_deref())
            .writes("-o", self.output.as_deref(), Kind::NUMBERS)
            .writes("--vtu", self.vtu.as_deref(), Kind::VTU)
            .draws(&self.pictures, "partition")
            .writes("--separator", self.separator.as_deref(), Kind::NUMBERS)
    }
}

fn cut_nodes(
    session: &mut Session,
    input: &MeshInput,
    params: &PartitionParams,
    demanded: &Demanded,
) -> Result<Found> {
    let demands = &demanded.demands;
    let found = cut(session, input, params, demands);
    let part = found.map_err(|error| demanded.explain(error))?.part;
    let parts = params.parts as usize;
    note_parts(session, input, &part, parts, &demands.sizes);
    let quotient = Quotient::of(&input.graph, &part, parts);
    let weights = input.weights.as_deref();
    note_demands(session, &input.name, (&part, &quotient), weights, (params, demands));
    let centroids = centroids(&input.points, &part, parts);
    Ok(Found { part, quotient, centroids })
}

fn cut_elements(
    session: &mut Session,
    arguments: &Arguments,
    input: &MeshInput,
    params: &PartitionParams,
    mut demanded: Demanded,
) -> Result<Found> {
    let Some(file) = &input.mesh else {
        bail!("{}: --elements needs a mesh with elements, but this is a graph", input.name);
    };
    let mesh = &file.mesh;
    let weights = match &arguments.element_weights {
        None => None,
        Some(path) => {
            session.parameter("element_weights", name_of(path));
            let mut all =
                session.phase("read", || read_weights(path, mesh.elements().len()))?.into_iter();
            let first = all.next();
            demanded.demands.further = all.collect();
            first
        }
    };
    let (weights, demands) = (weights.as_deref(), &demanded.demands);
    let found = session.phase("partition", || element_partition_as(mesh, weights, params, demands));
    let found = found.map_err(|error| demanded.explain(not_cut(input, error)))?;
    let parts = params.parts as usize;
    let sizes = &demands.sizes;
    session.figures(&PartitionFigures::of_sizes(&found.graph, &found.part, parts, weights, sizes));
    session.figures(&found);
    let cut = (&found.part[..], &found.quotient);
    note_demands(session, &input.name, cut, weights, (params, demands));
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
