//! A mesh: its elements, or its surface; a graph with points: its edges; and their parts.

use super::*;
use crate::{MeshInput, most_frequent};
use palmette_core::Graph;
use palmette_mesh::element::surface;
use palmette_report::{MeshDrawing, Shape};

/// What is drawn: points, and what lies between them.
#[derive(Debug, Clone, Copy)]
pub struct DrawnMesh<'a> {
    /// The name of what was read or made.
    pub name: &'a str,
    /// By node or vertex, its point.
    pub points: &'a [Point],
    /// What lies between them.
    pub between: Topology<'a>,
}

/// What lies between points.
#[derive(Debug, Clone, Copy)]
pub enum Topology<'a> {
    /// Elements: those of a plane mesh, the surface of a solid one.
    Mesh(&'a Mesh),
    /// The edges of a graph.
    Graph(&'a Graph),
}

/// What has parts.
#[derive(Debug, Clone, Copy)]
pub enum Parts<'a> {
    /// By node or vertex, its part.
    OfNodes(&'a [u32]),
    /// By element, its part.
    OfElements(&'a [u32]),
}

impl<'a> From<&'a MeshInput> for DrawnMesh<'a> {
    fn from(input: &'a MeshInput) -> DrawnMesh<'a> {
        let between = match &input.mesh {
            Some(file) => Topology::Mesh(&file.mesh),
            None => Topology::Graph(&input.graph),
        };
        DrawnMesh { name: &input.name, points: &input.points, between }
    }
}

impl DrawnMesh<'_> {
    /// The mesh.
    pub fn picture(&self) -> Picture {
        still("mesh", "The mesh", self.svg(&title(self.name), "", None))
    }

    /// The graph, as one that was made of a mesh.
    pub fn graph_picture(&self) -> Picture {
        let heading = format!("The graph of {}", title(self.name));
        still("graph", "The graph", self.svg(&heading, "", None))
    }

    /// So many parts, in colours.
    pub fn parts_picture(&self, parts: Parts<'_>, count: usize) -> Picture {
        let subtitle = match (self.between, parts) {
            (Topology::Mesh(_), Parts::OfNodes(_)) => {
                "an element across parts has the colour of most of its nodes"
            }
            _ => "",
        };
        let heading = format!("{} in {count} parts", title(self.name));
        still("partition", "The parts", self.svg(&heading, subtitle, Some(parts)))
    }

    fn svg(&self, title: &str, subtitle: &str, parts: Option<Parts<'_>>) -> String {
        let Shapes { shapes, elements, what } = Shapes::of(self.between);
        let parts = parts.map(|parts| match parts {
            Parts::OfElements(part) => elements.iter().map(|&e| part[e as usize]).collect(),
            Parts::OfNodes(part) => shape_parts(&shapes, part),
        });
        let parts: Option<Vec<u32>> = parts;
        let (points, parts) = (self.points, parts.as_deref());
        MeshDrawing { title, subtitle, points, shapes: &shapes, what, parts }.to_svg()
    }
}

/// The shapes that are drawn of a mesh, and their names.
struct Shapes {
    shapes: Vec<Shape>,
    /// By shape, its element; nothing for edges.
    elements: Vec<u32>,
    what: [&'static str; 2],
}

impl Shapes {
    fn of(between: Topology<'_>) -> Shapes {
        match between {
            Topology::Graph(graph) => Shapes {
                shapes: graph.edges().map(|(a, b, _)| [a, b, NONE, NONE]).collect(),
                elements: Vec::new(),
                what: ["edge", "edges"],
            },
            Topology::Mesh(mesh) if mesh.dimension() == 2 => Shapes {
                shapes: polygons(mesh),
                elements: (0..mesh.elements().len() as u32).collect(),
                what: ["element", "elements"],
            },
            Topology::Mesh(mesh) => {
                let faces = surface(mesh);
                Shapes {
                    shapes: faces.iter().map(|face| face.nodes).collect(),
                    elements: faces.iter().map(|face| face.element).collect(),
                    what: ["face of the surface", "faces of the surface"],
                }
            }
        }
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

/// By shape, its part, from those of nodes.
pub(super) fn shape_parts(shapes: &[Shape], part: &[u32]) -> Vec<u32> {
    shapes.iter().map(|shape| part_of(shape, part)).collect()
}

/// The part of a shape: that of most of its corners; of an edge that of both, if it is one.
fn part_of(shape: &Shape, part: &[u32]) -> u32 {
    match *shape {
        [a, b, NONE, _] if part[a as usize] != part[b as usize] => NONE,
        _ => {
            let corners = shape.iter().take_while(|&&c| c != NONE).count();
            most_frequent(&shape[..corners], part)
        }
    }
}
