//! `palmette graph`: one verb a file.

mod compare;
pub(crate) mod files;
mod generate;
mod info;
pub(crate) mod options;
mod resistance;
mod solve;
mod sparsify;

use crate::arguments::RunOptions;
use crate::examples;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Size and shape of a graph, and what its file holds.
    #[command(after_help = examples::GRAPH_INFO)]
    Info(info::Arguments),
    /// Make a graph of a given shape.
    #[command(after_help = examples::GRAPH_GENERATE)]
    Generate(generate::Arguments),
    /// Keep a spanning forest and the few other edges that matter.
    #[command(after_help = examples::GRAPH_SPARSIFY)]
    Sparsify(sparsify::Arguments),
    /// Potentials for given currents; the voltages of a netlist.
    #[command(after_help = examples::GRAPH_SOLVE)]
    Solve(solve::Arguments),
    /// Effective resistances between pairs of vertices.
    #[command(after_help = examples::GRAPH_RESISTANCE)]
    Resistance(resistance::Arguments),
}

pub(crate) fn run(verb: &Verb, run: &RunOptions) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments, run),
        Verb::Generate(arguments) => generate::run(arguments, run),
        Verb::Sparsify(arguments) => sparsify::run(arguments, run),
        Verb::Solve(arguments) => solve::run(arguments, run),
        Verb::Resistance(arguments) => resistance::run(arguments, run),
    }
}
