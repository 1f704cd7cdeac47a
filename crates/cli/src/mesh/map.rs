//! `palmette mesh map`.

use super::files::{self, drawable, mapping_fields, of_elements};
use super::mapping::{MappingOptions, draw_placement, tell_levels};
use super::options::{InputOptions, WeightOptions, failed, not_cut, note_demands, note_parts};
use crate::prelude::*;
use palmette::io::write_integers;
use palmette::mesh::partition::JointError;
use palmette::mesh::placement::{RankFormat, neighbours_header};
use palmette::pictures::Parts;
use palmette::{Mapping, MappingError, centroids, map_mesh_as, placement_json, routes_json};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| {
    argument.help("Draw the placement with all link loads; a folder gets the pictures of -o")
}))]
pub(crate) struct Arguments {
    /// Output folder: part.txt (the part of each node), placement.json, routes.json, rankfile,
    /// neighbours.h (for C with MPI), mapping.vtu (unless the input is a graph), mesh.svg, partition.svg,
    /// quotient.svg and placement.svg; without coordinates no pictures but the last.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
    #[command(flatten)]
    mapping: MappingOptions,
    #[command(flatten)]
    weights: WeightOptions,
    #[command(flatten)]
    input: InputOptions,
}

/// The files a folder may get.
const NAMES: [&str; 10] = [
    "part.txt",
    "placement.json",
    "routes.json",
    "rankfile",
    "neighbours.h",
    "mapping.vtu",
    "mesh.svg",
    "partition.svg",
    "quotient.svg",
    "placement.svg",
];

/// The pictures that need to know where nodes lie.
const LOCATED: [&str; 3] = ["mesh", "partition", "quotient"];

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let folder = arguments.output.as_deref();
    let files = arguments.weights.files(arguments.input.files());
    let files = arguments.mapping.machine.files(files).writes_into("-o", folder);
    let files = files.draws(&arguments.pictures, "placement");
    let mut session = Session::open("mesh map", files, run)?;
    for name in folder.map_or(&[][..], |_| &NAMES) {
        folder.map_or(Ok(()), |folder| session.writer.will_write(&folder.join(name)))?;
    }
    let on =
        arguments.mapping.machine.load(&mut session, folder.is_none().then_some("--output"))?;
    let params = arguments.mapping.params(&mut session, &on)?;
    let mut input = arguments.input.load(&mut session)?;
    let demands = arguments.weights.load(&mut session, &mut input)?;
    let drawn = drawable(&session, &input, &LOCATED, folder.is_some())?;
    let mapping = session.phase("map", || {
        let MeshInput { graph, points, weights, .. } = &input;
        map_mesh_as(graph, points, weights.as_deref(), &on.machine, &params, &demands)
    });
    let mapping = mapping.map_err(|error| match error {
        MappingError::Partition(error) | MappingError::Joint(JointError::Partition(error)) => {
            not_cut(&input, error)
        }
        error => failed(&input, error),
    })?;
    let parts = mapping.placement.parts();
    note_parts(&mut session, &input, &mapping.partition.part, parts, &demands.sizes);
    let cut = (&mapping.partition.part[..], &mapping.quotient);
    let weights = input.weights.as_deref();
    note_demands(&mut session, &input.name, cut, weights, (&params.partition, &demands));
    session.figures(&mapping);
    tell_levels(&mut session, &mapping.traffic);
    if folder.is_none() && arguments.pictures.is_empty() {
        session.note("parts, placement and routes: not written; add -o DIR");
    }
    if let Some(folder) = folder {
        session.file("output", Some(folder));
        let ranks = on.ranks(RankFormat::Rankfile, &mapping.placement)?;
        let header = neighbours_header(&mapping.quotient, &mapping.placement, &on.machine);
        session.writer.make_folder(folder)?;
        write(&mut session, folder, &input, &mapping, [&ranks, &header])?;
    }
    if drawn {
        draw(&mut session, folder, &input, &mapping)?;
    }
    let picture = folder.map(|folder| folder.join("placement.svg"));
    draw_placement(&mut session, picture.as_deref(), &input.name, &mapping)?;
    session.finish()
}

/// Writes everything but pictures.
fn write(
    session: &mut Session,
    folder: &Path,
    input: &MeshInput,
    mapping: &Mapping,
    [ranks, header]: [&str; 2],
) -> Result<()> {
    let at = |name: &str| folder.join(name);
    let part = &mapping.partition.part;
    session.write(&at("part.txt"), |out| write_integers(out, part))?;
    let placement = placement_json(&mapping.machine, &mapping.placement);
    session.write_text(&at("placement.json"), &format!("{placement}\n"))?;
    session.write_text(&at("routes.json"), &format!("{}\n", routes_json(mapping)))?;
    session.write_text(&at("rankfile"), ranks)?;
    session.write_text(&at("neighbours.h"), header)?;
    if input.mesh.is_some() {
        let fields = mapping_fields(input, mapping);
        // Phases belong to nodes: elements send nothing.
        let cells = of_elements(input, &fields[..2].to_vec());
        files::vtu(session, &at("mapping.vtu"), input, &fields, &cells)?;
    }
    Ok(())
}

/// Draws the mesh, its parts, and what they exchange.
fn draw(
    session: &mut Session,
    folder: Option<&Path>,
    input: &MeshInput,
    mapping: &Mapping,
) -> Result<()> {
    let at = |name: &str| folder.map(|folder| folder.join(name));
    let part = &mapping.partition.part;
    let parts = mapping.placement.parts();
    let (centroids, quotient) = (centroids(&input.points, part, parts), &mapping.quotient);
    let (mesh, of) = (DrawnMesh::from(input), Parts::OfNodes(part));
    show(session, "mesh", at("mesh.svg").as_deref(), || mesh.picture())?;
    show(session, "partition", at("partition.svg").as_deref(), || mesh.parts_picture(of, parts))?;
    show(session, "quotient", at("quotient.svg").as_deref(), || {
        pictures::quotient(&input.name, &centroids, quotient)
    })
}
