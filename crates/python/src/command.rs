//! The command `palmette`, for processes that Python starts to run it and nothing else.

use palmette_cli::Invocation;
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command to its end; returns its exit code. `program` starts it once more.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, program: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    let invocation = Invocation { program: Some(program), arguments };
    py.detach(|| palmette_cli::run(invocation))
}
