//! `palmette graph`: one verb a file.

mod compare;
pub(crate) mod files;
mod generate;
mod info;
pub(crate) mod options;
mod picture;
mod resistance;
mod solve;
mod sparsify;

use crate::arguments::RunOptions;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Size and shape of a graph, and what its file holds.
    Info(info::Arguments),
    /// Make a graph of a given shape.
    Generate(generate::Arguments),
    /// Keep a spanning forest and the few other edges that matter.
    Sparsify(sparsify::Arguments),
    /// Potentials for given currents; the voltages of a netlist.
    Solve(solve::Arguments),
    /// Effective resistances between pairs of vertices.
    Resistance(resistance::Arguments),
}

impl Verb {
    pub(crate) fn run_options(&self) -> &RunOptions {
        match self {
            Verb::Info(a) => &a.run,
            Verb::Generate(a) => &a.run,
            Verb::Sparsify(a) => &a.run,
            Verb::Solve(a) => &a.run,
            Verb::Resistance(a) => &a.run,
        }
    }
}

pub(crate) fn run(verb: &Verb) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments),
        Verb::Generate(arguments) => generate::run(arguments),
        Verb::Sparsify(arguments) => sparsify::run(arguments),
        Verb::Solve(arguments) => solve::run(arguments),
        Verb::Resistance(arguments) => resistance::run(arguments),
    }
}
