//! Phylogenies by name: what [`crate::phylo`] does with numbers, for trees, tables and alignments from
//! files.

pub mod annotation;
mod clades;
mod clock;
pub mod colours;
mod compare;
pub mod diversity;
pub mod drawn;
pub mod edit;
mod measures;

pub use clades::CladeTable;
pub use clock::{Clock, ClockError, decimal_year, read_dates};
pub use compare::{CompareInputError, Given, TreeSet};
pub use measures::{Ancestors, MeasureFigures, distance_table, tips_of};
pub mod parsimony;
