//! What the studies share: fair timing, plain loops, machine limits, tables.
#![deny(missing_docs)]

pub mod machine;
pub mod plain;
pub mod spatial;
pub mod table;
pub mod timing;
pub mod tree;
