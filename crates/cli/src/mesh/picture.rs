//! Pictures of meshes: elements, parts, what parts exchange, and where they are placed.

use super::files::{most_frequent, signed};
use crate::picture::{title, written};
use crate::session::Session;
use palmette::core::mesh::Point;
use palmette::core::{Mesh, NONE};
use palmette::io::Output;
use palmette::mesh::Quotient;
use palmette::mesh::element::surface;
use palmette::{Mapping, MeshInput, Traffic};
use palmette_report::{MAX_PROCESSORS, MeshDrawing, PlacementDrawing, QuotientDrawing, Shape};
use std::path::Path;

/// What has parts.
#[derive(Clone, Copy)]
pub(super) enum Parts<'a> {
    OfNodes(&'a [u32]),
    OfElements(&'a [u32]),
}

/// What is drawn of a mesh: shapes, and what they are called.
struct Shapes {
    shapes: Vec<Shape>,
    /// By shape, its element.
    elements: Vec<u32>,
    what: [&'static str; 2],
}

impl Shapes {
    /// The elements of a plane mesh, the surface of a solid one, the edges of a graph.
    fn of(input: &MeshInput) -> Shapes {
        match &input.mesh {
            Some(file) if file.mesh.dimension() == 2 => Shapes {
                shapes: polygons(&file.mesh),
                elements: (0..file.mesh.elements().len() as u32).collect(),
                what: ["element", "elements"],
            },
            Some(file) => {
                let faces = surface(&file.mesh);
                Shapes {
                    shapes: faces.iter().map(|face| face.nodes).collect(),
                    elements: faces.iter().map(|face| face.element).collect(),
                    what: ["face of the surface", "faces of the surface"],
                }
            }
            None => Shapes {
                shapes: input.graph.edges().map(|(a, b, _)| [a, b, NONE, NONE]).collect(),
                elements: Vec::new(),
                what: ["edge", "edges"],
            },
        }
    }

    /// The part of a shape: that of most of its corners; of an edge that of both.
    fn parts(&self, parts: Parts<'_>) -> Vec<u32> {
        let by_node = match parts {
            Parts::OfNodes(part) => signed(part),
            Parts::OfElements(part) => {
                return self.elements.iter().map(|&element| part[element as usize]).collect();
            }
        };
        let of = |shape: &Shape| match *shape {
            [a, b, NONE, _] if by_node[a as usize] != by_node[b as usize] => NONE,
            _ => {
                let corners = shape.iter().take_while(|&&c| c != NONE).count();
                most_frequent(&shape[..corners], &by_node) as u32
            }
        };
        self.shapes.iter().map(of).collect()
    }
}

/// The elements of a plane mesh.
pub(super) fn polygons(mesh: &Mesh) -> Vec<Shape> {
    let corners = |nodes: &[u32]| {
        let mut shape = [NONE; 4];
        shape[..nodes.len()].copy_from_slice(nodes);
        shape
    };
    mesh.elements().iter().map(corners).collect()
}

/// Draws a mesh.
pub(super) fn mesh(
    session: &mut Session,
    path: &Path,
    input: &MeshInput,
) -> anyhow::Result<Output> {
    session.phase("draw", || {
        let Shapes { shapes, what, .. } = Shapes::of(input);
        let picture = MeshDrawing {
            title: &title(&input.name),
            subtitle: "",
            points: &input.points,
            shapes: &shapes,
            what,
            parts: None,
        };
        written(path, &picture.to_svg())
    })
}

/// Draws the parts of a mesh.
pub(super) fn parts(
    session: &mut Session,
    path: &Path,
    input: &MeshInput,
    of: Parts<'_>,
    parts: usize,
) -> anyhow::Result<Output> {
    session.phase("draw", || {
        let shapes = Shapes::of(input);
        let by_shape = shapes.parts(of);
        let subtitle = match (&input.mesh, of) {
            (Some(_), Parts::OfNodes(_)) => {
                "an element of several parts has the colour of most of its nodes"
            }
            _ => "",
        };
        let picture = MeshDrawing {
            title: &format!("{} in {parts} parts", title(&input.name)),
            subtitle,
            points: &input.points,
            shapes: &shapes.shapes,
            what: shapes.what,
            parts: Some(&by_shape),
        };
        written(path, &picture.to_svg())
    })
}

/// Draws what parts exchange, at the means of their points.
pub(super) fn quotient(
    session: &mut Session,
    path: &Path,
    name: &str,
    places: &[Point],
    quotient: &Quotient,
) -> anyhow::Result<Output> {
    session.phase("draw", || {
        let mut pairs = Vec::new();
        for a in 0..quotient.parts() as u32 {
            let both = quotient.sends(a).iter().zip(quotient.receives(a)).map(|(s, r)| s + r);
            let found = quotient.partners(a).iter().zip(both).filter(|(b, _)| a < **b);
            pairs.extend(found.map(|(&b, values)| (a, b, values)));
        }
        let picture = QuotientDrawing {
            title: &format!("What the parts of {} exchange", title(name)),
            subtitle: "",
            places,
            pairs: &pairs,
        };
        written(path, &picture.to_svg())
    })
}

/// Draws parts on a mesh or torus with the loads of all links; nothing on a fat tree, or on a
/// machine that is too large.
pub(super) fn placement(
    session: &mut Session,
    path: &Path,
    name: &str,
    mapping: &Mapping,
) -> anyhow::Result<Option<Output>> {
    let Traffic::Routes(phases) = &mapping.traffic else {
        session.note("placements are drawn on meshes and tori only");
        return Ok(None);
    };
    let lattice = phases.routes.lattice();
    if lattice.processors() > MAX_PROCESSORS {
        session.note(&format!("machines of up to {MAX_PROCESSORS} processors are drawn"));
        return Ok(None);
    }
    session.phase("draw", || {
        let mut parts = vec![NONE; lattice.processors()];
        for (part, &processor) in (0u32..).zip(mapping.placement.processors()) {
            parts[processor as usize] = part;
        }
        let picture = PlacementDrawing {
            title: &format!("{} on {}", title(name), mapping.machine),
            subtitle: "",
            sides: lattice.sides(),
            torus: lattice.is_torus(),
            parts: &parts,
            loads: &phases.routes.loads(),
        };
        Ok(Some(written(path, &picture.to_svg())?))
    })
}
