//! Meshes cut into parts, the parts placed on the processors of a machine, and what they
//! exchange routed over its links.
//!
//! | stage | answer | folder |
//! |---|---|---|
//! | [`quotient`] | what parts exchange | `quotient.rs` |
//!
#![deny(missing_docs)]

pub mod cut_tree;
pub mod quotient;

pub use cut_tree::CutTree;
pub use quotient::Quotient;
