//! Supports of the two branches at a root with two children: one branch of the unrooted tree.

use super::builder::Source;
use palmette_core::Tree;

/// Gives both branches at a root with two children one support, since they are one branch of the
/// unrooted tree, and returns the two if they differ: then the smaller one holds. Where one has none
/// (NaN) the other's holds for both. Branches of tips are left alone: their split is in every tree.
/// To be called before an edit that moves the root; `support` goes by vertex.
///
/// # Panics
/// When there is not one support per vertex.
pub fn one_support_at_root(tree: &Tree, support: &mut [f64]) -> Option<(f64, f64)> {
    assert_eq!(support.len(), tree.len(), "one support per vertex");
    let source = Source { tree, lengths: None };
    if tree.roots() != 1 || tree.len() < 3 {
        return None;
    }
    let crown = source.crown();
    if tree.is_leaf(crown) {
        return None;
    }
    let first = crown + 1;
    let second = source.twin(crown, first)?;
    if tree.is_leaf(first) || tree.is_leaf(second) {
        return None;
    }
    let [a, b] = [first, second].map(|position| tree.vertices()[position as usize] as usize);
    let (one, other) = (support[a], support[b]);
    // The minimum of a number and NaN is the number.
    let both = one.min(other);
    (support[a], support[b]) = (both, both);
    (!one.is_nan() && !other.is_nan() && one != other).then_some((one, other))
}
