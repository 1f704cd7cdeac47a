//! Products on meshes in parts, with scipy and PETSc beside us.

pub mod input;
pub mod ours;
pub mod peers;
pub mod product;
pub mod traffic;

/// Products between two looks at the clock, here and in all peers.
pub const PRODUCTS: usize = 10;
