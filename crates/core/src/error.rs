//! Errors of parent arrays: cycles, several roots, parents out of range, too many vertices.

use crate::memory::NoRoom;
use thiserror::Error;

/// Why an array of parents is not a tree. Vertices are named by their index in
/// the input; readers translate it to a label and a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Following parents from a vertex comes back to it.
    #[error("the parents form a cycle of {length} vertices: {}", cycle_text(.vertices))]
    Cycle {
        /// The vertices of the cycle in the order of walking up, at most eight.
        vertices: Vec<u32>,
        /// How many vertices the cycle has.
        length: usize,
    },
    /// More than one vertex has no parent.
    #[error("expected one root, found {count}: vertices {first} and {second} have no parent")]
    ManyRoots {
        /// The first root in the input.
        first: u32,
        /// The second root in the input.
        second: u32,
        /// How many there are.
        count: usize,
    },
    /// A parent is not a vertex.
    #[error("vertex {vertex} has parent {parent}, but there are only {vertices} vertices")]
    ParentOutOfRange {
        /// The child.
        vertex: u32,
        /// What it names as its parent.
        parent: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// More vertices than `u32` indices.
    #[error("{vertices} vertices; at most {} are supported", crate::MAX_VERTICES)]
    TooMany {
        /// The requested number.
        vertices: u64,
    },
    /// The tree does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
    /// An array that should have one entry per vertex has another length.
    #[error("{what}: {actual} entries for {expected} vertices")]
    Length {
        /// What the array holds.
        what: &'static str,
        /// The number of vertices.
        expected: usize,
        /// The number of entries.
        actual: usize,
    },
}

fn cycle_text(vertices: &[u32]) -> String {
    let mut text: Vec<String> = vertices.iter().map(u32::to_string).collect();
    match vertices.first() {
        Some(first) if vertices.len() < 8 => text.push(first.to_string()),
        _ => text.push("…".to_string()),
    }
    text.join(" → ")
}
