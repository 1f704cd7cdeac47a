//! The spatial computer: a grid of processors with a few words each, where the energy of a message
//! is the distance it travels.
//!
//! | to | use |
//! |---|---|
//! | number the cells of a grid so that near numbers lie near | [`curve`] |
//! | give every vertex of a tree a cell | [`layout`] |
//! | run a message program and count what it costs | [`machine`] |
//! | broadcast, reduce, scan, sort, permute, simulate a PRAM | [`collective`] |
//! | send between parents and children, however many | [`local`] |
//! | rank lists, create layouts, fold trees, find common ancestors | [`program`] |
//! | multiply by sparse matrices, solve with them | [`sparse`] |
//!
//! **Reference.** Baumann, Ben-Nun, Besta, Gianinazzi, Hoefler and Luczynski, *Low-Depth
//! Spatial Tree Algorithms*; Gianinazzi et al., *The Spatial Computer*.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod collective;
pub mod curve;
pub mod layout;
pub mod local;
pub mod machine;
pub mod program;
pub mod sparse;
#[doc(hidden)]
pub mod testing;

mod cell;
pub(crate) use cell::Window;
pub use cell::{Cell, Grid};
