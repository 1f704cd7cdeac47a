//! What cannot be done to a forest.

use thiserror::Error;

/// Why a forest cannot be changed as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DynamicForestError {
    /// The edge would close a cycle.
    #[error("vertices {a} and {b} are in one tree already")]
    Cycle { a: u32, b: u32 },
    /// The edge to cut is not there.
    #[error("there is no edge between {a} and {b}")]
    Missing { a: u32, b: u32 },
    /// Not in one tree.
    #[error("vertices {a} and {b} are in different trees")]
    Apart { a: u32, b: u32 },
    /// Not a vertex.
    #[error("vertex {vertex} does not exist: there are {vertices}")]
    Vertex { vertex: u32, vertices: usize },
}
