//! The studies of the spatial computer.

pub mod collectives;
pub mod compact;
pub mod curves;
pub mod layouts;
pub mod refined;
pub mod replay;
pub mod simulator;
