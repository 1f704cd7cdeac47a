//! `palmette tree`: one verb a file.

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
use clap::Subcommand;
use palmette::Direction;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Size and shape of a tree.
    Info(info::Arguments),
    /// The position of every vertex in an order.
    Order(order::Arguments),
    /// Make a tree of a given shape.
    Generate(generate::Arguments),
    /// Aggregate from the root down to every vertex.
    Rootfix(treefix::RootfixArguments),
    /// Aggregate over the subtree of every vertex.
    Leaffix(treefix::LeaffixArguments),
    /// Lowest common ancestors of pairs or sets.
    Lca(lca::Arguments),
    /// Distances between vertices, by branch lengths where there are any, else in edges.
    Distance(distance::Arguments),
    /// Aggregates along paths, the vertices of a path, k-th ancestors.
    Path(path::Arguments),
    /// Convert between formats.
    Convert(convert::Arguments),
    /// The devices that `--engine gpu` can use.
    Devices(devices::Arguments),
}

impl Verb {
    pub(crate) fn run_options(&self) -> &RunOptions {
        match self {
            Verb::Info(a) => &a.run,
            Verb::Order(a) => &a.run,
            Verb::Generate(a) => &a.run,
            Verb::Rootfix(a) => &a.common.run,
            Verb::Leaffix(a) => &a.common.run,
            Verb::Lca(a) => &a.run,
            Verb::Distance(a) => &a.run,
            Verb::Path(a) => &a.run,
            Verb::Convert(a) => &a.run,
            Verb::Devices(a) => &a.run,
        }
    }
}

pub(crate) fn run(verb: &Verb) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments),
        Verb::Order(arguments) => order::run(arguments),
        Verb::Generate(arguments) => generate::run(arguments),
        Verb::Rootfix(a) => treefix::run(Direction::Rootfix, a.operation, &a.common),
        Verb::Leaffix(a) => treefix::run(Direction::Leaffix, a.operation, &a.common),
        Verb::Lca(arguments) => lca::run(arguments),
        Verb::Distance(arguments) => distance::run(arguments),
        Verb::Path(arguments) => path::run(arguments),
        Verb::Convert(arguments) => convert::run(arguments),
        Verb::Devices(arguments) => devices::run(arguments),
    }
}
