//! `palmette power`: one file per verb.

mod convert;
mod feeder;
mod flow;
mod generate;
mod info;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show what a network's file holds.
    Info(info::Arguments) => info::run, POWER_INFO;
    /// Power flow of a feeder: voltages, currents, loadings, losses.
    Flow(flow::Arguments) => flow::run, POWER_FLOW;
    /// Convert a feeder to tables or to power-grid-model's JSON.
    Convert(convert::Arguments) => convert::run, POWER_CONVERT;
    /// Generate a network.
    Generate(generate::Arguments) => generate::run, POWER_GENERATE;
}
