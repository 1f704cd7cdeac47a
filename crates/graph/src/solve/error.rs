//! Errors of solves: bad currents or conductances, no convergence, not enough memory.

use crate::sparsify::SparsifyError;
use palmette_core::{CgError, GraphError, TreeError};
use thiserror::Error;

/// Errors of solves: bad currents or conductances, no convergence, not enough memory.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SolveError {
    /// A vector has not one entry per vertex.
    #[error("{actual} entries for {expected} vertices")]
    Length { expected: usize, actual: usize },
    /// An entry of the right-hand side is not a number.
    #[error("the current at vertex {vertex} is {value}")]
    Current { vertex: usize, value: f64 },
    /// A conductance to ground is not one.
    #[error(
        "vertex {vertex} has conductance {conductance} to ground; it must be 0 or positive, and \
        finite"
    )]
    Ground { vertex: usize, conductance: f64 },
    /// The conductances at a vertex have no finite sum.
    #[error("the conductances at vertex {vertex} add up to {sum}")]
    Diagonal { vertex: usize, sum: f64 },
    /// A pair names a vertex that is not there.
    #[error("a pair names vertex {vertex}, but there are only {vertices} vertices")]
    Vertex { vertex: u32, vertices: usize },
    /// Conjugate gradients found no solution.
    #[error(transparent)]
    Iteration(#[from] CgError),
    /// A potential is beyond all numbers.
    #[error("the potential of vertex {vertex} overflows")]
    Overflow { vertex: usize },
    /// A factor would take more memory than is allowed.
    #[error("{what} needs {needed} bytes, but only {limit} are allowed")]
    Memory { what: &'static str, needed: u64, limit: u64 },
    /// A factor would take more operations than are allowed.
    #[error("the factor needs {needed} operations, but only {limit} are allowed")]
    Work { needed: u64, limit: u64 },
    /// Rounding keeps the residual from getting as small as asked.
    #[error(
        "after {iterations} iterations the residual stays at {residual:.1e}, above {tolerance:e}: \
        rounding potentials to 64 bits alone leaves about {attainable:.1e}, because conductances differ \
        so much"
    )]
    Accuracy {
        iterations: usize,
        residual: f64,
        tolerance: f64,
        attainable: f64,
        history: Vec<f64>,
    },
    /// A factor would have more entries than indices can count.
    #[error("the factor would have {entries} entries; at most {most} are supported")]
    Entries { entries: u64, most: u64 },
    /// A factorization met a pivot that is not a positive number.
    #[error("the pivot of vertex {vertex} is not positive")]
    Pivot { vertex: usize },
    /// A skeleton does not span the graph.
    #[error("the skeleton has {skeleton} components, the graph {graph}; these must be equal")]
    Skeleton { skeleton: usize, graph: usize },
    /// The graph cannot be sparsified.
    #[error(transparent)]
    Sparsify(#[from] SparsifyError),
    /// Not a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Not a forest.
    #[error(transparent)]
    Tree(#[from] TreeError),
}
