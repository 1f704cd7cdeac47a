//! Pictures of meshes and of parts on machines.

use super::MeshData;
use palmette::core::{Mesh, NONE};
use palmette::mesh::element::surface;
use palmette::{Mapping, MappingTraffic};
use palmette_report::{MAX_PROCESSORS, MeshDrawing, PlacementDrawing, Shape};

/// A mesh, or parts of its nodes or elements in colours.
pub(super) fn mesh(data: &MeshData, parts: Option<&[u32]>, of_elements: bool) -> String {
    let (shapes, elements, what) = shapes(data);
    let by_shape: Option<Vec<u32>> = parts.map(|part| match of_elements {
        true => elements.iter().map(|&element| part[element as usize]).collect(),
        false => shapes.iter().map(|shape| most_frequent(shape, part)).collect(),
    });
    let count = parts.and_then(|part| part.iter().max()).map_or(0, |&most| most as u64 + 1);
    let title = match parts {
        Some(_) => format!("{} in {count} parts", data.name),
        None => data.name.clone(),
    };
    let drawing = MeshDrawing {
        title: &title,
        subtitle: "",
        points: &data.points,
        shapes: &shapes,
        what,
        parts: by_shape.as_deref(),
    };
    drawing.to_svg()
}

/// The elements of a plane mesh, the surface of a solid one, the edges of a graph; and by shape,
/// its element.
fn shapes(data: &MeshData) -> (Vec<Shape>, Vec<u32>, [&'static str; 2]) {
    match &data.mesh {
        Some(mesh) if mesh.dimension() == 2 => {
            (polygons(mesh), (0..mesh.elements().len() as u32).collect(), ["element", "elements"])
        }
        Some(mesh) => {
            let faces = surface(mesh);
            (
                faces.iter().map(|face| face.nodes).collect(),
                faces.iter().map(|face| face.element).collect(),
                ["face of the surface", "faces of the surface"],
            )
        }
        None => (
            data.graph.edges().map(|(a, b, _)| [a, b, NONE, NONE]).collect(),
            Vec::new(),
            ["edge", "edges"],
        ),
    }
}

fn polygons(mesh: &Mesh) -> Vec<Shape> {
    let corners = |nodes: &[u32]| {
        let mut shape = [NONE; 4];
        shape[..nodes.len()].copy_from_slice(nodes);
        shape
    };
    mesh.elements().iter().map(corners).collect()
}

/// The part of most corners, the first of several; none for an edge between two parts.
fn most_frequent(shape: &Shape, part: &[u32]) -> u32 {
    let corners: Vec<u32> =
        shape.iter().filter(|&&c| c != NONE).map(|&c| part[c as usize]).collect();
    if let [a, b] = corners[..] {
        return if a == b { a } else { NONE };
    }
    let count = |p: u32| corners.iter().filter(|&&q| q == p).count();
    let most = corners.iter().map(|&p| count(p)).max().unwrap_or(0);
    corners.iter().copied().find(|&p| count(p) == most).unwrap_or(NONE)
}

/// Parts on a mesh or torus with the loads of all links.
pub(super) fn placement(name: &str, mapping: &Mapping) -> Option<String> {
    let MappingTraffic::Routes(phases) = &mapping.traffic else { return None };
    let lattice = phases.routes.lattice();
    if lattice.processors() > MAX_PROCESSORS {
        return None;
    }
    let mut parts = vec![NONE; lattice.processors()];
    for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
        parts[processor as usize] = part;
    }
    let drawing = PlacementDrawing {
        title: &format!("{name} on {}", mapping.machine),
        subtitle: "",
        sides: lattice.sides(),
        torus: lattice.is_torus(),
        parts: &parts,
        loads: &phases.routes.loads(),
    };
    Some(drawing.to_svg())
}
