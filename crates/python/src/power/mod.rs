//! Power networks.

mod grid;

pub(crate) use grid::Grid;
