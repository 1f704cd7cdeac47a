//! `palmette mesh`: one file per verb.

mod compile;
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
mod place;
mod program;
mod route;
mod run;

use crate::arguments::RunOptions;
use crate::examples::{self, with_keys};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show the size and shape of a mesh, and what its file holds.
    #[command(after_help = examples::MESH_INFO)]
    #[command(after_long_help = with_keys(examples::MESH_INFO, keys::INFO))]
    Info(info::Arguments),
    /// Generate a mesh.
    #[command(after_help = examples::MESH_GENERATE)]
    #[command(after_long_help = with_keys(examples::MESH_GENERATE, keys::GENERATE))]
    Generate(generate::Arguments),
    /// Write the graph of a mesh: an edge between nodes that share an element.
    #[command(after_help = examples::MESH_GRAPH)]
    #[command(after_long_help = with_keys(examples::MESH_GRAPH, keys::GRAPH))]
    Graph(graph::Arguments),
    /// Cut a mesh into parts of equal weight, with few edges between them.
    #[command(after_help = examples::MESH_PARTITION)]
    #[command(after_long_help = with_keys(examples::MESH_PARTITION, keys::PARTITION))]
    Partition(partition::Arguments),
    /// Assign each part to a processor of a machine.
    #[command(after_help = examples::MESH_PLACE)]
    #[command(after_long_help = with_keys(examples::MESH_PLACE, keys::PLACE))]
    Place(place::Arguments),
    /// Place the parts and route their messages in static phases.
    #[command(after_help = examples::MESH_ROUTE)]
    #[command(after_long_help = with_keys(examples::MESH_ROUTE, keys::ROUTE))]
    Route(route::Arguments),
    /// Cut, place and route a mesh, with pictures.
    #[command(after_help = examples::MESH_MAP)]
    #[command(after_long_help = with_keys(examples::MESH_MAP, keys::ROUTE))]
    Map(map::Arguments),
    /// Run an algorithm on a partitioned mesh, on threads or MPI ranks.
    #[command(after_help = examples::MESH_RUN)]
    #[command(after_long_help = with_keys(examples::MESH_RUN, keys::RUN))]
    Run(run::Arguments),
    /// Compile an algorithm to a C program with MPI, for a mesh placed on a machine.
    #[command(after_help = examples::MESH_COMPILE)]
    #[command(after_long_help = with_keys(examples::MESH_COMPILE, keys::COMPILE))]
    Compile(compile::Arguments),
}

pub(crate) fn run(verb: &Verb, run: &RunOptions) -> anyhow::Result<()> {
    match verb {
        Verb::Info(arguments) => info::run(arguments, run),
        Verb::Generate(arguments) => generate::run(arguments, run),
        Verb::Graph(arguments) => graph::run(arguments, run),
        Verb::Partition(arguments) => partition::run(arguments, run),
        Verb::Place(arguments) => place::run(arguments, run),
        Verb::Route(arguments) => route::run(arguments, run),
        Verb::Map(arguments) => map::run(arguments, run),
        Verb::Run(arguments) => run::run(arguments, run),
        Verb::Compile(arguments) => compile::run(arguments, run),
    }
}
