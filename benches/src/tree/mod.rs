//! The tree study: prepared passes, one answer from raw parents, operators,
//! engines, and lowest common ancestors.

pub mod engines;
pub mod goals;
pub mod input;
pub mod lca;
pub mod peers;
pub mod prepared;
pub mod raw;
