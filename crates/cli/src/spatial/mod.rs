//! `palmette spatial …`: trees on a grid of processors.

mod compare;
mod contraction;
mod creation;
mod layout;
mod lca;
mod message;
mod options;
mod picture;
mod program;
mod sweep;
mod trace;
mod treefix;

use crate::arguments::RunOptions;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Lay a tree out on a grid: the energy of a round of messages to children.
    Layout(layout::Arguments),
    /// Send messages between parents and children: energy, depth, distance, link loads.
    Message(message::Arguments),
    /// Aggregate over subtrees or root paths by messages: costs by phase.
    Treefix(treefix::Arguments),
    /// Find lowest common ancestors by messages: costs by phase.
    Lca(lca::Arguments),
    /// Run a program over shapes and sizes, and hold its costs against the theorems.
    Sweep(sweep::Arguments),
    /// Write every message of `message` for LogGOPSim or Perfetto.
    Trace(trace::Arguments),
}

impl Verb {
    pub(crate) fn run_options(&self) -> &RunOptions {
        match self {
            Verb::Layout(a) => &a.run,
            Verb::Message(a) => &a.run,
            Verb::Treefix(a) => &a.run,
            Verb::Lca(a) => &a.run,
            Verb::Sweep(a) => &a.run,
            Verb::Trace(a) => &a.run,
        }
    }
}

pub(crate) fn run(verb: &Verb) -> anyhow::Result<()> {
    match verb {
        Verb::Layout(arguments) => layout::run(arguments),
        Verb::Message(arguments) => message::run(arguments),
        Verb::Treefix(arguments) => treefix::run(arguments),
        Verb::Lca(arguments) => lca::run(arguments),
        Verb::Sweep(arguments) => sweep::run(arguments),
        Verb::Trace(arguments) => trace::run(arguments),
    }
}
