//! `palmette spatial …`: trees on a grid of processors.

mod compare;
mod creation;
mod layout;
mod lca;
mod message;
mod options;
mod program;
mod sweep;
mod trace;
mod treefix;

use crate::arguments::RunOptions;
use crate::examples;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lay a tree out on a grid and show the energy of a round of messages to children.
    #[command(after_help = examples::SPATIAL_LAYOUT)]
    Layout(layout::Arguments),
    /// Send messages between parents and children, and show energy, depth, distance and link loads.
    #[command(after_help = examples::SPATIAL_MESSAGE)]
    Message(message::Arguments),
    /// Aggregate over subtrees or root paths by messages, and show the costs by phase.
    #[command(after_help = examples::SPATIAL_TREEFIX)]
    Treefix(treefix::Arguments),
    /// Find lowest common ancestors by messages, and show the costs by phase.
    #[command(after_help = examples::SPATIAL_LCA)]
    Lca(lca::Arguments),
    /// Run a program over shapes and sizes, and compare its costs with the theorems.
    #[command(after_help = examples::SPATIAL_SWEEP)]
    Sweep(sweep::Arguments),
    /// Write every message of `message` as a trace for LogGOPSim or Perfetto.
    #[command(after_help = examples::SPATIAL_TRACE)]
    Trace(trace::Arguments),
}

pub(crate) fn run(verb: &Verb, run: &RunOptions) -> anyhow::Result<()> {
    match verb {
        Verb::Layout(arguments) => layout::run(arguments, run),
        Verb::Message(arguments) => message::run(arguments, run),
        Verb::Treefix(arguments) => treefix::run(arguments, run),
        Verb::Lca(arguments) => lca::run(arguments, run),
        Verb::Sweep(arguments) => sweep::run(arguments, run),
        Verb::Trace(arguments) => trace::run(arguments, run),
    }
}
