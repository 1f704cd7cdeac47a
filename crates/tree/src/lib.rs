//! Aggregates over trees and ancestor queries, one folder per problem and one file per engine.
//!
//! | problem | answer at a vertex | folder |
//! |---|---|---|
//! | [`rootfix`] | the product of the values on the path from the root | `rootfix/` |
//! | [`leaffix`] | the product of the values in its subtree, in preorder | `leaffix/` |
//! | [`fold`] | a map of the sum over its children, and of its parent; many columns at once | `fold/` |
//! | [`sum`] | either, for sums of floats: compensated, exact, with error bounds | `sum/` |
//! | [`lca`] | the lowest common ancestor of two vertices, tree distances | `lca/` |
//! | [`distributed`] | rootfix, leaffix and ancestors of trees on many ranks | `distributed/` |
//! | [`dynamic`] | roots, ancestors and products along paths of forests whose edges come and go | `dynamic/` |
//! | [`paths`] | ancestors by number, products along paths, centroid, diameter | `paths/` |
//!
//! Everything here works by *position* (see [`palmette_core`]): values go in and
//! come out in the tree's preorder, so that a pass streams through memory. Only [`by_vertex`] and
//! [`sum_columns`] take and give them in the order of the user's vertices.
#![deny(missing_docs)]

mod blocks;
mod by_vertex;
mod columns;
mod contraction;
pub mod distributed;
pub mod dynamic;
mod engine;
pub mod fold;
pub mod lca;
pub mod leaffix;
pub mod paths;
pub mod rootfix;
pub mod sum;
mod tour;
mod watched;

pub use by_vertex::{by_vertex, sums_alone, sums_by_vertex};
pub use columns::sum_columns;
pub use contraction::{Contraction, Rake, Round, Splice};
pub use engine::{Direction, Engine, Scope, TreefixError, TreefixParams};
pub use tour::EulerTour;
