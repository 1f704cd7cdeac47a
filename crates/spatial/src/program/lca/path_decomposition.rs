//! The heavy-light decomposition of a tree in light-first order.
//!
//! **Problem.** Cut a tree into paths such that few of them lie between any vertex and the
//! root, and tell every vertex the *layer* of its path: how many other paths are on the way
//! to the root.
//!
//! **Method.** A vertex is on the path of its parent when it is the last, and so the
//! heaviest, child. Every vertex sends the range of its subtree to its children, and a child
//! is the last one exactly when its range ends where its parent's ends. Other children are
//! *light*: they head paths of their own. A rootfix of ones at light vertices counts layers,
//! and an all-reduce tells everyone how many there are.
//!
//! **Messages.** Those of the programs that it is made of; a root, which hears of no parent,
//! knows that it is one. No order matters.
//!
//! **Cost.** A [local broadcast](crate::local::broadcast) (phase `ranges`), a
//! [rootfix](crate::program::treefix::rootfix) (`layers ...`) and an
//! [all-reduce](crate::collective::all_reduce) (`last layer`): O(n log n) energy and
//! O(log^2 n) depth with high probability. A light child has less than half of its parent's
//! subtree, so there are at most log2 (n + 1) layers. [`OnPath`] has five words.
//!
//! **Determinism.** The decomposition and its costs depend on the tree alone.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI-A. That ranges decide who
//! is light is ours: the paper asks for the rightmost child.
//!
//! **When not to use.** On trees in another order than light-first: the last child would be
//! any child, and there could be as many layers as levels.

use super::SubtreeRanges;
use crate::collective::{Range, all_reduce};
use crate::local;
use crate::machine::{Machine, Memory};
use crate::plain;
use crate::program::{Kin, ProgramError, treefix};
use palmette_core::operator::{Max, Sum};

plain! {
    /// What a vertex knows of its path: five words.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct OnPath {
        /// The vertex's subtree.
        pub subtree: Range,
        /// The subtree of its parent; empty at the root.
        pub above: Range,
        /// How many other paths there are between this vertex and the root.
        pub layer: u32,
    }
}

impl OnPath {
    /// Whether the vertex is the first of its path and not the root.
    pub fn is_light(&self) -> bool {
        !self.above.is_empty() && self.subtree.end != self.above.end
    }
}

/// A tree cut into paths.
#[derive(Debug, Clone)]
pub struct PathDecomposition {
    /// What every vertex knows, by address.
    pub vertices: Memory<OnPath>,
    /// The number of layers, which every vertex knows as well: at least 1.
    pub layers: u32,
    /// The rounds of the rootfix.
    pub rounds: u32,
}

/// Cuts a tree into paths.
///
/// # Errors
/// Memory of another machine, and what stops this one.
pub fn decompose(
    machine: &mut Machine,
    kin: &Memory<Kin>,
    subtrees: SubtreeRanges,
) -> Result<PathDecomposition, ProgramError> {
    let links = kin.clone().map(|_, kin| kin.links);
    let ranges = subtrees.ranges;
    let above = local::broadcast(&mut machine.keep(kin), "ranges", &links, ranges.clone())?;
    let vertices = ranges.beside(above).map(|_, (subtree, above)| OnPath {
        subtree,
        above: above.unwrap_or(Range::EMPTY),
        layer: 0,
    });
    let light = vertices.clone().map(|_, vertex| u32::from(vertex.is_light()));
    let layers =
        treefix::rootfix(&mut machine.keep(&vertices), "layers", Sum::<u32>::new(), kin, light)?;
    let rounds = layers.rounds;
    let vertices = vertices.beside(layers.values).map(|_, (v, layer)| OnPath { layer, ..v });

    let everyone = Range::new(0, machine.processors() as u32);
    let deepest = vertices.clone().map(|_, vertex| vertex.layer);
    let deepest = all_reduce(
        &mut machine.keep(&vertices),
        "last layer",
        Max::<u32>::new(),
        everyone,
        deepest,
    )?;
    let layers = 1 + deepest.states().first().copied().unwrap_or(0);
    Ok(PathDecomposition { vertices, layers, rounds })
}
