//! Meshes made from a shape and a seed.
//!
//! | shape | elements |
//! |---|---|
//! | `grid:ROWSxCOLUMNS`, `triangles:ROWSxCOLUMNS` | unit squares, or each cut into two triangles |
//! | `box:XxYxZ`, `tetrahedra:XxYxZ` | unit cubes, or each cut into six tetrahedra |
//! | `delaunay:N` | triangles between random points of the unit square |
//! | `crack-plate[:N[:doubled]]` | triangles, finer and finer towards the tip of a crack |
//! | `penny-crack[:N]` | tetrahedra, finer and finer towards the front of a round crack |
//!
//! **Determinism.** The seed fixes `delaunay`; the others use no chance. The cracked meshes
//! take their spacing from the platform's `sinh` and `asinh`.

mod crack_plate;
mod delaunay;
mod octree;
mod penny_crack;
mod plain;
mod shape;
mod sides;
#[cfg(test)]
mod tests;
mod triangulate;

pub use crack_plate::{CrackPlateParams, crack_plate};
pub use delaunay::delaunay;
pub use penny_crack::{PennyCrackParams, penny_crack};
pub use plain::{cubes, squares};
pub use shape::{MeshShape, MeshShapeError};

use palmette_core::memory::check_room;
use palmette_core::{MAX_VERTICES, Mesh, MeshError};

/// Bytes per node that the points and elements of the leanest mesh take while it is made.
const BYTES_PER_NODE: u64 = 64;

/// Makes a mesh.
///
/// ```
/// use palmette_mesh::shapes::generate;
/// let cubes = generate("tetrahedra:2x2x2".parse()?, 1)?;
/// assert_eq!((cubes.points().len(), cubes.elements().len()), (27, 48));
/// # Ok::<(), palmette_mesh::shapes::MeshShapeError>(())
/// ```
///
/// # Errors
/// Too few nodes for the shape, or more than indices or memory allow.
pub fn generate(shape: MeshShape, seed: u64) -> Result<Mesh, MeshShapeError> {
    let (least, nodes) = (shape.least_nodes(), shape.nodes());
    if nodes > MAX_VERTICES as u128 {
        let count = usize::try_from(nodes).unwrap_or(usize::MAX);
        return Err(MeshError::TooMany { what: "nodes", count }.into());
    }
    if nodes < least as u128 || shape.has_no_cells() {
        return Err(MeshShapeError::Few { shape, least });
    }
    check_room(nodes as u64 * BYTES_PER_NODE).map_err(MeshShapeError::NoRoom)?;
    match shape {
        MeshShape::Grid { rows, columns } => Ok(squares(rows, columns, false)?),
        MeshShape::Triangles { rows, columns } => Ok(squares(rows, columns, true)?),
        MeshShape::Box { sides } => Ok(cubes(sides, false)?),
        MeshShape::Tetrahedra { sides } => Ok(cubes(sides, true)?),
        MeshShape::Delaunay { n } => Ok(delaunay(n, seed)?),
        MeshShape::CrackPlate { nodes, doubled } => {
            crack_plate(&CrackPlateParams { nodes, doubled })
        }
        MeshShape::PennyCrack { nodes } => penny_crack(&PennyCrackParams { nodes }),
    }
}
