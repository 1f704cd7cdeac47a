//! Memory that is kept for the next answers.

use palmette::core::memory::kept;
use pyo3::prelude::*;

/// Sets how many bytes of freed answers are kept; 0 keeps none.
#[pyfunction]
pub(crate) fn set_kept_memory(bytes: usize) {
    kept::set_limit(bytes);
}

/// How many bytes of freed answers are kept at most.
#[pyfunction]
pub(crate) fn get_kept_memory() -> usize {
    kept::limit()
}
