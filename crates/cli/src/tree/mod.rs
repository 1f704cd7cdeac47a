//! `palmette tree`: one file per verb.

mod clock;
mod compare;
mod convert;
mod distance;
mod diversity;
mod draw;
mod edit;
mod generate;
mod info;
mod lca;
mod measures;
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
    /// Compute Faith PD, UniFrac and other distances of samples of tips.
    Diversity(diversity::Arguments) => diversity::run, TREE_DIVERSITY;
    /// Aggregate along paths, list the vertices of a path, or find k-th ancestors.
    Path(path::Arguments) => path::run, TREE_PATH;
    /// Take the part of a tree below a vertex.
    Subtree(edit::subtree::Arguments) => edit::subtree::run, TREE_SUBTREE;
    /// Keep or drop tips.
    Prune(edit::prune::Arguments) => edit::prune::run, TREE_PRUNE;
    /// Move the root.
    Reroot(edit::reroot::Arguments) => edit::reroot::run, TREE_REROOT;
    /// Order children by their number of tips.
    Ladderize(edit::ladderize::Arguments) => edit::ladderize::run, TREE_LADDERIZE;
    /// Order children by the smallest name of a tip below.
    Sort(edit::sort::Arguments) => edit::sort::run, TREE_SORT;
    /// Make polytomies of short or badly supported branches.
    Collapse(edit::collapse::Arguments) => edit::collapse::run, TREE_COLLAPSE;
    /// Make polytomies binary, with branches of length 0.
    Resolve(edit::resolve::Arguments) => edit::resolve::run, TREE_RESOLVE;
    /// Rename vertices by a table.
    Rename(edit::rename::Arguments) => edit::rename::run, TREE_RENAME;
    /// Hang a tree into another one.
    Graft(edit::graft::Arguments) => edit::graft::run, TREE_GRAFT;
    /// Draw a phylogeny of any size, or make a page to look around in.
    Draw(draw::Arguments) => draw::run, TREE_DRAW;
    /// Score an alignment on the tree by parsimony, reconstruct ancestral states.
    Parsimony(parsimony::Arguments) => parsimony::run, TREE_PARSIMONY;
    /// Convert between formats.
    Convert(convert::Arguments) => convert::run, TREE_CONVERT;
    /// Compare trees: Robinson-Foulds distances, shared clades, consensus.
    Compare(compare::Arguments) => compare::run, TREE_COMPARE;
    /// Measure balance, lengths and lineages through time.
    Measures(measures::Arguments) => measures::run, TREE_MEASURES;
    /// Fit a clock: root-to-tip distances against dates.
    Clock(clock::Arguments) => clock::run, TREE_CLOCK;
    /// List the devices that `--engine gpu` can use.
    Devices(device::Arguments) => device::list, TREE_DEVICES;
}
