//! Rootfix: at every vertex, the product along the path from the root.
//!
//! **Problem.** Input: a tree, a value at every position, an associative operator.
//! Output: at every position the product of the values of its ancestors, from the
//! root down to itself; without its own when [`Scope::Exclusive`]. With ones and
//! sums this is the depth.
//!
//! | engine | needs | work | longest chain | memory beside in and out |
//! |---|---|---|---|---|
//! | [`sequential`] | a monoid | n | n | none |
//! | [`threads`] | a monoid | 2n | blocks | 4 bytes per open vertex |
//! | [`levels`] | a monoid | n | height | 4 bytes per vertex |
//! | [`euler`] | a group | 4n | log n | two elements and 8 bytes per vertex |
//! | [`contract`] | a monoid | about 3n | log n | one element and 40 bytes per vertex |
//!
//! Engines do what the operator does: sums of integers wrap. Whether they can is
//! told beforehand by [`Operator::may_overflow`]; the façade's `aggregate` asks it and
//! makes overflow an error.

mod contract;
mod euler;
mod lanes;
mod levels;
mod sequential;
mod threads;

pub use contract::contract;
pub use euler::euler;
pub use levels::levels;
pub use sequential::sequential;
pub use threads::threads;

use crate::engine::check_length;
use crate::{Contraction, Engine, EulerTour, Scope, TreefixError, TreefixParams};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Operator;
use palmette_core::{Monoid, NONE, Tree};

/// The rootfix by the engine that `params` names.
///
/// ```
/// use palmette_core::{NONE, Tree, operator::Sum};
/// use palmette_tree::rootfix::rootfix;
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2]).unwrap();
/// let sums = rootfix(&tree, &[1i64, 10, 100, 1000], &Sum::new(), Default::default()).unwrap();
/// assert_eq!(sums, [1, 11, 101, 1101]);
/// ```
///
/// # Errors
/// A wrong number of values, or the Euler engine with an operator that has no
/// inverses.
pub fn rootfix<M: Operator>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
) -> Result<Vec<M::Elem>, TreefixError> {
    let mut out = huge_vec(tree.len(), op.identity());
    rootfix_into(tree, values, op, params, &mut out)?;
    Ok(out)
}

/// As [`rootfix`], into a slice of the caller's.
///
/// # Errors
/// As [`rootfix`]; also when `out` has another length than the tree.
pub fn rootfix_into<M: Operator>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) -> Result<(), TreefixError> {
    check_length(tree, values.len())?;
    check_length(tree, out.len())?;
    let scope = params.scope;
    match params.engine.choose(tree, op) {
        Engine::Levels => levels(tree, &tree.levels(), values, op, scope, out),
        Engine::Threads => threads(tree, values, op, scope, out),
        Engine::Contract => contract(&Contraction::new(tree, 0), tree, values, op, scope, out),
        Engine::Euler => {
            let group = crate::tour::Undoing::new(op).ok_or(TreefixError::NeedsInverse)?;
            euler(&EulerTour::new(tree), values, &group, scope, out);
        }
        Engine::Auto | Engine::Sequential => sequential(tree, values, op, scope, out),
    }
    Ok(())
}

/// The factor by which the answer at `i` differs from its parent's: its own value,
/// or the parent's when a vertex does not count itself.
#[inline(always)]
fn step<M: Monoid>(op: &M, scope: Scope, values: &[M::Elem], i: usize, parent: u32) -> M::Elem {
    match scope {
        Scope::Inclusive => values[i],
        Scope::Exclusive if parent == NONE => op.identity(),
        Scope::Exclusive => values[parent as usize],
    }
}
