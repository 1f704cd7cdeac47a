//! Meshes in parts; every rank makes the same.

use palmette_core::Mesh;
use palmette_mesh::PartitionParams;
use palmette_mesh::partition::element_partition;
use palmette_mesh::shapes::generate;
use palmette_mesh::spmv::{Matrix, Piece, Transport, World, WorldError, pieces, springs};
use std::error::Error;

/// How strongly nodes are tied to the ground, in stiffnesses of their elements.
const GROUND: f64 = 0.125;

/// A generated mesh and its pieces.
pub(crate) fn mesh_in_parts(shape: &str, parts: u32) -> Result<(Mesh, Vec<Piece>), Box<dyn Error>> {
    let mesh = generate(shape.parse()?, 1)?;
    let params = PartitionParams { parts, imbalance: 0.002, ..Default::default() };
    let part = element_partition(&mesh, None, &params)?.part;
    let pieces = pieces(&mesh, &part, parts as usize)?;
    Ok((mesh, pieces))
}

/// Some number for each node and component.
pub(crate) fn value(node: u32, component: usize) -> f64 {
    f64::from(node % 1009 * 7919 % 1009 + component as u32 * 31) / 503.0 - 1.0
}

/// Springs on the pieces of a world.
pub(crate) fn matrix<T: Transport>(
    world: &World<T>,
    mesh: &Mesh,
    stiffness: impl Fn(u32) -> f64 + Copy,
) -> Result<Matrix, WorldError> {
    let d = world.components();
    let one = |p: &Piece| springs(mesh, &p.nodes, &p.elements, d, stiffness, GROUND);
    world.matrix(world.pieces().iter().map(one).collect())
}
