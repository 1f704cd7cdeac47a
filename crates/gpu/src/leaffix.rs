//! Leaffix: at every vertex, the product over its subtree. See
//! [`palmette_tree::leaffix`] for the problem.
//!
//! | engine | needs | dispatches | memory beside in and out |
//! |---|---|---|---|
//! | [`euler`] | a group | a constant | two elements and 8 bytes a vertex |
//! | [`levels`] | a monoid | one a wide level | two elements and 16 bytes a vertex |
//! | [`contract`] | a monoid | O(log n) | three elements and 20 bytes a vertex |

use crate::euler::Direction;
use crate::{DeviceTree, DeviceValues, GpuError, GroupKernel, Kernel};
use palmette_tree::Scope;

/// The leaffix by a scan over the Euler tour.
///
/// # Errors
/// Values that do not suit the tree or the operator, too little memory, a lost device.
pub fn euler<G: GroupKernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<G::Elem>,
    op: &G,
    scope: Scope,
) -> Result<DeviceValues<G::Elem>, GpuError> {
    crate::euler::euler(tree, values, op, scope, Direction::Leaffix)
}

/// The leaffix level by level.
///
/// # Errors
/// As [`euler`].
pub fn levels<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    crate::levels::levels(tree, values, op, scope, Direction::Leaffix)
}

/// The leaffix by rake and compress.
///
/// # Errors
/// As [`euler`].
pub fn contract<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    crate::contract::leaffix(tree, values, op, scope)
}
