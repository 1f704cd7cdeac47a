//! `palmette graph`: one file per verb.

mod compare;
mod current;
pub(crate) mod files;
mod focal;
mod generate;
mod info;
mod mincut;
pub(crate) mod options;
mod resistance;
mod solve;
mod sparsify;
mod stream;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Show the size and shape of a graph, and what its file holds.
    Info(info::Arguments) => info::run, GRAPH_INFO;
    /// Generate a graph.
    Generate(generate::Arguments) => generate::run, GRAPH_GENERATE;
    /// Sparsify: keep a spanning forest and the few other edges that matter.
    Sparsify(sparsify::Arguments) => sparsify::run, GRAPH_SPARSIFY;
    /// Solve for potentials given currents, or for the voltages of a netlist.
    Solve(solve::Arguments) => solve::run, GRAPH_SOLVE;
    /// Compute effective resistances between pairs of vertices.
    Resistance(resistance::Arguments) => resistance::run, GRAPH_RESISTANCE;
    /// Map the currents between focal points of a landscape, or from sources to ground.
    Current(current::Arguments) => current::run, GRAPH_CURRENT;
    /// Follow a graph as it changes: keep its skeleton while edges come, go and change.
    Stream(stream::Arguments) => stream::run, GRAPH_STREAM;
    /// Find the minimum cut: the least weight of edges whose removal separates the graph.
    Mincut(mincut::Arguments) => mincut::run, GRAPH_MINCUT;
}
