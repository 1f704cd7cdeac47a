//! The study of sparsifiers: engines, growth, memory, rules.

pub mod engines;
pub mod growth;
pub mod input;
pub mod memory;
pub mod plain;
pub mod rules;
