//! What `auto` means.

use super::Preconditioner;
use crate::Laplacian;

/// Below this many vertices a factor is quick whatever the graph.
const SMALL: usize = 2_000;

/// Edges beyond a forest, as a part of the vertices, up to which a factor hardly fills in.
const NEARLY_FOREST: f64 = 0.5;

/// The preconditioner for a Laplacian when none is named.
///
/// Ground counts as a vertex, and a conductance to it as an edge.
///
/// | graph | preconditioner | why |
/// |---|---|---|
/// | no cycles | [`Preconditioner::Tree`] | exact in linear time |
/// | fewer than 2,000 vertices | [`Preconditioner::Direct`] | one factor, one step |
/// | at most half as many edges beyond a forest as vertices (roads, rivers) | [`Preconditioner::Direct`] | chains and leaves go without fill |
/// | any other | [`Preconditioner::ApproximateCholesky`] | nearly linear on every kind of graph |
pub fn choose(laplacian: &Laplacian<'_>) -> Preconditioner {
    let graph = laplacian.graph();
    let n = graph.len();
    let grounds = laplacian
        .ground()
        .map_or(0, |ground| ground.iter().filter(|conductance| **conductance > 0.0).count());
    // Edges of a spanning forest, in which ground joins all components that have any.
    let floating = laplacian.floating().iter().filter(|floating| **floating).count();
    let extra = graph.edge_count() + grounds + floating - n;
    if extra == 0 {
        Preconditioner::Tree
    } else if n < SMALL || extra as f64 <= NEARLY_FOREST * n as f64 {
        Preconditioner::Direct
    } else {
        Preconditioner::ApproximateCholesky
    }
}
