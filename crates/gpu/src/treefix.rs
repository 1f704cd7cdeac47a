//! The engines of both directions, by name.
//!
//! | engine | needs | dispatches | memory beside in and out |
//! |---|---|---|---|
//! | `euler` | a group | a constant | two elements and 8 bytes per vertex |
//! | `levels` | a monoid | one per wide level | two elements and 16 bytes per vertex |
//! | `contract` | a monoid | O(log n) | leaffix three elements, rootfix one; 20 bytes per vertex |

use crate::array::{Array, DeviceValues};
use crate::batch::Running;
use crate::kernel::Law;
use crate::{DeviceTree, Element, GpuError};
use palmette_tree::{Direction, Scope};

/// How the steps of a pass over a whole tree are sent on their way; values are by position.
pub(crate) type Start =
    fn(&DeviceTree<'_>, &Array, &Law, Scope, Direction) -> Result<(Array, Running), GpuError>;

/// A pass over values that are on the device.
fn pass<E: Element>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<E>,
    law: &Law,
    (scope, direction): (Scope, Direction),
    start: Start,
) -> Result<DeviceValues<E>, GpuError> {
    values.check(tree.device(), tree.tree().len(), law)?;
    let (answers, running) = start(tree, &values.array, law, scope, direction)?;
    Ok(DeviceValues::computed(answers, running.wait()?))
}

macro_rules! engines {
    ($name:ident, $direction:ident) => {
        use super::pass;
        use crate::kernel::Law;
        use crate::{DeviceTree, DeviceValues, GpuError, GroupKernel, Kernel};
        use palmette_tree::{Direction::$direction, Scope};

        #[doc = concat!("The ", stringify!($name), " by a scan over the Euler tour.")]
        ///
        /// # Errors
        /// Values that do not suit the tree or the operator, too little memory, a lost device.
        pub fn euler<G: GroupKernel>(
            tree: &DeviceTree<'_>,
            values: &DeviceValues<G::Elem>,
            op: &G,
            scope: Scope,
        ) -> Result<DeviceValues<G::Elem>, GpuError> {
            pass(tree, values, &Law::of_group(op), (scope, $direction), crate::euler::start)
        }

        #[doc = concat!("The ", stringify!($name), " level by level.")]
        ///
        /// # Errors
        /// As [`euler`].
        pub fn levels<K: Kernel>(
            tree: &DeviceTree<'_>,
            values: &DeviceValues<K::Elem>,
            op: &K,
            scope: Scope,
        ) -> Result<DeviceValues<K::Elem>, GpuError> {
            pass(tree, values, &Law::of(op), (scope, $direction), crate::levels::start)
        }

        #[doc = concat!("The ", stringify!($name), " by rake and compress.")]
        ///
        /// # Errors
        /// As [`euler`].
        pub fn contract<K: Kernel>(
            tree: &DeviceTree<'_>,
            values: &DeviceValues<K::Elem>,
            op: &K,
            scope: Scope,
        ) -> Result<DeviceValues<K::Elem>, GpuError> {
            pass(tree, values, &Law::of(op), (scope, $direction), crate::contract::start)
        }
    };
}

pub mod leaffix {
    //! Leaffix: at every vertex, the product over its subtree. See
    //! [`palmette_tree::leaffix`] for the problem.
    engines!(leaffix, Leaffix);
}

pub mod rootfix {
    //! Rootfix: at every vertex, the product along the path from the root. See
    //! [`palmette_tree::rootfix`] for the problem.
    engines!(rootfix, Rootfix);
}
