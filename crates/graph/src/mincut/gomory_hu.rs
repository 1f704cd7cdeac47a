//! The least cuts between all pairs of vertices, as a tree.
//!
//! **Problem.** A tree with weights on the vertices of a graph: for any two of them, the least weight
//! of an edge between them in the tree is the least weight that separates them in the graph.
//!
//! **Method.** All vertices hang on vertex 0. Each in turn is separated from its parent by a flow;
//! later vertices with the same parent on its side hang on it from then on.
//!
//! **Cost.** n − 1 maximum flows, one after another: for graphs of some thousand vertices.
//!
//! **Determinism.** The tree depends on the graph only.
//!
//! **Reference.** Gusfield, *Very simple methods for all pairs network flow analysis*, 1990.

use super::flow::Network;
use super::{MinCutError, MinCutParams, edges_between, total};
use palmette_core::{Cancel, Graph, NONE};

/// Least cuts between all pairs.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GomoryHu {
    /// By vertex, its parent; [`NONE`] for vertex 0.
    pub parents: Vec<u32>,
    /// By vertex, the least weight that separates it from its parent; infinite for vertex 0.
    pub values: Vec<f64>,
}

/// The tree of least cuts between all pairs.
///
/// ```
/// use palmette_core::Graph;
/// use palmette_graph::mincut::gomory_hu;
/// let path = Graph::from_edges(3, &[(0, 1, 2.0), (1, 2, 5.0)])?;
/// let tree = gomory_hu(&path, &Default::default())?;
/// assert_eq!(tree.parents[1..], [0, 1]);
/// assert_eq!(tree.values[1..], [2.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No vertices; cancelled.
pub fn gomory_hu(graph: &Graph, params: &MinCutParams) -> Result<GomoryHu, MinCutError> {
    let n = graph.len();
    if n == 0 {
        return Err(MinCutError::TooFew { vertices: 0 });
    }
    let network = Network::of(graph);
    let mut flow = network.flow();
    let mut parents = vec![0u32; n];
    let mut values = vec![f64::INFINITY; n];
    for v in 1..n as u32 {
        if params.cancel.as_ref().is_some_and(Cancel::is_raised) {
            return Err(MinCutError::Cancelled);
        }
        let parent = parents[v as usize];
        flow.maximum(v, parent);
        let side = flow.side();
        values[v as usize] = total(edges_between(graph, |x| side[x as usize]));
        for later in v + 1..n as u32 {
            if side[later as usize] && parents[later as usize] == parent {
                parents[later as usize] = v;
            }
        }
    }
    parents[0] = NONE;
    Ok(GomoryHu { parents, values })
}
