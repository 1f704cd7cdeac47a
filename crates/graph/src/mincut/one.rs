//! The lightest cut that one edge of a tree decides.
//!
//! **Problem.** A spanning tree; the vertex whose subtree has the least weight of edges out of it.
//!
//! **Method.** `δ(v)` is the degree, `ρ(v)` the weight of edges whose lowest common ancestor is
//! `v`. The cut of the subtree of `v` is `leaffix(δ − 2 ρ)(v)`.
//!
//! **Cost.** One lowest common ancestor per edge and one leaffix.
//!
//! **Reference.** Karger, *Minimum cuts in near-linear time*, 2000, lemma 5.

use super::kernel::Kernel;
use super::packing::Edges;
use palmette_core::Tree;
use palmette_core::operator::Sum;
use palmette_tree::Scope;
use palmette_tree::lca::Lca;
use palmette_tree::leaffix::sequential;

/// What a tree says about the cuts of its subtrees, by position.
pub(super) struct Subtrees {
    /// The weight of edges out of the subtree.
    pub(super) cuts: Vec<i64>,
    /// The weight of edges inside.
    pub(super) inside: Vec<i64>,
}

/// The cuts of all subtrees.
pub(super) fn subtrees(kernel: &Kernel, packing: &Edges, tree: &Tree) -> Subtrees {
    let joints = joints(packing, tree);
    let degrees = tree.vertices().iter().map(|&v| kernel.degrees()[v as usize] as i64);
    let sums: Vec<i64> = degrees.zip(&joints).map(|(degree, joint)| degree - 2 * joint).collect();
    Subtrees { cuts: leaffix(tree, &sums), inside: leaffix(tree, &joints) }
}

/// The least cut of a subtree but the whole tree, and its position.
pub(super) fn lightest(kernel: &Kernel, packing: &Edges, tree: &Tree) -> (u64, u32) {
    let mut sums = joints(packing, tree);
    for (sum, &v) in sums.iter_mut().zip(tree.vertices()) {
        *sum = kernel.degrees()[v as usize] as i64 - 2 * *sum;
    }
    let cuts = leaffix(tree, &sums);
    let each = cuts.iter().zip(0..).skip(1).map(|(&cut, position)| (cut as u64, position));
    each.min().expect("two vertices or more")
}

/// On one thread: trees are shared among threads.
fn leaffix(tree: &Tree, values: &[i64]) -> Vec<i64> {
    let mut out = vec![0; values.len()];
    sequential(tree, values, &Sum::new(), Scope::Inclusive, &mut out);
    out
}

/// By position, the weight of edges whose lowest common ancestor is there.
fn joints(packing: &Edges, tree: &Tree) -> Vec<i64> {
    let index = Lca::new(tree);
    let positions = tree.positions();
    let mut joints = vec![0i64; tree.len()];
    let mut pairs = Vec::with_capacity(CHUNK);
    let mut tops = vec![0; CHUNK];
    for (ends, weights) in packing.ends.chunks(CHUNK).zip(packing.weights.chunks(CHUNK)) {
        pairs.clear();
        pairs.extend(ends.iter().map(|&(a, b)| (positions[a as usize], positions[b as usize])));
        index.batch_into(&pairs, &mut tops[..pairs.len()]);
        for (&top, &weight) in tops.iter().zip(weights) {
            joints[top as usize] += weight as i64;
        }
    }
    joints
}

/// Edges asked for at a time.
const CHUNK: usize = 1 << 10;
