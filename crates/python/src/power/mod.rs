//! Power networks.

mod feeder;
mod grid;

pub(crate) use feeder::Feeder;
pub(crate) use grid::Grid;
