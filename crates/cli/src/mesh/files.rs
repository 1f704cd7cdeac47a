//! Files about meshes: the mesh itself, parts, placements, routes, fields for viewers.

use crate::output::unfinished;
use crate::session::Session;
use anyhow::{anyhow, bail};
use palmette::core::Mesh;
use palmette::io::{
    Field, FieldValues, Fields, Output, VtkForm, write_gmsh, write_metis_mesh, write_vtk, write_vtu,
};
use palmette::{Mapping, MeshInput};
use std::io::Write;
use std::path::Path;

/// How a mesh is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshFileFormat {
    Gmsh,
    Metis,
    Vtu,
    Vtk,
}

impl MeshFileFormat {
    /// By the ending of a name; Gmsh on stdout.
    pub(super) fn of(path: Option<&Path>) -> anyhow::Result<MeshFileFormat> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(MeshFileFormat::Gmsh);
        };
        let name = path.to_string_lossy().to_lowercase();
        let packed = [".gz", ".zst", ".zstd"].iter().find_map(|end| name.strip_suffix(end));
        match packed.unwrap_or(&name).rsplit_once('.').map(|(_, end)| end) {
            Some("msh") => Ok(MeshFileFormat::Gmsh),
            Some("mesh") => Ok(MeshFileFormat::Metis),
            Some("vtu") => Ok(MeshFileFormat::Vtu),
            Some("vtk") => Ok(MeshFileFormat::Vtk),
            _ => bail!("{}: expected a name that ends in msh, mesh, vtu or vtk", path.display()),
        }
    }
}

pub(super) fn write_mesh(
    out: &mut Output,
    mesh: &Mesh,
    format: MeshFileFormat,
) -> std::io::Result<()> {
    match format {
        MeshFileFormat::Gmsh => write_gmsh(out, mesh, None),
        MeshFileFormat::Metis => write_metis_mesh(out, mesh),
        MeshFileFormat::Vtu => write_vtu(out, mesh, &Fields::default()),
        MeshFileFormat::Vtk => write_vtk(out, mesh, &Fields::default(), VtkForm::default()),
    }
}

/// Fields need elements, which a graph does not have.
pub(super) fn check_vtu(input: &MeshInput, path: Option<&Path>) -> anyhow::Result<()> {
    if path.is_some() && input.mesh.is_none() {
        bail!("{}: expected a mesh with elements for --vtu, found a graph", input.name);
    }
    Ok(())
}

/// Numbers of nodes by name.
pub(super) type NodeFields<'a> = Vec<(&'a str, Vec<i32>)>;

/// Writes fields of nodes; `part` and `processor` also for elements, as
/// [`part_of_element`] has it.
pub(super) fn vtu(
    session: &mut Session,
    path: &Path,
    input: &MeshInput,
    fields: &NodeFields<'_>,
) -> anyhow::Result<Output> {
    let mesh = &input.mesh.as_ref().ok_or_else(|| anyhow!("{}: no elements", input.name))?.mesh;
    let of_elements = |by_node: &[i32]| -> Vec<i32> {
        let elements = 0..mesh.elements().len();
        elements.map(|element| most_frequent(mesh.elements().nodes(element), by_node)).collect()
    };
    let cells: NodeFields<'_> = fields
        .iter()
        .filter(|(name, _)| *name != "phase")
        .map(|(name, values)| (*name, of_elements(values)))
        .collect();
    let [points, cells] = [fields, &cells].map(|fields| {
        let field = |(name, values)| Field { name, values: FieldValues::I32(values) };
        fields.iter().map(|(name, values)| field((*name, &values[..]))).collect::<Vec<_>>()
    });
    let fields = Fields { points: &points, cells: &cells };
    Ok(session.phase("write", || unfinished(path, |out| write_vtu(out, mesh, &fields)))?)
}

/// The number that most nodes of an element have; of several the one whose node comes first.
pub(super) fn most_frequent(nodes: &[u32], by_node: &[i32]) -> i32 {
    let count = |number: i32| nodes.iter().filter(|&&n| by_node[n as usize] == number).count();
    let mut best = (0, 0);
    for number in nodes.iter().map(|&node| by_node[node as usize]) {
        let found = count(number);
        if found > best.0 {
            best = (found, number);
        }
    }
    best.1
}

/// Numbers as fields have them.
pub(super) fn signed(numbers: &[u32]) -> Vec<i32> {
    numbers.iter().map(|&n| i32::try_from(n).unwrap_or(i32::MAX)).collect()
}

/// The fields of a mapping: parts, processors, and the last phase in which a node sends.
pub(super) fn mapping_fields(input: &MeshInput, mapping: &Mapping) -> NodeFields<'static> {
    let part = &mapping.partition.part;
    let places: Vec<u32> = part.iter().map(|&p| mapping.placement.processor(p)).collect();
    vec![
        ("part", signed(part)),
        ("processor", signed(&places)),
        ("phase", mapping.phase_of_vertices(&input.graph)),
    ]
}

/// A text that appears when it is finished.
pub(super) fn text(path: &Path, text: &str) -> anyhow::Result<Output> {
    Ok(unfinished(path, |out| out.write_all(text.as_bytes()))?)
}
