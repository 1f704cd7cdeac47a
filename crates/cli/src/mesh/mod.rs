//! `palmette mesh`: one file per verb.

mod compile;
mod demands;
mod files;
mod generate;
mod graph;
mod info;
mod keys;
mod machine;
mod map;
mod mapping;
mod options;
mod order;
mod partition;
mod place;
mod program;
mod route;
mod run;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show the size and shape of a mesh, and what its file holds.
    Info(info::Arguments) => info::run, MESH_INFO, keys::INFO;
    /// Generate a mesh.
    Generate(generate::Arguments) => generate::run, MESH_GENERATE, keys::GENERATE;
    /// Write the graph of a mesh: an edge between nodes that share an element.
    Graph(graph::Arguments) => graph::run, MESH_GRAPH, keys::GRAPH;
    /// Cut a mesh into parts of equal weight, with few edges between them.
    Partition(partition::Arguments) => partition::run, MESH_PARTITION, keys::PARTITION;
    /// Order a mesh or graph for a sparse factor: nested dissection.
    Order(order::Arguments) => order::run, MESH_ORDER, keys::ORDER;
    /// Assign each part to a processor of a machine.
    Place(place::Arguments) => place::run, MESH_PLACE, keys::PLACE;
    /// Place the parts and route their messages in static phases.
    Route(route::Arguments) => route::run, MESH_ROUTE, keys::ROUTE;
    /// Cut, place and route a mesh, with pictures.
    Map(map::Arguments) => map::run, MESH_MAP, keys::ROUTE;
    /// Run an algorithm on a partitioned mesh, on threads or MPI ranks.
    Run(run::Arguments) => run::run, MESH_RUN, keys::RUN;
    /// Compile an algorithm to a C program with MPI, for a mesh placed on a machine.
    Compile(compile::Arguments) => compile::run, MESH_COMPILE, keys::COMPILE;
}
