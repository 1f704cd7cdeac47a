//! Pictures of meshes: elements, parts, what parts exchange, and where they are placed.

use super::files::{most_frequent, signed};
use crate::picture::{Drawn, show, title};
use crate::session::Session;
use palmette::core::mesh::Point;
use palmette::core::{Mesh, NONE};
use palmette::mesh::Quotient;
use palmette::mesh::element::surface;
use palmette::mesh::routing::Phases;
use palmette::{Mapping, MappingTraffic, MeshInput};
use palmette_report::view::{LinksView, View};
use palmette_report::{MAX_PROCESSORS, MeshDrawing, PlacementDrawing, QuotientDrawing, Shape};
use serde_json::Value;
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
            Some(file) => Shapes::of_mesh(&file.mesh),
            None => Shapes {
                shapes: input.graph.edges().map(|(a, b, _)| [a, b, NONE, NONE]).collect(),
                elements: Vec::new(),
                what: ["edge", "edges"],
            },
        }
    }

    fn of_mesh(mesh: &Mesh) -> Shapes {
        if mesh.dimension() == 2 {
            return Shapes {
                shapes: polygons(mesh),
                elements: (0..mesh.elements().len() as u32).collect(),
                what: ["element", "elements"],
            };
        }
        let faces = surface(mesh);
        Shapes {
            shapes: faces.iter().map(|face| face.nodes).collect(),
            elements: faces.iter().map(|face| face.element).collect(),
            what: ["face of the surface", "faces of the surface"],
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

/// Draws what was read.
pub(super) fn mesh(
    session: &mut Session,
    path: Option<&Path>,
    input: &MeshInput,
) -> anyhow::Result<()> {
    drawn(session, path, &title(&input.name), &input.points, || Shapes::of(input))
}

/// Draws a mesh that was made.
pub(super) fn made(session: &mut Session, name: &str, mesh: &Mesh) -> anyhow::Result<()> {
    drawn(session, None, name, mesh.points(), || Shapes::of_mesh(mesh))
}

fn drawn(
    session: &mut Session,
    path: Option<&Path>,
    title: &str,
    points: &[Point],
    shapes: impl FnOnce() -> Shapes,
) -> anyhow::Result<()> {
    show(session, ("mesh", "The mesh"), path, || {
        let Shapes { shapes, what, .. } = shapes();
        MeshDrawing { title, subtitle: "", points, shapes: &shapes, what, parts: None }.to_svg()
    })
}

/// Draws the edges of a graph over the points of its vertices, for reports.
pub(super) fn edges(session: &mut Session, input: &MeshInput) -> anyhow::Result<()> {
    let drawn = || {
        let edges: Vec<Shape> = input.graph.edges().map(|(a, b, _)| [a, b, NONE, NONE]).collect();
        let picture = MeshDrawing {
            title: &format!("The graph of {}", title(&input.name)),
            subtitle: "",
            points: &input.points,
            shapes: &edges,
            what: ["edge", "edges"],
            parts: None,
        };
        picture.to_svg()
    };
    show(session, ("graph", "The graph"), None, drawn)
}

/// Draws the parts of a mesh.
pub(super) fn parts(
    session: &mut Session,
    path: Option<&Path>,
    input: &MeshInput,
    of: Parts<'_>,
    parts: usize,
) -> anyhow::Result<()> {
    show(session, ("partition", "The parts"), path, || {
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
        picture.to_svg()
    })
}

/// Draws what parts exchange, at the means of their points.
pub(super) fn quotient(
    session: &mut Session,
    path: Option<&Path>,
    name: &str,
    places: &[Point],
    quotient: &Quotient,
) -> anyhow::Result<()> {
    show(session, ("quotient", "What parts exchange"), path, || {
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
        picture.to_svg()
    })
}

/// Draws parts on a mesh or torus with the loads of all links; nothing on a fat tree, or on a
/// machine that is too large.
pub(super) fn placement(
    session: &mut Session,
    path: Option<&Path>,
    name: &str,
    mapping: &Mapping,
) -> anyhow::Result<()> {
    if path.is_none() && !session.draws() {
        return Ok(());
    }
    let MappingTraffic::Routes(phases) = &mapping.traffic else {
        session.note("placements are drawn on meshes and tori only");
        return Ok(());
    };
    let lattice = phases.routes.lattice();
    if lattice.processors() > MAX_PROCESSORS {
        session.note(&format!("machines of up to {MAX_PROCESSORS} processors are drawn"));
        return Ok(());
    }
    show(session, ("placement", "The placement, with the loads of links"), path, || {
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
        Drawn { svg: picture.to_svg(), view: links(phases, &parts) }
    })
}

/// The loads of links by phase, on machines of two dimensions.
fn links(phases: &Phases, parts: &[u32]) -> Option<Value> {
    let lattice = phases.routes.lattice();
    let &[rows, columns] = lattice.sides() else { return None };
    let mut view = LinksView::new([rows, columns], lattice.is_torus(), parts).ok()?;
    for phase in 0..phases.count {
        view.phase(&phases.loads(phase as u32)).ok()?;
    }
    Some(View::from(view).to_value())
}
