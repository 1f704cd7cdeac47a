//! **Problem.** A mesh; out comes the graph of nodes that share an element.
//!
//! **Method.** The elements of each node are listed by counting; a node's row is the nodes of
//! its elements, sorted, each once. Rows are made in parallel.
//!
//! **Cost.** Linear in the sum of squared element sizes but for the sorting of rows. Beside
//! the graph, 8 bytes per node of an element.
//!
//! **Determinism.** The answer does not depend on the number of threads.

use super::lists::{elements_of_nodes, graph_of};
use palmette_core::{Graph, Mesh};

/// The graph of nodes that share an element; see the file.
///
/// ```
/// use palmette_mesh::element::node_graph;
/// use palmette_mesh::shapes::generate;
/// let squares = generate("grid:2x3".parse()?, 1)?;
/// // Edges and both diagonals of six squares.
/// assert_eq!(node_graph(&squares).edge_count(), 17 + 12);
/// # Ok::<(), palmette_mesh::shapes::MeshShapeError>(())
/// ```
pub fn node_graph(mesh: &Mesh) -> Graph {
    let elements = elements_of_nodes(mesh);
    graph_of(mesh.points().len(), |node, row| {
        for &element in elements.of(node) {
            row.extend_from_slice(mesh.elements().nodes(element as usize));
        }
    })
}
