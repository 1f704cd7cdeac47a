//! **Problem.** A submesh; out come, for every node, the nodes that share an element with it,
//! itself included: where matrices have entries.
//!
//! **Method.** Elements are listed by node; a row is the nodes of its elements, each once by a
//! mark, sorted.
//!
//! **Cost.** Linear in the sum of squared element sizes but for the sorting of rows; 4 bytes
//! for each pair of nodes and 8 per node, twice that of the submesh's corners on the way.

use super::Submesh;
use crate::spmv::Csr;
use palmette_core::Lists;

/// Rows of nodes in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    offsets: Vec<usize>,
    columns: Vec<u32>,
}

impl Pattern {
    pub(super) fn new(submesh: &Submesh<'_>) -> Pattern {
        let nodes = submesh.nodes().len();
        let places = 0..submesh.elements().len();
        let elements = Lists::inverse(nodes, places.map(|p| (p as u32, submesh.corners(p))));
        let mut offsets = Vec::with_capacity(nodes + 1);
        offsets.push(0);
        let mut columns = Vec::with_capacity(3 * elements.items().len());
        // By node: one more than the last row that has it.
        let mut seen = vec![0u32; nodes];
        for node in 0..nodes as u32 {
            let start = columns.len();
            columns.push(node);
            seen[node as usize] = node + 1;
            for &place in elements.of(node) {
                for &other in submesh.corners(place as usize) {
                    if seen[other as usize] != node + 1 {
                        seen[other as usize] = node + 1;
                        columns.push(other);
                    }
                }
            }
            columns[start..].sort_unstable();
            offsets.push(columns.len());
        }
        columns.shrink_to_fit();
        Pattern { offsets, columns }
    }

    /// Where the row of a node begins, and its columns.
    #[inline]
    pub(super) fn row(&self, node: u32) -> (usize, &[u32]) {
        let (start, end) = (self.offsets[node as usize], self.offsets[node as usize + 1]);
        (start, &self.columns[start..end])
    }

    /// The number of pairs of nodes.
    pub(super) fn pairs(&self) -> usize {
        self.columns.len()
    }

    /// A matrix with so many components per node: every entry of the pattern is a full block.
    pub(super) fn matrix(&self, components: usize, values: Vec<f64>) -> Csr {
        let d = components;
        if d == 1 {
            return Csr::new(self.offsets.clone(), self.columns.clone(), values);
        }
        let mut offsets = Vec::with_capacity((self.offsets.len() - 1) * d + 1);
        let mut columns = Vec::with_capacity(self.columns.len() * d * d);
        offsets.push(0);
        for node in 0..self.offsets.len() as u32 - 1 {
            let (_, row) = self.row(node);
            for _ in 0..d {
                columns.extend(row.iter().flat_map(|&other| {
                    let first = other * d as u32;
                    first..first + d as u32
                }));
                offsets.push(columns.len());
            }
        }
        Csr::new(offsets, columns, values)
    }
}

/// The place of a node in its row. Rows are short: counting needs no branches.
#[inline]
pub(super) fn place(row: &[u32], node: u32) -> usize {
    row.iter().map(|&other| u32::from(other < node)).sum::<u32>() as usize
}
