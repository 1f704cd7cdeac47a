//! Parts of a Laplacian as rows to eliminate.
//!
//! A part's vertices can go; its neighbours in the separator are fixed, and ground comes
//! after these. Edges that a part leaves between fixed vertices are added to the
//! separator's own, where only ground is fixed.

use super::eliminate::{Edge, Eliminated, eliminate};
use super::parts::SEPARATOR;
use super::rows::Rows;
use super::{ApproximateCholeskyParams, Part};
use crate::Laplacian;
use palmette_core::random::{Purpose, Random};
use palmette_core::{Cancel, Graph, NONE};
use rayon::prelude::*;

/// Scaled weights beyond these are taken for these: only where weights differ by more
/// than a factor of 2^180. So sums of 2^32 weights are still finite.
const SMALLEST: f32 = 1.0 / LARGEST;
const LARGEST: f32 = (1u128 << 90) as f32;

/// What parts are made from.
pub(super) struct Source<'a> {
    graph: &'a Graph,
    ground: Option<&'a [f64]>,
    part_of: &'a [u32],
    /// By vertex, its number in its part or in the separator.
    local: &'a [u32],
    /// How many vertices the separator has.
    separator: usize,
    scale: f64,
    params: ApproximateCholeskyParams,
    cancel: Option<&'a Cancel>,
}

impl<'a> Source<'a> {
    pub(super) fn new(
        laplacian: &Laplacian<'a>,
        params: &ApproximateCholeskyParams,
        part_of: &'a [u32],
        local: &'a [u32],
        separator: usize,
        cancel: Option<&'a Cancel>,
    ) -> Self {
        let (graph, ground) = (laplacian.graph(), laplacian.ground());
        let scale = scale(graph, ground);
        Source { graph, ground, part_of, local, separator, scale, params: *params, cancel }
    }

    /// Eliminates a part; also returns the edges that it leaves in the separator, whose
    /// number of vertices stands for ground.
    pub(super) fn eliminate_part(&self, part: u32, vertices: Vec<u32>) -> (Part, Vec<Edge>) {
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
        let Eliminated { order, columns, left } =
            eliminate(rows, random, self.scale, ground, self.cancel);
        let vertices = order.iter().map(|&i| vertices[i as usize]).collect();
        // Fixed vertices by their numbers in the separator; the ground comes after these.
        let number =
            |id: u32| border.get(id as usize - n).copied().unwrap_or(self.separator as u32);
        let left = left.into_iter().map(|(a, b, w)| (number(a), number(b), w)).collect();
        (Part { vertices, columns, border }, left)
    }

    /// Eliminates the separator: its own edges and those that parts have left.
    pub(super) fn eliminate_separator(&self, vertices: Vec<u32>, left: &[&[Edge]]) -> Part {
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
        let Eliminated { order, columns, .. } =
            eliminate(rows, random, self.scale, n as usize, self.cancel);
        let vertices = order.iter().map(|&i| vertices[i as usize]).collect();
        Part { vertices, columns, border: Vec::new() }
    }

    fn copies(&self) -> u32 {
        self.params.split.clamp(1, 64)
    }

    /// Empty rows with room for the edges of some vertices and more edges between them.
    fn rows(&self, vertices: &[u32], fixed: usize, more: &[&[Edge]]) -> Rows {
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

/// The seed of a part: neighbouring parts get seeds far apart.
fn stream(seed: u64, part: u32) -> u64 {
    seed ^ u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
