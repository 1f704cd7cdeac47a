//! Matrices of meshes, and their products with vectors.

mod csr;

pub use csr::Csr;
