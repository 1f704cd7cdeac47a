//! `palmette power`: one file per verb.

mod generate;
mod info;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show what a network's file holds.
    Info(info::Arguments) => info::run, POWER_INFO;
    /// Generate a network.
    Generate(generate::Arguments) => generate::run, POWER_GENERATE;
}
