//! From a list of edges to compressed rows.
//!
//! **Method.** Ends are counted, rows laid out and filled in the order of the list, then
//! each row is sorted by neighbour (stable, so that parallel edges are added in the order
//! of the list from both sides) and merged. Rows that come sorted are left alone.
//!
//! **Cost.** Linear but for the sorting of rows, which runs on all threads; 24 bytes per edge
//! beside the list, 48 while rows that had parallel edges close up.
//!
//! **Determinism.** The answer does not depend on the number of threads.

use super::{Graph, GraphError};
use crate::{MAX_VERTICES, lists};
use rayon::prelude::*;

/// What was left out or merged when a graph was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Simplified {
    /// Edges from a vertex to itself, left out.
    pub loops: usize,
    /// Edges whose weight was added to an earlier one between the same ends.
    pub parallel: usize,
}

impl Graph {
    /// As [`Graph::from_edges`], and says what was left out or merged.
    ///
    /// # Errors
    /// An end that is not a vertex, a weight that is not positive and finite or whose
    /// reciprocal is not finite, too many vertices or edges.
    pub fn simplify(
        vertices: usize,
        edges: &[(u32, u32, f64)],
    ) -> Result<(Graph, Simplified), GraphError> {
        check(vertices, edges)?;
        let simple = || edges.iter().filter(|e| e.0 != e.1);
        let mut offsets = lists::offsets(vertices, simple().flat_map(|e| [e.0, e.1]));
        let ends = offsets[vertices];
        let loops = edges.len() - ends / 2;
        let mut neighbours = vec![0u32; ends];
        let mut weights = vec![0f64; ends];
        let entries = simple().flat_map(|&(a, b, w)| [(a, (b, w)), (b, (a, w))]);
        lists::place(&mut offsets, entries, |at, entry| (neighbours[at], weights[at]) = entry);
        sort_rows(&offsets, &mut neighbours, &mut weights);
        let mut graph = Graph { offsets, neighbours, weights };
        let parallel = graph.merge()?;
        Ok((graph, Simplified { loops, parallel }))
    }

    /// A graph from compressed rows, all weights 1: the neighbours of vertex `v` are those
    /// from `offsets[v]` to `offsets[v + 1]`. Checked on all threads, nothing is copied.
    ///
    /// # Errors
    /// Neighbours that are not vertices, are not in ascending order, are the vertex itself, or do
    /// not list it back; too many vertices or edges.
    ///
    /// # Panics
    /// When the offsets do not ascend from 0 to the number of neighbours.
    pub fn from_rows(offsets: Vec<usize>, neighbours: Vec<u32>) -> Result<Graph, GraphError> {
        assert!(offsets.is_sorted() && offsets.first() == Some(&0), "offsets ascend from 0");
        assert_eq!(offsets.last(), Some(&neighbours.len()), "the last offset is the end");
        let n = offsets.len() - 1;
        check_counts(n, neighbours.len() / 2)?;
        let weights = vec![1.0; neighbours.len()];
        let graph = Graph { offsets, neighbours, weights };
        let wrong = |v: u32| {
            let row = graph.neighbours(v);
            let fits = |u: u32| (u as usize) < n && u != v;
            let listed = |u: u32| graph.neighbours(u).binary_search(&v).is_ok();
            let other = (0..row.len())
                .find(|&i| !fits(row[i]) || i > 0 && row[i - 1] >= row[i] || !listed(row[i]))?;
            Some(GraphError::Row { vertex: v, other: row[other] })
        };
        (0..n as u32).into_par_iter().find_map_first(wrong).map_or(Ok(()), Err)?;
        Ok(graph)
    }

    /// Adds up parallel edges; returns how many went.
    fn merge(&mut self) -> Result<usize, GraphError> {
        let Graph { offsets, neighbours, weights } = self;
        let repeats =
            |v: usize| neighbours[offsets[v]..offsets[v + 1]].windows(2).any(|w| w[0] == w[1]);
        if !(0..offsets.len() - 1).into_par_iter().any(repeats) {
            return Ok(0);
        }
        let before = neighbours.len();
        let mut kept = 0;
        for v in 0..offsets.len() - 1 {
            let (first, last) = (offsets[v], offsets[v + 1]);
            offsets[v] = kept;
            for i in first..last {
                if kept > offsets[v] && neighbours[kept - 1] == neighbours[i] {
                    weights[kept - 1] += weights[i];
                    if weights[kept - 1].is_infinite() {
                        return Err(GraphError::Sum { a: v as u32, b: neighbours[i] });
                    }
                } else {
                    (neighbours[kept], weights[kept]) = (neighbours[i], weights[i]);
                    kept += 1;
                }
            }
        }
        let rows = offsets.len() - 1;
        offsets[rows] = kept;
        neighbours.truncate(kept);
        weights.truncate(kept);
        neighbours.shrink_to_fit();
        weights.shrink_to_fit();
        Ok((before - kept) / 2)
    }
}

fn check_counts(vertices: usize, edges: usize) -> Result<(), GraphError> {
    let counts = [("vertices", vertices as u64), ("edges", edges as u64)];
    let too_many = counts.into_iter().find(|counted| counted.1 > MAX_VERTICES as u64);
    too_many.map_or(Ok(()), |(what, count)| Err(GraphError::TooMany { what, count }))
}

fn check(vertices: usize, edges: &[(u32, u32, f64)]) -> Result<(), GraphError> {
    check_counts(vertices, edges.len())?;
    let wrong = |(edge, &(a, b, weight)): (usize, &(u32, u32, f64))| {
        let end = a.max(b);
        if end as usize >= vertices {
            Some(GraphError::EndOutOfRange { edge, vertex: end, vertices })
        } else if weight.is_normal() && weight > 0.0 {
            None
        } else {
            Some(GraphError::Weight { edge, weight })
        }
    };
    edges.par_iter().enumerate().find_map_first(wrong).map_or(Ok(()), Err)
}

/// Rows are halved among threads; a piece of few entries is sorted row by row.
fn sort_rows(offsets: &[usize], neighbours: &mut [u32], weights: &mut [f64]) {
    const FEW: usize = 1 << 14;
    let rows = offsets.len() - 1;
    if rows > 1 && neighbours.len() > FEW {
        let half = rows / 2;
        let (left, right) = (&offsets[..=half], &offsets[half..]);
        let cut = right[0] - offsets[0];
        let (n0, n1) = neighbours.split_at_mut(cut);
        let (w0, w1) = weights.split_at_mut(cut);
        rayon::join(|| sort_rows(left, n0, w0), || sort_rows(right, n1, w1));
        return;
    }
    let mut row: Vec<(u32, f64)> = Vec::new();
    for range in offsets.windows(2) {
        let range = range[0] - offsets[0]..range[1] - offsets[0];
        let (neighbours, weights) = (&mut neighbours[range.clone()], &mut weights[range]);
        if neighbours.is_sorted() {
            continue;
        }
        row.clear();
        row.extend(neighbours.iter().copied().zip(weights.iter().copied()));
        row.sort_by_key(|entry| entry.0);
        for (i, &(neighbour, weight)) in row.iter().enumerate() {
            (neighbours[i], weights[i]) = (neighbour, weight);
        }
    }
}
