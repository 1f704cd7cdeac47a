//! Approximate Cholesky factors of Laplacians by random elimination.
//!
//! **Problem.** A [`Laplacian`], with or without conductances to ground; out comes an
//! operator `M⁻¹` close to its inverse, symmetric, positive definite on balanced vectors,
//! and cheap to make and to apply: a preconditioner for conjugate gradients.
//!
//! **Method.** Gaussian elimination, but the clique that a vertex leaves among its
//! neighbours is replaced by a random tree of edges whose expectation it is (`sample.rs`):
//! vertices of low degree first (`queue.rs`), on rows that hold what is left of the graph
//! (`rows.rs`). With `split` copies of each edge, of which `merge` are told apart, more
//! edges are drawn, each with less weight: a better factor that takes longer to make.
//! The graph is cut into parts that share no edge (`parts.rs`); parts are eliminated on
//! their own, then the vertices between them. Ground is one more vertex, never
//! eliminated, of potential 0; a vertex without neighbours ends its component and gets
//! potential 0 before means are taken out.
//!
//! **Cost.** A vertex that goes with `d` neighbours takes `O(d log d)` and leaves at most
//! `d − 1` edges, so there are never more edges than at the start. How many entries that
//! makes depends on the graph: the tests hold two to three per edge on grids and roads.
//! An entry takes 8 bytes; while factoring, an end of an edge takes 8 more at least. A
//! product runs through all entries twice. Parts run in parallel; the cut and the
//! separator are one thread's work.
//!
//! **Determinism.** The seed and the number of parts fix the factor to the last bit,
//! whatever the number of threads: each part has a random stream of its own.
//!
//! **Reference.** Kyng and Sachdeva, *Approximate Gaussian elimination for Laplacians:
//! fast, sparse, and simple*, 2016; Gao, Kyng and Spielman, *Robust and practical
//! solution of Laplacian equations by approximate elimination*, 2023.
//!
//! **When not to use.** On random graphs (expanders) no small set of vertices separates
//! anything: there is one part, and what is left of the graph grows dense as vertices go.
//! The diagonal alone needs more iterations there, but less time in all
//! (docs/benchmarks.md, "Solving").

mod columns;
mod eliminate;
mod parts;
mod queue;
mod rows;
mod sample;
mod solve;
mod source;
#[cfg(test)]
mod tests;

use super::scratch::Scratch;
use crate::Laplacian;
use columns::Columns;
use eliminate::Edge;
use palmette_core::{Cancel, DEFAULT_SEED};
use parts::SEPARATOR;
use rayon::prelude::*;
use solve::Balance;
use source::Source;

/// Options of [`ApproximateCholesky`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApproximateCholeskyParams {
    /// Fixes all random choices.
    pub seed: u64,
    /// Into how many copies each edge is split at the start: 1 to 64.
    pub split: u32,
    /// How many copies of an edge are told apart at most: 1 or more.
    pub merge: u32,
    /// Into how many parts a large graph is cut, if it can be cut well; a part is
    /// eliminated and solved by one thread. Part of the answer, as the seed is.
    pub parts: usize,
}

impl Default for ApproximateCholeskyParams {
    fn default() -> Self {
        ApproximateCholeskyParams { seed: DEFAULT_SEED, split: 1, merge: 1, parts: 8 }
    }
}

/// An approximate inverse of a Laplacian.
#[derive(Debug)]
pub struct ApproximateCholesky {
    /// Parts that share no edge; the last is the separator.
    parts: Vec<Part>,
    /// By vertex, its place in the work vector.
    places: Vec<u32>,
    balance: Balance,
    /// Work vectors of finished solves.
    scratch: Scratch,
}

/// The factor of a part. Its work vector has its vertices in the order of elimination,
/// then its neighbours in the separator.
#[derive(Debug)]
struct Part {
    /// Its vertices in the order of elimination.
    vertices: Vec<u32>,
    columns: Columns,
    /// Its neighbours in the separator: positions in the order of that.
    border: Vec<u32>,
}

impl Part {
    /// The length of its work vector.
    fn places(&self) -> usize {
        self.vertices.len() + self.border.len()
    }
}

impl ApproximateCholesky {
    /// Factors a Laplacian, parts on the threads of the current pool.
    ///
    /// ```
    /// use palmette_core::{Graph, LinOp};
    /// use palmette_graph::{Laplacian, solve::ApproximateCholesky};
    /// let path = Graph::from_edges(3, &[(0, 1, 2.0), (1, 2, 0.5)])?;
    /// let factor = ApproximateCholesky::new(&Laplacian::new(&path, None), &Default::default());
    /// let mut potentials = [0.0; 3];
    /// factor.apply(&[1.0, 0.0, -1.0], &mut potentials);
    /// assert!((potentials[0] - potentials[2] - 2.5).abs() < 1e-6);
    /// # Ok::<(), palmette_core::GraphError>(())
    /// ```
    pub fn new(laplacian: &Laplacian<'_>, params: &ApproximateCholeskyParams) -> Self {
        Self::until(None, laplacian, params)
    }

    /// The same, which ends soon after `cancel` is raised, and then is of no use.
    pub(super) fn until(
        cancel: Option<&Cancel>,
        laplacian: &Laplacian<'_>,
        params: &ApproximateCholeskyParams,
    ) -> Self {
        let graph = laplacian.graph();
        let n = graph.len();
        let (part_of, count) = parts::split(graph, params.parts);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut separator = Vec::new();
        let mut local = vec![0; n];
        for (v, &part) in part_of.iter().enumerate() {
            let list = if part == SEPARATOR { &mut separator } else { &mut members[part as usize] };
            local[v] = list.len() as u32;
            list.push(v as u32);
        }
        let source = Source::new(laplacian, params, &part_of, &local, separator.len(), cancel);
        let mut done: Vec<(Part, Vec<Edge>)> = members
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(part, vertices)| source.eliminate_part(part as u32, vertices))
            .collect();
        let left: Vec<&[Edge]> = done.iter().map(|d| &d.1[..]).collect();
        let last = source.eliminate_separator(separator, &left);
        let mut position = vec![0; last.vertices.len()];
        for (p, &v) in last.vertices.iter().enumerate() {
            position[local[v as usize] as usize] = p as u32;
        }
        for (part, _) in &mut done {
            part.border.iter_mut().for_each(|b| *b = position[*b as usize]);
        }
        let parts: Vec<Part> = done.into_iter().map(|d| d.0).chain([last]).collect();
        let mut places = vec![0; n];
        let mut first = 0;
        for part in &parts {
            for (place, &v) in (first..).zip(&part.vertices) {
                places[v as usize] = place as u32;
            }
            first += part.places();
        }
        let balance = Balance::new(laplacian);
        ApproximateCholesky { parts, places, balance, scratch: Scratch::new(first) }
    }

    /// The number of entries of the factor below the diagonal.
    pub fn entries(&self) -> usize {
        self.parts.iter().map(|part| part.columns.entries()).sum()
    }

    /// The memory that it takes, work vector included.
    pub fn bytes(&self) -> usize {
        let part =
            |p: &Part| p.columns.bytes() + 4 * (p.vertices.len() + p.border.len()) + 8 * p.places();
        self.parts.iter().map(part).sum::<usize>() + 4 * self.places.len() + self.balance.bytes()
    }
}
