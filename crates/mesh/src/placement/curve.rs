//! The light-first order of a cut tree along a space-filling curve of the machine.
//!
//! **Method.** The leaves of the cut tree, in light-first order, take the cells of a curve:
//! a closed one (the H-index) on square tori whose side is a power of two, Hilbert's on
//! such meshes, the generalised Hilbert curve on other rectangles. On a grid of three
//! dimensions and on a fat tree, processors come in the order of recursive halving.
//!
//! **Cost.** `O(p)` for `p` processors, and a logarithm for the curve.
//!
//! **Reference.** Baumann et al., *Low-Depth Spatial Tree Algorithms*, Theorem 1.

use super::Placement;
use crate::{CutTree, Machine};
use palmette_core::Tree;
use palmette_core::TreeParams;
use palmette_core::tree::SiblingOrder;
use palmette_spatial::Grid;
use palmette_spatial::curve::{Curve, CurveKind};

/// Places the parts of a cut tree.
pub(super) fn place(machine: &Machine, cut_tree: &CutTree) -> Placement {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    let tree = Tree::with_params(cut_tree.parents(), params).expect("a cut tree is a tree");
    let leaves = tree.vertices().iter().filter(|&&node| cut_tree.children(node).is_none());
    let mut processors = vec![0; cut_tree.parts(0).len()];
    for (&leaf, processor) in leaves.zip(order(machine)) {
        for part in cut_tree.parts(leaf) {
            processors[part as usize] = processor;
        }
    }
    Placement { processors }
}

/// All processors along the machine's curve.
fn order(machine: &Machine) -> Vec<u32> {
    let Some(curve) = curve_of(machine) else { return machine.halving_order() };
    let width = curve.grid().width;
    let cells = (0..curve.len()).map(|index| curve.cell(index));
    cells.map(|cell| cell.y * width + cell.x).collect()
}

fn curve_of(machine: &Machine) -> Option<Curve> {
    let lattice = machine.lattice()?;
    let &[height, width] = lattice.sides() else { return None };
    let closed = lattice.is_torus().then_some(CurveKind::HIndex);
    let kinds = closed.into_iter().chain([CurveKind::Hilbert, CurveKind::Gilbert]);
    let mut curves = kinds.filter_map(|kind| kind.on(Grid { width, height }).ok());
    curves.next()
}
