//! A graph in a few figures.

use palmette_core::Graph;

/// The size and shape of a graph.
///
/// ```
/// use palmette::{Graph, GraphFigures};
/// let graph = Graph::from_edges(4, &[(0, 1, 2.0), (1, 2, 0.5)])?;
/// let figures = GraphFigures::of(&graph, None);
/// assert_eq!((figures.components, figures.min_degree, figures.max_degree), (2, 0, 2));
/// assert_eq!(figures.weights, Some((0.5, 2.0)));
/// # Ok::<(), palmette::core::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GraphFigures {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges.
    pub edges: usize,
    /// The number of connected components.
    pub components: usize,
    /// The number of vertices of the largest component.
    pub largest_component: usize,
    /// The smallest number of neighbours.
    pub min_degree: usize,
    /// The largest number of neighbours.
    pub max_degree: usize,
    /// The mean number of neighbours.
    pub mean_degree: f64,
    /// The smallest and the largest weight; nothing without edges.
    pub weights: Option<(f64, f64)>,
    /// How many vertices have a conductance to ground.
    pub grounded: usize,
    /// Bytes that the graph takes in memory, for each edge.
    pub bytes_per_edge: f64,
}

impl GraphFigures {
    /// The figures of a graph whose vertices may have conductances to ground; a few sweeps
    /// over it.
    pub fn of(graph: &Graph, ground: Option<&[f64]>) -> GraphFigures {
        let (vertices, edges) = (graph.len(), graph.edge_count());
        let components = graph.components();
        let degrees = || (0..vertices as u32).map(|v| graph.degree(v));
        let range = |(low, high): (f64, f64), &w: &f64| (low.min(w), high.max(w));
        let weights = graph.all_weights().iter().fold((f64::INFINITY, 0.0), range);
        let bytes = size_of_val(graph.offsets())
            + size_of_val(graph.all_neighbours())
            + size_of_val(graph.all_weights());
        GraphFigures {
            vertices,
            edges,
            components: components.count(),
            largest_component: components.sizes.iter().max().map_or(0, |&size| size as usize),
            min_degree: degrees().min().unwrap_or(0),
            max_degree: degrees().max().unwrap_or(0),
            mean_degree: 2.0 * edges as f64 / vertices.max(1) as f64,
            weights: (edges > 0).then_some(weights),
            grounded: ground.map_or(0, |ground| ground.iter().filter(|g| **g > 0.0).count()),
            bytes_per_edge: bytes as f64 / edges.max(1) as f64,
        }
    }
}
