//! Power networks.

mod feeder;

pub(crate) use feeder::Feeder;
