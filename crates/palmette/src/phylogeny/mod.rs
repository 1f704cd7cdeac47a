//! Phylogenies by name: what [`crate::phylo`] does with numbers, for trees, tables and alignments from
//! files.

pub mod diversity;
pub mod edit;
pub mod annotation;
pub mod colours;
pub mod drawn;
