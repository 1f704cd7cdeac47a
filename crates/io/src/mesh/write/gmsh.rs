//! MSH 2.2 and METIS meshes, as text.

use super::super::gmsh::kind_numbers;
use super::put_point;
use crate::write::{blocks, invalid, put_line, put_number};
use palmette_core::Mesh;
use palmette_core::mesh::Cells;
use std::io::{self, Write};

/// Writes a mesh as MSH 2.2, text: names of groups, nodes, and the elements of all
/// dimensions, those of the boundary first. Nodes get the numbers 1, 2, 3, …, or `tags`.
///
/// # Errors
/// When writing fails, or there is not exactly one tag per node, or a group's name has a quote or
/// an end of a line in it (`InvalidInput`).
pub fn write_gmsh(out: &mut dyn Write, mesh: &Mesh, tags: Option<&[u64]>) -> io::Result<()> {
    let wrong = |message: String| Err(invalid(message));
    if let Some(tags) = tags.filter(|tags| tags.len() != mesh.points().len()) {
        return wrong(format!("{} tags for {} nodes", tags.len(), mesh.points().len()));
    }
    let tag = |node: usize| tags.map_or(node as u64 + 1, |tags| tags[node]);
    writeln!(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat")?;
    if !mesh.groups().is_empty() {
        writeln!(out, "$PhysicalNames\n{}", mesh.groups().len())?;
        for group in mesh.groups() {
            if group.name.contains(['"', '\n', '\r']) {
                return wrong(format!("group {:?}: the name must not contain quotes", group.name));
            }
            writeln!(out, "{} {} \"{}\"", group.dimension, group.tag, group.name)?;
        }
        writeln!(out, "$EndPhysicalNames")?;
    }
    writeln!(out, "$Nodes\n{}", mesh.points().len())?;
    blocks(out, mesh.points().len(), |i, bytes| {
        put_number(bytes, tag(i));
        bytes.push(b' ');
        put_point(bytes, &mesh.points()[i]);
        bytes.push(b'\n');
    })?;
    let (boundary, elements) = (mesh.boundary(), mesh.elements());
    writeln!(out, "$EndNodes\n$Elements\n{}", boundary.len() + elements.len())?;
    let mut put = |cells: &Cells, before: usize| {
        blocks(out, cells.len(), |i, bytes| {
            put_number(bytes, before + i + 1);
            bytes.push(b' ');
            put_number(bytes, kind_numbers(cells.kind(i)).0);
            // Group and entity; there is no geometry, so the group stands for it.
            bytes.extend_from_slice(b" 2 ");
            put_number(bytes, cells.tag(i));
            bytes.push(b' ');
            put_number(bytes, cells.tag(i));
            for &node in cells.nodes(i) {
                bytes.push(b' ');
                put_number(bytes, tag(node as usize));
            }
            bytes.push(b'\n');
        })
    };
    put(boundary, 0)?;
    put(elements, boundary.len())?;
    writeln!(out, "$EndElements")
}

/// Writes the elements of a mesh in METIS's form, nodes from 1. Points, boundary and groups
/// have no place there.
///
/// # Errors
/// When writing fails.
pub fn write_metis_mesh(out: &mut dyn Write, mesh: &Mesh) -> io::Result<()> {
    let elements = mesh.elements();
    writeln!(out, "{}", elements.len())?;
    blocks(out, elements.len(), |i, bytes| {
        let nodes = elements.nodes(i);
        put_line(bytes, b' ', nodes, |bytes, &node| put_number(bytes, u64::from(node) + 1));
    })
}
