//! Phylogenies by name: what [`crate::phylo`] does with numbers, for trees, tables and alignments from
//! files.

pub mod parsimony;
