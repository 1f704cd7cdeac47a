//! **Problem.** The cube [-1, 1]³ in tetrahedra that get finer and finer towards the front of
//! a penny-shaped crack: the circle of radius 0.4 around the centre at z = 0. The disc
//! itself is not cut.
//!
//! **Method.** An octree (`octree.rs`) whose cells at distance d from the front are at most
//! `s √(front² + d²)` wide; `s` is found such that the number of nodes comes near what was
//! asked for.
//!
//! **Cost.** About ten octrees: `n log n`.
//!
//! **Determinism.** No chance.

use super::octree::Octree;
use super::sides::{BODY, with_sides};
use super::{MeshShape, MeshShapeError};
use palmette_core::Mesh;
use palmette_core::mesh::{Cells, ElementKind, Point};

/// What the cube with the penny-shaped crack is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PennyCrackParams {
    /// About how many nodes. Cells have sizes that are powers of two, so numbers differ by
    /// some percent.
    pub nodes: usize,
}

impl PennyCrackParams {
    /// With fewer nodes the front is not resolved.
    pub const LEAST_NODES: usize = 8000;
}

impl Default for PennyCrackParams {
    fn default() -> Self {
        PennyCrackParams { nodes: 20_000 }
    }
}

const RADIUS: f64 = 0.4;
/// The size at the front, in sizes at distance 1; far corners are 1.43 away.
const FRONT: f64 = 0.036;

/// The graded cube; see the file. All elements are in the group `body`; its sides are groups,
/// too.
///
/// # Errors
/// Too few nodes or too many.
pub fn penny_crack(params: &PennyCrackParams) -> Result<Mesh, MeshShapeError> {
    let nodes = params.nodes;
    if nodes < PennyCrackParams::LEAST_NODES {
        let least = PennyCrackParams::LEAST_NODES;
        return Err(MeshShapeError::Few { shape: MeshShape::PennyCrack { nodes }, least });
    }
    let (points, tetrahedra) = nearest(nodes).tetrahedra();
    let points = points.into_iter().map(|p| p.map(|x| 2.0 * x - 1.0)).collect();
    let elements = Cells::of_kind(ElementKind::Tetrahedron, tetrahedra, BODY);
    Ok(with_sides(Mesh::new(points, elements)?)?)
}

/// The octree with about so many nodes, by bisection of the scale's logarithm.
fn nearest(nodes: usize) -> Octree {
    let tree = |scale: f64| Octree::new(|p| scale * size(p));
    let (mut fine, mut coarse) = (1.0f64, 1.0f64);
    while tree(fine).nodes() < nodes {
        coarse = fine;
        fine /= 2.0;
    }
    let mut best = tree(fine);
    for _ in 0..8 {
        let middle = (fine * coarse).sqrt();
        let next = tree(middle);
        let count = next.nodes();
        if count < nodes {
            coarse = middle;
        } else {
            fine = middle;
        }
        if count.abs_diff(nodes) < best.nodes().abs_diff(nodes) {
            best = next;
        }
    }
    best
}

/// The wanted size at a point of the cube of side 1, up to the scale.
fn size(p: Point) -> f64 {
    let [x, y, z] = p.map(|x| 2.0 * x - 1.0);
    let away = (x.hypot(y) - RADIUS).hypot(z);
    FRONT.hypot(away)
}
