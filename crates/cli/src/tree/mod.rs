//! `palmette tree`: one file per verb.

mod convert;
mod devices;
mod distance;
mod generate;
mod info;
mod lca;
mod order;
mod path;
pub(crate) mod treefix;

use crate::arguments::RunOptions;
use crate::examples;
use clap::Subcommand;
use palmette::Direction;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show the size and shape of a tree.
    #[command(after_help = examples::TREE_INFO)]
    Info(info::Arguments),
    /// List the position of every vertex in an order.
    #[command(after_help = examples::TREE_ORDER)]
    Order(order::Arguments),
    /// Generate a tree.
    #[command(after_help = examples::TREE_GENERATE)]
    Generate(generate::Arguments),
    /// Aggregate from the root down to every vertex.
    #[command(after_help = examples::TREE_ROOTFIX)]
    Rootfix(treefix::RootfixArguments),
    /// Aggregate over the subtree of every vertex.
    #[command(after_help = examples::TREE_LEAFFIX)]
    Leaffix(treefix::LeaffixArguments),
    /// Find lowest common ancestors of pairs or sets.
    #[command(after_help = examples::TREE_LCA)]
    Lca(lca::Arguments),
    /// Compute distances between vertices, by branch lengths if there are any, else in edges.
    #[command(after_help = examples::TREE_DISTANCE)]
    Distance(distance::Arguments),
    /// Aggregate along paths, list the vertices of a path, or find k-th ancestors.
    #[command(after_help = examples::TREE_PATH)]
    Path(path::Arguments),
    /// Convert between formats.
    #[command(after_help = examples::TREE_CONVERT)]
    Convert(convert::Arguments),
    /// List the devices that `--engine gpu` can use.
    #[command(after_help = examples::TREE_DEVICES)]
    Devices,
}

pub(crate) fn run(verb: &Verb, run: &RunOptions) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments, run),
        Verb::Order(arguments) => order::run(arguments, run),
        Verb::Generate(arguments) => generate::run(arguments, run),
        Verb::Rootfix(a) => treefix::run(Direction::Rootfix, a.operation, &a.common, run),
        Verb::Leaffix(a) => treefix::run(Direction::Leaffix, a.operation, &a.common, run),
        Verb::Lca(arguments) => lca::run(arguments, run),
        Verb::Distance(arguments) => distance::run(arguments, run),
        Verb::Path(arguments) => path::run(arguments, run),
        Verb::Convert(arguments) => convert::run(arguments, run),
        Verb::Devices => devices::run(run),
    }
}
