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
//! [`from_parents`] starts from a bare parent array instead of a tree and is the fastest way to a
//! single answer.
//!
//! Engines do what the operator does: sums of integers wrap. Whether they can is
//! told beforehand by [`Operator::may_overflow`]; the façade's `aggregate` asks it and
//! makes overflow an error.

mod contract;
mod euler;
mod lanes;
mod levels;
mod raw;
mod sequential;
mod threads;
mod vertices;

pub use contract::contract;
pub use euler::euler;
pub use levels::levels;
pub use raw::from_parents;
pub use sequential::sequential;
pub(crate) use sequential::{down, is_path};
pub use threads::threads;
pub(crate) use threads::threads_by_vertex;
pub(crate) use vertices::placed;

use crate::engine::{check_length, treefix};
use crate::tour::Undoing;
use crate::{Contraction, Direction, Engine, EulerTour, Scope, TreefixError, TreefixParams};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Operator;
use palmette_core::{Monoid, NONE, Tree};

treefix! {
    /// The rootfix by the engine that `params` names.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree, operator::Sum};
    /// use palmette_tree::rootfix::rootfix;
    /// let tree = Tree::from_parents(&[NONE, 0, 0, 2]).unwrap();
    /// let sums = rootfix(&tree, &[1i64, 10, 100, 1000], &Sum::new(), Default::default()).unwrap();
    /// assert_eq!(sums, [1, 11, 101, 1101]);
    /// ```
    rootfix, rootfix_into, Direction::Rootfix
}

/// One sweep.
fn alone<M: Operator>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) {
    sequential(tree, values, op, params.scope, out);
}

/// The factor by which the answer at `i` differs from its parent's: its own value,
/// or the parent's when a vertex does not count itself.
#[inline(always)]
fn step<M: Monoid, V: Copy + Into<M::Elem>>(
    op: &M,
    scope: Scope,
    values: &[V],
    i: usize,
    parent: u32,
) -> M::Elem {
    match scope {
        Scope::Inclusive => values[i].into(),
        Scope::Exclusive if parent == NONE => op.identity(),
        Scope::Exclusive => values[parent as usize].into(),
    }
}
