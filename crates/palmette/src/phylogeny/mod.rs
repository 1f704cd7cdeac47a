//! Phylogenies by name: what [`crate::phylo`] does with numbers, for trees, tables and alignments from
//! files.

pub mod diversity;
pub mod edit;
pub mod annotation;
pub mod colours;
pub mod drawn;
mod clades;
mod clock;
mod compare;
mod measures;

pub use clades::CladeTable;
pub use clock::{Clock, ClockError, decimal_year, read_dates};
pub use compare::{CompareInputError, Given, TreeSet};
pub use measures::{Ancestors, MeasureFigures, distance_table, tips_of};
pub mod parsimony;
