//! What `palmette` and `palmette-mpi` say in the same words: arguments that both take, how they
//! are read, and what people hear.
//!
//! Internal: its interface may change in any release.
//!
//! | to read or say | use |
//! |---|---|
//! | one of the names of an enum, or of some of its variants | [`named`], [`one_of`] |
//! | an operator with its parameters, or a measure | [`operation`], [`OperatorOptions`], [`Rootfix`], [`Leaffix`] |
//! | where values come from, and their type | [`ValueOptions`], [`ValueSource`] |
//! | how floats are summed, and what is not finite | [`SumOptions`], [`note_of_values`] |
//! | an alignment and costs of changes | [`AlignmentOptions`] |
//! | a number of bytes, such as `8G` | [`bytes`], [`shown_bytes`] |
//! | what was typed, for records | [`typed`] |
//! | which option helps after an error | [`input_advice`] |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod advice;
mod alignment;
mod command_line;
mod names;
mod operation;
mod size;
mod sums;
mod values;

pub use advice::input_advice;
pub use alignment::AlignmentOptions;
pub use command_line::{quoted, typed};
pub use names::{named, one_of};
pub use operation::{Leaffix, Operation, OperatorOptions, Rootfix, operation};
pub use size::{bytes, shown_bytes};
pub use sums::{SumOptions, note_of_overflow, note_of_values};
pub use values::{TypeOption, ValueOptions, ValueSource, value_source};
