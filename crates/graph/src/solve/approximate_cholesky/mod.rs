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
//! makes depends on the graph: the tests hold two to three an edge on grids and roads.
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
//! anything: one part, and what is left grows dense, so that factoring costs more than
//! plain Jacobi iterations would. On trees any direct solver does as well.

mod columns;
mod eliminate;
mod parts;
mod queue;
mod rows;
mod sample;
mod solve;
#[cfg(test)]
mod tests;

use crate::Laplacian;
use columns::Columns;
use eliminate::{Eliminated, eliminate};
use palmette_core::NONE;
use palmette_core::graph::Graph;
use palmette_core::random::{Purpose, Random};
use parts::SEPARATOR;
use rayon::prelude::*;
use rows::Rows;
use solve::Balance;
use std::sync::Mutex;

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
        ApproximateCholeskyParams { seed: 1, split: 1, merge: 1, parts: 8 }
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
    spare: Mutex<Vec<Vec<f64>>>,
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
        let source = Source {
            graph,
            ground: laplacian.ground(),
            part_of: &part_of,
            local: &local,
            separator: separator.len(),
            scale: scale(graph, laplacian.ground()),
            params: *params,
        };
        let mut done: Vec<(Part, Vec<(u32, u32, f32)>)> = members
            .into_par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(part, vertices)| source.eliminate_part(part as u32, vertices))
            .collect();
        let left: Vec<&[(u32, u32, f32)]> = done.iter().map(|d| &d.1[..]).collect();
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
        ApproximateCholesky { parts, places, balance, spare: Mutex::new(Vec::new()) }
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

/// Weights are multiplied by this, so that `f32` holds them: the middle of their range
/// comes to 1.
fn scale(graph: &Graph, ground: Option<&[f64]>) -> f64 {
    let weights = graph.all_weights().par_iter().with_min_len(1 << 14);
    let ground = ground.unwrap_or(&[]).par_iter().with_min_len(1 << 14).filter(|g| **g > 0.0);
    let least_and_most = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.max(d));
    let (least, most) =
        weights.chain(ground).map(|&w| (w, w)).reduce(|| (f64::INFINITY, 0.0), least_and_most);
    if least > most { 1.0 } else { 1.0 / (least.sqrt() * most.sqrt()) }
}

/// What parts are made from.
struct Source<'a> {
    graph: &'a Graph,
    ground: Option<&'a [f64]>,
    part_of: &'a [u32],
    /// By vertex, its number in its part or in the separator.
    local: &'a [u32],
    separator: usize,
    scale: f64,
    params: ApproximateCholeskyParams,
}

impl Source<'_> {
    fn eliminate_part(&self, part: u32, vertices: Vec<u32>) -> (Part, Vec<(u32, u32, f32)>) {
        let n = vertices.len();
        let mut border = Vec::new();
        let mut border_of = vec![NONE; self.separator];
        for &v in &vertices {
            for &u in self.graph.neighbours(v) {
                let place = self.local[u as usize] as usize;
                if self.part_of[u as usize] == SEPARATOR && border_of[place] == NONE {
                    border_of[place] = border.len() as u32;
                    border.push(place as u32);
                }
            }
        }
        let ground = n + border.len();
        let mut rows = self.rows(&vertices, border.len() + 1, &[]);
        for (i, &v) in vertices.iter().enumerate() {
            for (&u, &w) in self.graph.neighbours(v).iter().zip(self.graph.weights(v)) {
                let place = self.local[u as usize];
                let id = if self.part_of[u as usize] == SEPARATOR {
                    n as u32 + border_of[place as usize]
                } else {
                    place
                };
                self.add(&mut rows, i as u32, id, w);
            }
            self.add_ground(&mut rows, i as u32, v, ground as u32);
        }
        let random = Random::new(stream(self.params.seed, part), Purpose::Elimination);
        let Eliminated { order, columns, left } = eliminate(rows, random, self.scale, ground);
        let vertices = order.iter().map(|&i| vertices[i as usize]).collect();
        // Fixed vertices by their numbers in the separator; the ground comes after these.
        let number =
            |id: u32| border.get(id as usize - n).copied().unwrap_or(self.separator as u32);
        let left = left.into_iter().map(|(a, b, w)| (number(a), number(b), w)).collect();
        (Part { vertices, columns, border }, left)
    }

    fn eliminate_separator(&self, vertices: Vec<u32>, left: &[&[(u32, u32, f32)]]) -> Part {
        let n = vertices.len() as u32;
        let mut rows = self.rows(&vertices, 1, left);
        for (i, &v) in vertices.iter().enumerate() {
            for (&u, &w) in self.graph.neighbours(v).iter().zip(self.graph.weights(v)) {
                if self.part_of[u as usize] == SEPARATOR {
                    self.add(&mut rows, i as u32, self.local[u as usize], w);
                }
            }
            self.add_ground(&mut rows, i as u32, v, n);
        }
        for &(a, b, w) in left.iter().copied().flatten() {
            for (from, to) in [(a, b), (b, a)] {
                if from < n {
                    rows.append(from, to, w);
                }
            }
        }
        let random = Random::new(stream(self.params.seed, SEPARATOR), Purpose::Elimination);
        let Eliminated { order, columns, .. } = eliminate(rows, random, self.scale, n as usize);
        let vertices = order.iter().map(|&i| vertices[i as usize]).collect();
        Part { vertices, columns, border: Vec::new() }
    }

    fn copies(&self) -> u32 {
        self.params.split.clamp(1, 64)
    }

    /// Empty rows with room for the edges of some vertices and more edges between them.
    fn rows(&self, vertices: &[u32], fixed: usize, more: &[&[(u32, u32, f32)]]) -> Rows {
        let mut degrees: Vec<usize> = Vec::new();
        if !more.is_empty() {
            degrees.resize(vertices.len() + fixed, 0);
            for &(a, b, _) in more.iter().copied().flatten() {
                degrees[a as usize] += 1;
                degrees[b as usize] += 1;
            }
        }
        let copies = self.copies() as usize;
        let room = |(i, &v): (usize, &u32)| {
            let grounded = self.ground.is_some_and(|ground| ground[v as usize] > 0.0);
            copies * (self.graph.degree(v) + usize::from(grounded))
                + degrees.get(i).copied().unwrap_or(0)
        };
        Rows::new(vertices.iter().enumerate().map(room), fixed, self.params.merge)
    }

    fn add(&self, rows: &mut Rows, from: u32, to: u32, weight: f64) {
        let copies = self.copies();
        let share = (weight * self.scale / f64::from(copies)) as f32;
        for _ in 0..copies {
            rows.append(from, to, share.clamp(SMALLEST, LARGEST));
        }
    }

    fn add_ground(&self, rows: &mut Rows, from: u32, vertex: u32, ground: u32) {
        match self.ground.map(|ground| ground[vertex as usize]) {
            Some(weight) if weight > 0.0 => self.add(rows, from, ground, weight),
            _ => {}
        }
    }
}

/// Scaled weights beyond these are taken for these: only where weights differ by more
/// than a factor of 2^180. So sums of 2^32 weights are still finite.
const SMALLEST: f32 = 1.0 / LARGEST;
const LARGEST: f32 = (1u128 << 90) as f32;

/// The seed of a part: neighbouring parts get seeds far apart.
fn stream(seed: u64, part: u32) -> u64 {
    seed ^ u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
