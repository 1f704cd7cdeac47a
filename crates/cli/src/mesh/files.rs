//! Files about meshes: the mesh itself, parts, placements, routes, fields for viewers.

use crate::prelude::*;
use palmette::io::{Field, FieldValues, Fields, write_vtu};
use palmette::{Mapping, most_frequent};

/// Fields need elements, which a graph does not have.
pub(super) fn check_vtu(input: &MeshInput, path: Option<&Path>) -> Result<()> {
    if path.is_some() && input.mesh.is_none() {
        bail!("{}: --vtu needs a mesh with elements, but this is a graph", input.name);
    }
    Ok(())
}

/// Whether pictures of where nodes lie can be drawn. If nobody knows, one that a file is asked for
/// is an error, and others that are `wanted` are left out with a note.
pub(super) fn drawable(
    session: &Session,
    input: &MeshInput,
    names: &[&str],
    wanted: bool,
) -> Result<bool> {
    let Err(error) = input.located() else { return Ok(true) };
    if names.iter().any(|name| session.asks_for(name)) {
        return Err(error.into());
    }
    if wanted || names.iter().any(|name| session.wants(name)) {
        session.note(&format!("{error}: not drawn: {}; add --xyz FILE", names.join(", ")));
    }
    Ok(false)
}

/// Numbers of nodes or of elements by name.
pub(super) type Numbers<'a> = Vec<(&'a str, Vec<i32>)>;

/// Turns fields of nodes into fields of elements: each element gets the number that most of its
/// nodes have.
pub(super) fn of_elements<'a>(input: &MeshInput, fields: &Numbers<'a>) -> Numbers<'a> {
    let Some(file) = &input.mesh else { return Vec::new() };
    let cells = file.mesh.elements();
    let of = |by_node: &[i32]| cells.iter().map(|nodes| most_frequent(nodes, by_node)).collect();
    fields.iter().map(|(name, values)| (*name, of(values))).collect()
}

/// Writes a mesh with fields.
pub(super) fn vtu(
    session: &mut Session,
    path: &Path,
    input: &MeshInput,
    points: &Numbers<'_>,
    cells: &Numbers<'_>,
) -> Result<()> {
    let file = input.mesh.as_ref().ok_or_else(|| anyhow!("{}: no elements", input.name))?;
    let (points, cells) = (fields_of(points), fields_of(cells));
    let fields = Fields { points: &points, cells: &cells };
    session.write(path, |out| write_vtu(out, &file.mesh, &fields))
}

fn fields_of<'a>(numbers: &'a Numbers<'_>) -> Vec<Field<'a>> {
    let field =
        |(name, values): &'a (&str, Vec<i32>)| Field { name, values: FieldValues::I32(values) };
    numbers.iter().map(field).collect()
}

/// Numbers as fields have them.
pub(super) fn signed(numbers: &[u32]) -> Vec<i32> {
    numbers.iter().map(|&n| i32::try_from(n).unwrap_or(i32::MAX)).collect()
}

/// The fields of a mapping: parts, processors, and the last phase in which a node sends.
pub(super) fn mapping_fields(input: &MeshInput, mapping: &Mapping) -> Numbers<'static> {
    let part = &mapping.partition.part;
    let places: Vec<u32> = part.iter().map(|&p| mapping.placement.processor(p)).collect();
    vec![
        ("part", signed(part)),
        ("processor", signed(&places)),
        ("phase", mapping.phase_of_vertices(&input.graph)),
    ]
}
