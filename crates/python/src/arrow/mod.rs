//! Arrow's PyCapsule interface: columns of other libraries where they lie (`import`, `numbers`), and
//! results for them (`export`). It needs none of these libraries, nor Arrow's.

mod abi;
mod export;
mod import;
mod numbers;

pub(crate) use export::Arrow;
pub(crate) use import::Imported;
pub(crate) use numbers::arrow_numbers;
