//! **Problem.** A mesh; out come the faces that only one element has: of a solid mesh its
//! surface, of a plane one its border.
//!
//! **Method.** Faces are sorted by their nodes; those without an equal are kept.
//!
//! **Cost.** `n log n`; 24 bytes per face.
//!
//! **Determinism.** The answer is in the order of elements, and of faces in each.

use palmette_core::{Mesh, NONE};
use rayon::prelude::*;

/// A face of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SurfaceFace {
    /// Its element.
    pub element: u32,
    /// Its nodes around, `NONE` after the last.
    pub nodes: [u32; 4],
}

/// The faces that only one element has; see the file.
///
/// ```
/// use palmette_mesh::element::surface;
/// use palmette_mesh::shapes::generate;
/// let cubes = generate("box:2x2x2".parse()?, 1)?;
/// assert_eq!(surface(&cubes).len(), 6 * 4);
/// # Ok::<(), palmette_mesh::shapes::MeshShapeError>(())
/// ```
pub fn surface(mesh: &Mesh) -> Vec<SurfaceFace> {
    let cells = mesh.elements();
    let face = |element: usize, face: usize| {
        let mut nodes = [NONE; 4];
        let corners = cells.kind(element).faces()[face];
        for (to, &corner) in nodes.iter_mut().zip(corners) {
            *to = cells.nodes(element)[corner as usize];
        }
        nodes
    };
    let mut all: Vec<([u32; 4], u32, u32)> = (0..cells.len())
        .flat_map(|e| (0..cells.kind(e).faces().len()).map(move |f| (e, f)))
        .map(|(e, f)| {
            let mut sorted = face(e, f);
            sorted.sort_unstable();
            (sorted, e as u32, f as u32)
        })
        .collect();
    all.par_sort_unstable();
    let alone = all.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1);
    let mut found: Vec<(u32, u32)> = alone.map(|same| (same[0].1, same[0].2)).collect();
    found.sort_unstable();
    let made = |(element, f): (u32, u32)| SurfaceFace {
        element,
        nodes: face(element as usize, f as usize),
    };
    found.into_iter().map(made).collect()
}
