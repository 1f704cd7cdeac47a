//! `palmette tree`: one file per verb.

mod convert;
mod distance;
mod generate;
mod info;
mod lca;
mod order;
mod parsimony;
mod path;
pub(crate) mod treefix;

use crate::examples::*;
use crate::prelude::*;
use palmette_vocabulary::{Leaffix, Rootfix};

verbs! {
    /// Show the size and shape of a tree.
    Info(info::Arguments) => info::run, TREE_INFO;
    /// List the position of every vertex in an order.
    Order(order::Arguments) => order::run, TREE_ORDER;
    /// Generate a tree.
    Generate(generate::Arguments) => generate::run, TREE_GENERATE;
    /// Aggregate from the root down to every vertex.
    Rootfix(Rootfix<treefix::Arguments>) =>
        |a: &Rootfix<_>, run| treefix::run(Direction::Rootfix, a.operation, &a.common, run),
        TREE_ROOTFIX;
    /// Aggregate over the subtree of every vertex.
    Leaffix(Leaffix<treefix::Arguments>) =>
        |a: &Leaffix<_>, run| treefix::run(Direction::Leaffix, a.operation, &a.common, run),
        TREE_LEAFFIX;
    /// Find lowest common ancestors of pairs or sets.
    Lca(lca::Arguments) => lca::run, TREE_LCA;
    /// Compute distances between vertices, by branch lengths if there are any, else in edges.
    Distance(distance::Arguments) => distance::run, TREE_DISTANCE;
    /// Aggregate along paths, list the vertices of a path, or find k-th ancestors.
    Path(path::Arguments) => path::run, TREE_PATH;
    /// Score an alignment on the tree by parsimony, reconstruct ancestral states.
    Parsimony(parsimony::Arguments) => parsimony::run, TREE_PARSIMONY;
    /// Convert between formats.
    Convert(convert::Arguments) => convert::run, TREE_CONVERT;
    /// List the devices that `--engine gpu` can use.
    Devices(device::Arguments) => device::list, TREE_DEVICES;
}
