//! A mesh in a few figures, and a partition in a few more.

use palmette_core::mesh::{Cells, ElementKind, Point};
use palmette_core::{Graph, Mesh};
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

/// How good a partition is.
///
/// ```
/// use palmette::{Graph, PartitionFigures};
/// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)])?;
/// let figures = PartitionFigures::of(&path, &[0, 1, 1, 0], 2, None);
/// assert_eq!((figures.cut, figures.imbalance, figures.components), (2.0, 0.0, 3));
/// # Ok::<(), palmette::core::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionFigures {
    /// The number of parts.
    pub parts: usize,
    /// The weight of the edges between parts; their number where all weigh 1.
    pub cut: f64,
    /// How much heavier the heaviest part is than the mean: 0.03 is 3%.
    pub imbalance: f64,
    /// The weight of the lightest part; its vertices where all weigh 1.
    pub smallest: u64,
    /// The weight of the heaviest part.
    pub largest: u64,
    /// Connected pieces of all parts together: as many as parts when each is in one piece.
    pub components: usize,
}

impl PartitionFigures {
    /// The figures of parts of a graph, whose vertices may have weights: two sweeps.
    ///
    /// # Panics
    /// When there is not a part below `parts` for each vertex.
    pub fn of(
        graph: &Graph,
        part: &[u32],
        parts: usize,
        weights: Option<&[u32]>,
    ) -> PartitionFigures {
        assert_eq!(graph.len(), part.len(), "a part a vertex");
        let mut sizes = vec![0u64; parts];
        for (v, &p) in part.iter().enumerate() {
            sizes[p as usize] += weights.map_or(1, |weights| u64::from(weights[v]));
        }
        let is_cut = |&(a, b, _): &(u32, u32, f64)| part[a as usize] != part[b as usize];
        let cut = graph.edges().filter(is_cut).map(|edge| edge.2).sum();
        let inside: Vec<(u32, u32)> =
            graph.edges().filter(|edge| !is_cut(edge)).map(|edge| (edge.0, edge.1)).collect();
        let mean = sizes.iter().sum::<u64>() as f64 / parts.max(1) as f64;
        let largest = sizes.iter().copied().max().unwrap_or(0);
        PartitionFigures {
            parts,
            cut,
            imbalance: if mean > 0.0 { largest as f64 / mean - 1.0 } else { 0.0 },
            smallest: sizes.iter().copied().min().unwrap_or(0),
            largest,
            components: graph.subgraph(&inside).components().count(),
        }
    }
}
