//! `palmette graph`: one file per verb.

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
    /// Show the size and shape of a graph, and what its file holds.
    #[command(after_help = examples::GRAPH_INFO)]
    Info(info::Arguments),
    /// Generate a graph.
    #[command(after_help = examples::GRAPH_GENERATE)]
    Generate(generate::Arguments),
    /// Sparsify: keep a spanning forest and the few other edges that matter.
    #[command(after_help = examples::GRAPH_SPARSIFY)]
    Sparsify(sparsify::Arguments),
    /// Solve for potentials given currents, or for the voltages of a netlist.
    #[command(after_help = examples::GRAPH_SOLVE)]
    Solve(solve::Arguments),
    /// Compute effective resistances between pairs of vertices.
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
