//! `palmette mesh generate`.

use crate::prelude::*;
use palmette::core::Mesh;
use palmette::io::MeshFileFormat;
use palmette::mesh::shapes::{MeshShape, generate};

#[derive(Debug, Args)]
#[command(mut_arg("svg", |argument| argument.help("Draw the mesh (a solid mesh by its surface)")))]
pub(crate) struct Arguments {
    /// grid:ROWSxCOLUMNS, triangles:ROWSxCOLUMNS, box:XxYxZ, tetrahedra:XxYxZ, delaunay:N,
    /// crack-plate[:N[:doubled]] or penny-crack[:N]. Squares and cubes have side 1. Grids and boxes
    /// have the groups body, left, right, bottom, top, and in space front and back.
    #[arg(value_name = "SHAPE")]
    shape: MeshShape,
    /// Scale the mesh to this width in x.
    #[arg(long, value_name = "WIDTH", value_parser = width, allow_negative_numbers = true)]
    width: Option<f64>,
    /// Seed for every random choice.
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Output mesh; the extension decides the format: msh (Gmsh), mesh (METIS), vtu or vtk;
    /// optionally gz or zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format, overriding the name (default on stdout: gmsh).
    #[arg(long, value_name = "FORMAT", value_parser = named::<MeshFileFormat>())]
    to: Option<MeshFileFormat>,
    /// Output file for the coordinates of the nodes, which METIS meshes lack.
    #[arg(long, value_name = "FILE")]
    output_xyz: Option<PathBuf>,
    #[command(flatten)]
    pictures: PictureOptions,
}

fn width(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    let positive = number.filter(|width| *width > 0.0 && width.is_finite());
    positive.ok_or_else(|| format!("expected a positive number, found `{text}`"))
}

/// The same mesh, larger or smaller.
fn stretched(mesh: Mesh, width: f64) -> Result<Mesh> {
    let xs = || mesh.points().iter().map(|point| point[0]);
    let old = xs().fold(f64::NEG_INFINITY, f64::max) - xs().fold(f64::INFINITY, f64::min);
    let points = mesh.points().iter().map(|point| point.map(|x| x / old * width)).collect();
    let stretched = Mesh::new(points, mesh.elements().clone())?;
    Ok(stretched.with_groups(mesh.boundary().clone(), mesh.groups().to_vec())?)
}

pub(crate) fn run(arguments: &Arguments, run: &RunOptions) -> Result<()> {
    let &Arguments { shape, seed, .. } = arguments;
    let (output, xyz) = (arguments.output.as_deref(), arguments.output_xyz.as_deref());
    let files = Files::made(&shape.to_string())
        .writes("-o", output, Kind::mesh(arguments.to.is_some()))
        .writes("--output-xyz", xyz, Kind::POINTS)
        .draws(&arguments.pictures, "mesh");
    let mut session = Session::open("mesh generate", files, run)?;
    let by_name = || MeshFileFormat::from_name(&output?.to_string_lossy());
    let format = arguments.to.or_else(by_name).unwrap_or_default();
    session.parameter("shape", shape.to_string()).parameter("seed", seed);
    let mut mesh = session.phase("compute", || generate(shape, seed))?;
    if let Some(width) = arguments.width {
        session.parameter("width", width);
        mesh = stretched(mesh, width)?;
    }
    session.figures(&mesh);
    session.file("output_xyz", xyz);
    if let Some(path) = xyz {
        session.write(path, |out| write_points(out, mesh.points()))?;
    }
    show(&mut session, "mesh", None, || {
        let (name, between) = (shape.to_string(), Topology::Mesh(&mesh));
        DrawnMesh { name: &name, points: mesh.points(), between }.picture()
    })?;
    if let Some(path) = session.destination(output) {
        if format == MeshFileFormat::Metis && xyz.is_none() {
            session.note("METIS meshes have no coordinates; add --output-xyz FILE to write them");
        }
        session.write(&path, |out| format.write(out, &mesh))?;
    }
    session.finish()
}
