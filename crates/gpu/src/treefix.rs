//! The engines of both directions, by name.
//!
//! | engine | needs | dispatches | memory beside in and out |
//! |---|---|---|---|
//! | `euler` | a group | a constant | two elements and 8 bytes per vertex |
//! | `levels` | a monoid | one per wide level | two elements and 16 bytes per vertex |
//! | `contract` | a monoid | O(log n) | leaffix three elements, rootfix one; 20 bytes per vertex |

macro_rules! engines {
    ($name:ident, $direction:ident) => {
        use crate::{DeviceTree, DeviceValues, GpuError, GroupKernel, Kernel};
        use palmette_tree::{Direction, Scope};

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
            crate::euler::euler(tree, values, op, scope, Direction::$direction)
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
            crate::levels::levels(tree, values, op, scope, Direction::$direction)
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
            crate::contract::$name(tree, values, op, scope)
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
