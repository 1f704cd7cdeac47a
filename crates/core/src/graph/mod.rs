//! Weighted undirected graphs without loops and multiple edges.
//!
//! **Form.** For each vertex its neighbours in ascending order with the weights of the
//! edges (compressed rows of the full symmetric matrix): 24 bytes per edge and 8 per vertex.
//! A weight is a conductance: positive, finite, and its reciprocal finite too.
//!
//! **Edges have numbers** in the order (larger end, smaller end), from 0:
//! [`Graph::edges`] walks them. That is the order of the upper triangle by columns.
//!
//! A [`Graph`] is checked once, when it is made; after that its arrays are trusted.

mod build;
mod components;
pub mod generate;
pub mod raster;
mod sets;
#[cfg(test)]
mod tests;

pub use build::Simplified;
pub use components::Components;
pub use sets::Sets;

use thiserror::Error;

/// A weighted undirected graph without loops and multiple edges.
///
/// ```
/// use palmette_core::Graph;
/// let triangle = Graph::from_edges(3, &[(0, 1, 2.0), (2, 1, 1.0), (0, 2, 0.5)])?;
/// assert_eq!(triangle.neighbours(1), [0, 2]);
/// assert_eq!(triangle.edges().collect::<Vec<_>>(), [(0, 1, 2.0), (0, 2, 0.5), (1, 2, 1.0)]);
/// # Ok::<(), palmette_core::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// By vertex: where its neighbours begin; one more for the end.
    offsets: Vec<usize>,
    neighbours: Vec<u32>,
    weights: Vec<f64>,
}

/// Why a list of edges does not form a graph. Edges count from 0.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GraphError {
    /// An end of an edge is not a vertex.
    #[error("edge {edge} ends at vertex {vertex}, but there are only {vertices} vertices")]
    EndOutOfRange { edge: usize, vertex: u32, vertices: usize },
    /// A weight is not a conductance.
    #[error("edge {edge} has weight {weight}; weights must be positive and finite")]
    Weight { edge: usize, weight: f64 },
    /// The weights of parallel edges have no finite sum.
    #[error("the weights of the edges between {a} and {b} add up to infinity")]
    Sum { a: u32, b: u32 },
    /// Rows that are not those of an undirected graph.
    #[error(
        "the neighbours of vertex {vertex} are not in ascending order, or {other} does not \
        list it back"
    )]
    Row { vertex: u32, other: u32 },
    /// More vertices or edges than `u32` indices.
    #[error("{count} {what}; at most {} are supported", crate::MAX_VERTICES)]
    TooMany { what: &'static str, count: u64 },
}

impl Graph {
    /// A graph from edges in any order and direction. Loops are left out; the weights of
    /// parallel edges are added in the order of the list.
    ///
    /// # Errors
    /// As [`Graph::simplify`].
    pub fn from_edges(vertices: usize, edges: &[(u32, u32, f64)]) -> Result<Graph, GraphError> {
        Ok(Graph::simplify(vertices, edges)?.0)
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// By vertex, where its neighbours begin; one more for the end.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The neighbours of all vertices, one after another.
    pub fn all_neighbours(&self) -> &[u32] {
        &self.neighbours
    }

    /// The weights that go with [`Graph::all_neighbours`].
    pub fn all_weights(&self) -> &[f64] {
        &self.weights
    }

    /// The neighbours of a vertex in ascending order.
    ///
    /// # Panics
    /// If it is not a vertex.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.neighbours[self.offsets[v]..self.offsets[v + 1]]
    }

    /// The weights that go with [`Graph::neighbours`].
    ///
    /// # Panics
    /// If it is not a vertex.
    #[inline]
    pub fn weights(&self, vertex: u32) -> &[f64] {
        let v = vertex as usize;
        &self.weights[self.offsets[v]..self.offsets[v + 1]]
    }

    /// The number of neighbours.
    ///
    /// # Panics
    /// If it is not a vertex.
    #[inline]
    pub fn degree(&self, vertex: u32) -> usize {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }

    /// The weight between two vertices, if there is an edge.
    pub fn weight(&self, a: u32, b: u32) -> Option<f64> {
        let place = self.neighbours(a).binary_search(&b).ok()?;
        Some(self.weights(a)[place])
    }

    /// All edges `(smaller end, larger end, weight)` in the order of their numbers.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32, f64)> + '_ {
        (0..self.len() as u32).flat_map(move |b| {
            let row = self.neighbours(b).iter().zip(self.weights(b));
            row.take_while(move |&(&a, _)| a < b).map(move |(&a, &w)| (a, b, w))
        })
    }

    /// A graph on the same vertices with some of the edges, given by their ends.
    ///
    /// # Panics
    /// If a pair is not an edge of the graph.
    pub fn subgraph(&self, edges: &[(u32, u32)]) -> Graph {
        let weighted = |&(a, b): &(u32, u32)| {
            (a, b, self.weight(a, b).expect("the pair is an edge of the graph"))
        };
        let edges: Vec<(u32, u32, f64)> = edges.iter().map(weighted).collect();
        Graph::from_edges(self.len(), &edges).expect("part of a graph is a graph")
    }
}
