//! Phylogenies by name: what [`crate::phylo`] does with numbers, for trees, tables and alignments from
//! files.

pub mod annotation;
mod clades;
mod clock;
pub mod colours;
mod compare;
mod distances;
pub mod diversity;
pub mod drawn;
pub mod edit;
mod measures;
mod rooting;

pub use clades::CladeTable;
pub use clock::{Clock, ClockError, decimal_year, read_dates};
pub use compare::{CompareInputError, Given, TreeSet};
pub use distances::{TreeMetric, tree_distances};
pub use measures::{Ancestors, MeasureFigures, distance_table, tips_of};
pub use rooting::StatedRooting;
pub mod parsimony;
pub mod sliced;
