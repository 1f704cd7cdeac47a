//! A mesh in a few figures.

use super::*;
use crate::MeshInput;
use palmette_core::mesh::{Cells, ElementKind, Group, Point};
use palmette_io::MeshFile;
use palmette_mesh::element::Conductances;
use rayon::prelude::*;

/// The size and shape of a mesh.
///
/// ```
/// use palmette::{MeshFigures, mesh::element::node_graph, mesh::shapes::generate};
/// let squares = generate("grid:2x3".parse()?, 1)?;
/// let figures = MeshFigures::of(&squares, &node_graph(&squares));
/// assert_eq!((figures.nodes, figures.components, figures.isolated), (12, 1, 0));
/// assert_eq!((figures.edges, figures.measures), (Some((1.0, 1.0)), Some((1.0, 1.0))));
/// # Ok::<(), palmette::mesh::shapes::MeshShapeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFigures {
    /// The number of nodes.
    pub nodes: usize,
    /// How many elements there are of each kind that there is.
    pub elements: Vec<(ElementKind, usize)>,
    /// How many elements of lower dimension are kept beside them.
    pub boundary: usize,
    /// The dimension of the elements: 2 or 3; 0 without elements.
    pub dimension: u8,
    /// The number of physical groups.
    pub groups: usize,
    /// The lengths of the shortest and the longest edge of an element.
    pub edges: Option<(f64, f64)>,
    /// The smallest and the largest area or volume of an element.
    pub measures: Option<(f64, f64)>,
    /// The number of connected components; a node without element is one.
    pub components: usize,
    /// How many nodes no element uses.
    pub isolated: usize,
}

impl MeshFigures {
    /// The figures of a mesh with the graph of its nodes; a few sweeps over both.
    pub fn of(mesh: &Mesh, graph: &Graph) -> MeshFigures {
        let cells = mesh.elements();
        let mut elements: Vec<(ElementKind, usize)> = Vec::new();
        for kind in (0..cells.len()).map(|e| cells.kind(e)) {
            match elements.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => elements.push((kind, 1)),
            }
        }
        let all = || (0..cells.len()).into_par_iter();
        MeshFigures {
            nodes: mesh.points().len(),
            elements,
            boundary: mesh.boundary().len(),
            dimension: mesh.dimension(),
            groups: mesh.groups().len(),
            edges: all().map(|e| edge_range(mesh.points(), cells, e)).reduce_with(wider),
            measures: all().map(|e| mesh.measure(e)).map(|x| (x, x)).reduce_with(wider),
            components: graph.components().count(),
            isolated: (0..graph.len() as u32).filter(|&v| graph.degree(v) == 0).count(),
        }
    }
}

fn wider(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The lengths of an element's shortest and longest edge.
fn edge_range(points: &[Point], cells: &Cells, element: usize) -> (f64, f64) {
    let nodes = cells.nodes(element);
    let mut range = (f64::INFINITY, 0.0);
    for face in cells.kind(element).faces() {
        for (i, &corner) in face.iter().enumerate() {
            let [a, b] = [corner, face[(i + 1) % face.len()]]
                .map(|corner| points[nodes[corner as usize] as usize]);
            let long = (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
            range = wider(range, (long, long));
        }
    }
    range
}

impl Figures for MeshFigures {
    fn figures(&self, record: &mut Record) {
        let kinds = self.elements.iter();
        let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{kind} {count}")).collect();
        record
            .figure("kinds", kinds.join(", "))
            .figure("dimension", self.dimension)
            .figure("components", self.components);
        for (name, range) in [("edge", self.edges), ("element", self.measures)] {
            if let Some((low, high)) = range {
                record
                    .figure(&format!("smallest_{name}"), low)
                    .figure(&format!("largest_{name}"), high);
            }
        }
    }
}

/// The size of a mesh.
impl Figures for MeshFile {
    fn figures(&self, record: &mut Record) {
        record
            .figure("nodes", self.mesh.points().len())
            .figure("elements", self.mesh.elements().len());
    }
}

/// The size of a mesh, or of a graph with points.
impl Figures for MeshInput {
    fn figures(&self, record: &mut Record) {
        record.figure("nodes", self.graph.len()).figure("edges", self.graph.edge_count());
        if let Some(file) = &self.mesh {
            record.figure("elements", file.mesh.elements().len());
        }
    }
}

/// What a graph of conductances leaves out.
impl Figures for Conductances {
    fn figures(&self, record: &mut Record) {
        record.figure("left_out", self.left_out);
    }
}

/// The size of a mesh that was made.
impl Figures for Mesh {
    fn figures(&self, record: &mut Record) {
        record
            .figure("nodes", self.points().len())
            .figure("elements", self.elements().len())
            .figure("dimension", self.dimension());
    }
}

/// Everything about what was read: the shape of a mesh or graph, and what its file had.
#[derive(Debug)]
pub struct MeshInfo<'a> {
    /// The shape of the mesh, with its file; nothing for a graph.
    pub mesh: Option<(MeshFigures, &'a MeshFile)>,
    /// Connected pieces.
    components: usize,
    /// Vertices without neighbours.
    isolated: usize,
}

impl<'a> MeshInfo<'a> {
    /// The key of the names of groups.
    pub const GROUPS: &'static str = "groups";

    /// Looks at what was read; a few sweeps over it.
    pub fn of(input: &'a MeshInput) -> MeshInfo<'a> {
        let MeshInput { graph, mesh: Some(file), .. } = input else {
            let graph = &input.graph;
            let isolated = (0..graph.len() as u32).filter(|&v| graph.degree(v) == 0).count();
            let components = GraphFigures::of(graph, None).components;
            return MeshInfo { mesh: None, components, isolated };
        };
        let figures = MeshFigures::of(&file.mesh, graph);
        let MeshFigures { components, isolated, .. } = figures;
        MeshInfo { mesh: Some((figures, file)), components, isolated }
    }

    /// The names of the physical groups; their tags where they have none.
    pub fn groups(&self) -> Vec<String> {
        let name = |group: &Group| match group.name.as_str() {
            "" => group.tag.to_string(),
            name => name.to_string(),
        };
        let groups = self.mesh.as_ref().map_or(&[][..], |(_, file)| file.mesh.groups());
        groups.iter().map(name).collect()
    }
}

impl Figures for MeshInfo<'_> {
    fn figures(&self, record: &mut Record) {
        let Some((figures, file)) = &self.mesh else {
            record.figure("components", self.components).figure("format", "graph");
            record.figure("isolated", self.isolated);
            return;
        };
        figures.figures(record);
        record
            .figure("format", file.format.to_string())
            .figure("isolated", self.isolated)
            .figure("coincident", file.found.coincident)
            .figure("merged", file.found.merged)
            .figure("boundary", figures.boundary)
            .figure("skipped_sections", file.found.skipped);
        let groups = self.groups();
        if !groups.is_empty() {
            record.figure(Self::GROUPS, groups.join(", "));
        }
    }
}
