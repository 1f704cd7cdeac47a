//! `palmette mesh`: one verb a file.

mod figures;
mod files;
mod generate;
mod graph;
mod info;
mod keys;
mod machine;
mod map;
mod mapping;
mod options;
mod partition;
mod picture;
mod place;
mod program;
mod route;
mod run;
mod shape;

use crate::arguments::RunOptions;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Size and shape of a mesh, and what its file holds.
    #[command(after_long_help = keys::INFO)]
    Info(info::Arguments),
    /// Make a mesh of a given shape.
    #[command(after_long_help = keys::SHAPE)]
    Shape(shape::Arguments),
    /// Write the graph of a mesh: nodes that share an element.
    #[command(after_long_help = keys::GRAPH)]
    Graph(graph::Arguments),
    /// Cut a mesh into parts of equal weight with few edges between them.
    #[command(after_long_help = keys::PARTITION)]
    Partition(partition::Arguments),
    /// Give each part a processor of a machine.
    #[command(after_long_help = keys::PLACE)]
    Place(place::Arguments),
    /// Place parts and route what they exchange, in static phases.
    #[command(after_long_help = keys::ROUTE)]
    Route(route::Arguments),
    /// Cut, place and route: everything, with pictures.
    #[command(after_long_help = keys::ROUTE)]
    Map(map::Arguments),
    /// Run an algorithm on a mesh in parts: on threads, or on ranks of MPI.
    #[command(after_long_help = keys::RUN)]
    Run(run::Arguments),
    /// Generate a C program with MPI that runs an algorithm on a mesh, placed on a machine.
    #[command(after_long_help = keys::GENERATE)]
    Generate(generate::Arguments),
}

impl Verb {
    pub(crate) fn run_options(&self) -> &RunOptions {
        match self {
            Verb::Info(a) => &a.run,
            Verb::Shape(a) => &a.run,
            Verb::Graph(a) => &a.run,
            Verb::Partition(a) => &a.run,
            Verb::Place(a) => &a.run,
            Verb::Route(a) => &a.run,
            Verb::Map(a) => &a.run,
            Verb::Run(a) => &a.run,
            Verb::Generate(a) => &a.run,
        }
    }
}

pub(crate) fn run(verb: &Verb) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments),
        Verb::Shape(arguments) => shape::run(arguments),
        Verb::Graph(arguments) => graph::run(arguments),
        Verb::Partition(arguments) => partition::run(arguments),
        Verb::Place(arguments) => place::run(arguments),
        Verb::Route(arguments) => route::run(arguments),
        Verb::Map(arguments) => map::run(arguments),
        Verb::Run(arguments) => run::run(arguments),
        Verb::Generate(arguments) => generate::run(arguments),
    }
}
