//! The types that all palmette crates share: trees in preorder, weighted graphs, meshes,
//! permutations, operators, linear operators and the run record.
//!
//! A [`Tree`] is validated once, when it is made from parents; after that its
//! arrays are trusted. Two numberings of the vertices appear everywhere and must
//! not be mixed up: a **vertex** is a number of the user's (its row in the input),
//! a **position** is its place in the tree's preorder. Arrays that engines work on
//! are indexed by position; [`Tree::to_positions`] and [`Tree::to_vertices`]
//! move values between the two.
#![deny(missing_docs)]

mod cancel;
pub mod circuit;
pub mod conjugate_gradients;
mod error;
pub mod feeder;
pub mod generate;
pub mod graph;
pub mod host_list;
pub mod linop;
pub mod lists;
pub mod memory;
pub mod mesh;
pub mod monoid;
pub mod named;
pub mod operator;
pub mod parallel;
pub mod peel;
pub mod random;
pub mod ranks;
pub mod record;
pub mod sites;
pub mod texts;
pub mod tree;
pub mod vector;

pub use cancel::Cancel;
pub use circuit::Circuit;
pub use conjugate_gradients::{CgError, CgParams};
pub use error::TreeError;
pub use feeder::{Complex, Feeder, FeederError};
pub use graph::{Graph, GraphError};
pub use linop::LinOp;
pub use lists::Lists;
pub use mesh::{Mesh, MeshError};
pub use monoid::{Commutative, Group, Monoid};
pub use named::{Named, UnknownName};
pub use random::DEFAULT_SEED;
pub use record::{Picture, Record};
pub use texts::Texts;
pub use tree::{Tree, TreeParams};

/// The index that means "no vertex": the parent of a root.
pub const NONE: u32 = u32::MAX;

/// The largest number of vertices in a tree: indices are `u32` and
/// [`NONE`] is taken.
pub const MAX_VERTICES: usize = (u32::MAX - 1) as usize;
