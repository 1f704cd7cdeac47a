//! Meshes from files: points, elements, physical groups.
//!
//! Elements of the highest dimension are the mesh's; those of lower dimension are kept as its
//! boundary. Nodes that no element uses are kept too. Nodes have the file's order; where the
//! file numbers them otherwise than 1, 2, 3, …, [`MeshFile::tags`] has its numbers.

mod assemble;
mod coincident;
mod format;
mod gmsh;
mod lines;
mod medit;
mod merge;
pub(crate) mod metis;
mod number_reader;
mod origin;
mod su2;
mod tags;
#[cfg(test)]
mod tests;
mod write;

pub use coincident::coincident_nodes;
pub use format::{MeshFileFormat, MeshFormat};
pub use write::{
    Field, FieldValues, Fields, VtkForm, write_gmsh, write_metis_mesh, write_pvd, write_vtk,
    write_vtu,
};

use crate::IoError;
use crate::source::{name_of, plain, read_bytes};
use palmette_core::Mesh;
use palmette_core::mesh::Point;
use std::path::Path;

/// What to read from a file of a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeshReadParams {
    /// The format; by default it is found from the file's content.
    pub format: Option<MeshFormat>,
    /// Whether nodes at exactly the same place are joined into the first of them. Otherwise
    /// they stay apart, as the two faces of a crack must.
    pub merge: bool,
    /// The points of a METIS mesh, which has none of its own: see [`crate::read_all_points_bytes`].
    pub points: Option<Vec<Point>>,
}

/// What was in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MeshCounts {
    /// Elements of the highest dimension.
    pub elements: usize,
    /// Elements of lower dimension.
    pub boundary: usize,
    /// Nodes that no element of the highest dimension uses.
    pub isolated: usize,
    /// Nodes of the mesh at the place of an earlier one: none where nodes were merged.
    pub coincident: usize,
    /// Nodes of the file that were merged into an earlier one at their place.
    pub merged: usize,
    /// Sections that hold nothing a mesh needs.
    pub skipped: usize,
    /// Weights of each element in a METIS file; none is kept.
    pub weights: usize,
}

/// A mesh as a file states it.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFile {
    /// The file's name, for messages.
    pub name: String,
    /// Its format.
    pub format: MeshFormat,
    /// The mesh; nodes are in the file's order.
    pub mesh: Mesh,
    /// By node, its number in the file (of merged nodes that of the first); `None` where these
    /// are 1, 2, 3, ….
    pub tags: Option<Vec<u64>>,
    /// What was in the file.
    pub found: MeshCounts,
}

/// Reads a mesh. `-` is stdin; gzip and zstd are decompressed.
///
/// # Errors
/// When the file cannot be read or is not what its format demands, when elements are flat,
/// name absent nodes or are of a kind that is not supported, when coordinates are not
/// finite, or when merging would make one node of two of an element; the message names the
/// line (in binary files the byte) and what was expected.
pub fn read_mesh(path: impl AsRef<Path>, params: &MeshReadParams) -> Result<MeshFile, IoError> {
    let path = path.as_ref();
    read_mesh_bytes(&name_of(path), &read_bytes(path)?, params)
}

/// As [`read_mesh`], from bytes that are already here; `name` is for messages and for
/// finding the format.
///
/// ```
/// use palmette_io::{MeshReadParams, read_mesh_bytes};
/// let text = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n\
///     $Nodes\n3\n1 0 0 0\n2 1 0 0\n7 0 1 0\n$EndNodes\n\
///     $Elements\n1\n1 2 0 1 2 7\n$EndElements\n";
/// let file = read_mesh_bytes("one.msh", text, &MeshReadParams::default())?;
/// assert_eq!(file.mesh.elements().nodes(0), [0, 1, 2]);
/// assert_eq!(file.tags, Some(vec![1, 2, 7]));
/// # Ok::<(), palmette_io::IoError>(())
/// ```
///
/// # Errors
/// As [`read_mesh`].
pub fn read_mesh_bytes(
    name: &str,
    bytes: &[u8],
    params: &MeshReadParams,
) -> Result<MeshFile, IoError> {
    let data = plain(name, bytes)?;
    let format = params.format.map_or_else(|| MeshFormat::from_content(name, &data), Ok)?;
    if params.points.is_some() && format != MeshFormat::Metis {
        return Err(IoError::OwnCoordinates { file: name.to_string() });
    }
    match format {
        MeshFormat::Gmsh => gmsh::read(name, &data, params),
        MeshFormat::Metis => metis::read(name, &data, params),
        MeshFormat::Medit => medit::read(name, &data, params),
        MeshFormat::Su2 => su2::read(name, &data, params),
    }
}
