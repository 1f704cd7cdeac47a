//! Leaffix: at every vertex, the product over its subtree.
//!
//! **Problem.** Input: a tree, a value at every position, an associative operator.
//! Output: at position `i` the product of the values of its descendants in
//! preorder, `v[i] ⊕ v[i+1] ⊕ … ⊕ v[i + size[i] − 1]`; without `v[i]` when
//! [`Scope::Exclusive`]. Children are taken in order, so the operator need not be
//! commutative.
//!
//! | engine | needs | work | longest chain | memory beside in and out |
//! |---|---|---|---|---|
//! | [`sequential`] | a monoid | n | n | none |
//! | [`threads`] | a monoid | 2n | blocks | none |
//! | [`levels`] | a monoid | n | height | 4 bytes per vertex |
//! | [`euler`] | a group | 4n | log n | two elements and 8 bytes per vertex |
//! | [`contract`] | a monoid | about 6n | log n | three elements and 40 bytes per vertex |
//!
//! All write into a slice that the caller owns, so that a loop of passes touches
//! no fresh memory. [`from_parents`] starts from a bare parent array instead of a
//! tree and is the fastest way to a single answer.
//!
//! Engines do what the operator does: sums of integers wrap. Whether they can is
//! told beforehand by [`Operator::may_overflow`]; the façade's `aggregate` asks it and
//! makes overflow an error.

mod contract;
mod euler;
mod heights;
mod in_place;
mod levels;
mod raw;
mod sequential;
mod threads;
mod vertices;

pub use contract::contract;
pub use euler::euler;
pub use heights::heights_from_parents;
pub(crate) use in_place::{in_place, placed_in_place};
pub(crate) use levels::GRAIN;
pub use levels::levels;
pub(crate) use raw::cycle;
pub use raw::from_parents;
pub use sequential::sequential;
pub use threads::threads;
pub(crate) use threads::threads_by_vertex;
pub(crate) use vertices::{parents_first, placed};

use crate::engine::{check_length, treefix};
use crate::tour::Undoing;
use crate::watched::Unwatched;
use crate::{Contraction, Direction, Engine, EulerTour, Scope, TreefixError, TreefixParams};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Operator;
use palmette_core::{Monoid, Tree};

treefix! {
    /// The leaffix by the engine that `params` names.
    ///
    /// ```
    /// use palmette_core::{NONE, Tree, operator::Sum};
    /// use palmette_tree::leaffix::leaffix;
    /// let tree = Tree::from_parents(&[NONE, 0, 0, 2]).unwrap();
    /// let sums = leaffix(&tree, &[1i64, 10, 100, 1000], &Sum::new(), Default::default()).unwrap();
    /// assert_eq!(sums, [1111, 10, 1100, 1000]);
    /// ```
    leaffix, leaffix_into, Direction::Leaffix
}

/// One sweep: of `auto`, where the operator commutes and a chain of it waits, the one that keeps what is
/// combined in a register.
fn alone<M: Operator>(
    tree: &Tree,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) {
    match (params.engine, params.scope) {
        (Engine::Auto, Scope::Inclusive) if M::COMMUTES && !M::QUICK => {
            out.copy_from_slice(values);
            in_place(tree.parents(), &Unwatched(op), out);
        }
        _ => sequential(tree, values, op, params.scope, out),
    }
}

/// What an exclusive answer at a vertex becomes when its own value is put first.
#[inline(always)]
fn with_own<M: Monoid>(op: &M, scope: Scope, own: M::Elem, below: M::Elem) -> M::Elem {
    match scope {
        Scope::Inclusive => op.combine(own, below),
        Scope::Exclusive => below,
    }
}
