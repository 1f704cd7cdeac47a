//! `palmette spatial …`: trees and sparse matrices on a grid of processors.

mod compare;
mod creation;
mod layout;
mod lca;
mod message;
mod network;
mod options;
mod program;
mod sparse;
mod sweep;
mod trace;
mod treefix;

use crate::examples::*;
use crate::prelude::*;

verbs! {
    /// Lay a tree out on a grid and show the energy of a round of messages to children.
    Layout(layout::Arguments) => layout::run, SPATIAL_LAYOUT;
    /// Send messages between parents and children, and show energy, depth, distance and link loads.
    Message(message::Arguments) => message::run, SPATIAL_MESSAGE;
    /// Aggregate over subtrees or root paths by messages, and show the costs by phase.
    Treefix(treefix::Arguments) => treefix::run, SPATIAL_TREEFIX;
    /// Find lowest common ancestors by messages, and show the costs by phase.
    Lca(lca::Arguments) => lca::run, SPATIAL_LCA;
    /// Multiply a sparse matrix by a vector, by messages, and show the costs by phase.
    Spmv(sparse::ProductArguments) => sparse::multiply, SPATIAL_SPMV;
    /// Solve with a sparse matrix by conjugate gradients, by messages, and show the costs by phase.
    Cg(sparse::SolveArguments) => sparse::solve, SPATIAL_CG;
    /// Run a program over shapes and sizes, and compare its costs with the theorems.
    Sweep(sweep::Arguments) => sweep::run, SPATIAL_SWEEP;
    /// Write every message of `message` as a trace for LogGOPSim or Perfetto; other programs have
    /// `--trace`.
    Trace(trace::Arguments) => trace::run, SPATIAL_TRACE;
}
