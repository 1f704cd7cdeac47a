//! Kernels on whatever device there is (in `make test`, Mesa's in software) against the engines
//! of the host.
//!
//! | module | what |
//! |---|---|
//! | `open` | the devices, as given and with small limits that split arrays |
//! | `treefix` | operators × shapes × directions × scopes × engines × sizes |
//! | `bound` | bounds on what sums may lose |
//! | `columns` | several columns at once, with little memory |
//! | `trees` | many small trees at once, whole and in loads |
//! | `float` | sums that round, with bounds |
//! | `lca` | shapes × sizes, all pairs of small trees |
//! | `paths` | operators × shapes, on vertices and on edges |
//! | `errors` | what may go wrong |
#![allow(clippy::unwrap_used)]

mod bound;
mod columns;
mod errors;
mod float;
mod lca;
mod open;
mod paths;
mod treefix;
mod trees;
