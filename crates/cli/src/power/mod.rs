//! `palmette power`: one file per verb.

mod drop;
mod generate;
mod info;
mod netlist;
mod transient;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show what a network's file holds.
    Info(info::Arguments) => info::run, POWER_INFO;
    /// Find the voltages, drops and currents of a chip's grid.
    Drop(drop::Arguments) => drop::run, POWER_DROP;
    /// Follow a chip's grid in time.
    Transient(transient::Arguments) => transient::run, POWER_TRANSIENT;
    /// Generate a network.
    Generate(generate::Arguments) => generate::run, POWER_GENERATE;
}
