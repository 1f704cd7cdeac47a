//! Errors of parent arrays: cycles, several roots, parents out of range, too many vertices.

use crate::memory::NoRoom;
use thiserror::Error;

/// Why an array of parents is not a tree. Vertices are named by their index in
/// the input; readers translate it to a label and a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TreeError {
    /// Following parents from a vertex comes back to it. Has at most eight vertices of the cycle,
    /// in the order of walking up.
    #[error("the parents form a cycle of {length} vertices: {}", cycle_text(.vertices))]
    Cycle { vertices: Vec<u32>, length: usize },
    /// More than one vertex has no parent.
    #[error("expected one root, found {count}: vertices {first} and {second} have no parent")]
    ManyRoots { first: u32, second: u32, count: usize },
    /// A parent is not a vertex.
    #[error("vertex {vertex} has parent {parent}, but there are only {vertices} vertices")]
    ParentOutOfRange { vertex: u32, parent: u32, vertices: usize },
    /// More vertices than `u32` indices.
    #[error("{vertices} vertices; at most {} are supported", crate::MAX_VERTICES)]
    TooMany { vertices: u64 },
    /// The tree does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
    /// An array that should have one entry per vertex has another length.
    #[error("{what}: {actual} entries for {expected} vertices")]
    Length { what: &'static str, expected: usize, actual: usize },
}

fn cycle_text(vertices: &[u32]) -> String {
    let mut text: Vec<String> = vertices.iter().map(u32::to_string).collect();
    match vertices.first() {
        Some(first) if vertices.len() < 8 => text.push(first.to_string()),
        _ => text.push("…".to_string()),
    }
    text.join(" → ")
}
