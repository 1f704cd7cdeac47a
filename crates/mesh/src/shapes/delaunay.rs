//! **Problem.** `n` random points of the unit square and the Delaunay triangles between them.
//!
//! **Method.** Points are drawn on a lattice of 2^53 × 2^53, numbered by cells row by row,
//! and triangulated by `spade`.
//!
//! **Cost.** `n log n` on one thread but for the sort.
//!
//! **Determinism.** The seed fixes the mesh.

use super::triangulate::triangulate;
use palmette_core::mesh::{Cells, ElementKind, Point};
use palmette_core::random::{Purpose, Random};
use palmette_core::{Mesh, MeshError};
use rayon::prelude::*;

/// The Delaunay triangulation of random points; see the file.
///
/// # Errors
/// Too many nodes or elements.
pub fn delaunay(n: usize, seed: u64) -> Result<Mesh, MeshError> {
    let mut random = Random::new(seed, Purpose::Shape);
    let mut points: Vec<Point> = (0..n).map(|_| [random.unit(), random.unit(), 0.0]).collect();
    let side = 1.0 + (n / 2).isqrt() as f64;
    let cell = |p: &Point| ((p[1] * side) as u64, (p[0] * side) as u64, p[0].to_bits());
    points.par_sort_by_key(cell);
    points.dedup();
    let triangles = triangulate(&points, &[]);
    Mesh::new(points, Cells::of_kind(ElementKind::Triangle, triangles, 0))
}
