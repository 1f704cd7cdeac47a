//! Matrices of meshes in parts, their products with vectors, and programs made of these.
//!
//! Two ways to deal out a mesh:
//!
//! | | part has | product |
//! |---|---|---|
//! | by elements ([`World`]) | elements, and a copy of each of their nodes | compute, then add up copies |
//! | by nodes ([`RowWorld`]) | rows of its nodes, and ghosts of their neighbours | bring ghosts up to date, then compute |
//!
//! By elements, a matrix needs no communication when it is made and stays *partially
//! assembled*; so do products with it, until someone needs a [`Full`] vector. Sums of products
//! are assembled once. The types of [`Vector`]s keep track ([`vector`]).
//!
//! **Engines.** A world has the pieces of one process; threads share them, and inside large
//! pieces blocks of rows. Pieces in other processes are reached through a [`Transport`].
//! Programs ([`conjugate_gradients`], [`central_differences`]) do not see the difference.
//!
//! **Determinism.** Copies of a node are added in ascending order of parts, sums over parts
//! in the order of parts. The same bits on any number of threads and processes.
//!
//! **Reference.** The separator paper, section 4.

mod assembly;
mod blocks;
mod csr;
mod elementwise;
mod error;
mod links;
mod matrix;
mod order;
mod piece;
mod products;
mod rows;
mod solve;
mod springs;
mod sums;
mod traffic;
mod transport;
mod untyped;
pub mod vector;
mod world;

pub use csr::{Csr, MOST_ENTRIES};
pub use error::WorldError;
pub use matrix::Matrix;
pub use palmette_core::{CgError, CgParams};
pub use piece::{Neighbour, Piece, pieces};
pub use products::Product;
pub use rows::{RowPiece, RowWorld, row_pieces};
pub use solve::{
    CgResult, Load, Motion, Moved, WaveParams, central_differences, conjugate_gradients,
};
pub use springs::springs;
pub use sums::Left;
pub use traffic::Traffic;
pub use transport::{Alone, ChannelTransport, Transport, TransportError, channels, parts_of_rank};
pub use untyped::{Reducible, SumTerm};
pub use vector::{Full, Partial, State, Vector};
pub use world::World;
