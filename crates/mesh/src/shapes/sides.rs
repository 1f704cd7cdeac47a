//! Names for the sides of a box, so that conditions can be set there.

use crate::element::surface;
use palmette_core::mesh::{Cells, ElementKind, Group};
use palmette_core::{Mesh, MeshError, NONE};

/// The tag of all elements.
pub(super) const BODY: i32 = 1;

/// By axis, the side where it is least and the one where it is largest.
const PLANE: [[&str; 2]; 2] = [["left", "right"], ["bottom", "top"]];
const SOLID: [[&str; 2]; 3] = [["left", "right"], ["front", "back"], ["bottom", "top"]];

/// The mesh, which fills a box and has [`BODY`] for all tags, with groups: `body` for its
/// elements, and a group for each side of the box.
pub(super) fn with_sides(mesh: Mesh) -> Result<Mesh, MeshError> {
    let dimension = mesh.dimension();
    let names: &[[&str; 2]] = if dimension == 2 { &PLANE } else { &SOLID };
    let group = |dimension, tag, name: &str| Group { dimension, tag, name: name.to_string() };
    let mut groups = vec![group(dimension, BODY, "body")];
    let mut ends = Vec::new();
    for (axis, names) in names.iter().enumerate() {
        let along = mesh.points().iter().map(|point| point[axis]);
        let least = along.clone().fold(f64::INFINITY, f64::min);
        let most = along.fold(f64::NEG_INFINITY, f64::max);
        for (name, end) in names.iter().zip([least, most]) {
            let tag = groups.len() as i32 + BODY;
            groups.push(group(dimension - 1, tag, name));
            ends.push((axis, end, tag));
        }
    }
    let mut sides = Cells::default();
    for face in surface(&mesh) {
        let nodes = face.nodes.iter().position(|&node| node == NONE).unwrap_or(4);
        let nodes = &face.nodes[..nodes];
        let kind = match nodes.len() {
            2 => ElementKind::Line,
            3 => ElementKind::Triangle,
            _ => ElementKind::Quadrilateral,
        };
        let on = |&&(axis, end, _): &&(usize, f64, i32)| {
            nodes.iter().all(|&node| mesh.points()[node as usize][axis] == end)
        };
        if let Some(&(_, _, tag)) = ends.iter().find(on) {
            sides.push(kind, nodes, tag);
        }
    }
    mesh.with_groups(sides, groups)
}
