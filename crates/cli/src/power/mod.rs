//! `palmette power`: one file per verb.

mod convert;
mod drop;
mod feeder;
mod flow;
mod generate;
mod info;
mod netlist;
mod transient;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show what a network's file holds.
    Info(info::Arguments) => info::run, POWER_INFO;
    /// Power flow of a feeder: voltages, currents, loadings, losses.
    Flow(flow::Arguments) => flow::run, POWER_FLOW;
    /// Convert a feeder to tables or to power-grid-model's JSON.
    Convert(convert::Arguments) => convert::run, POWER_CONVERT;
    /// Find the voltages, drops and currents of a chip's grid.
    Drop(drop::Arguments) => drop::run, POWER_DROP;
    /// Follow a chip's grid in time.
    Transient(transient::Arguments) => transient::run, POWER_TRANSIENT;
    /// Generate a network.
    Generate(generate::Arguments) => generate::run, POWER_GENERATE;
}
