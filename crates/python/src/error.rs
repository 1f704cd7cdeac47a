//! From our errors to Python's.

use palmette::graph::solve::SolveError;
use palmette::{IoError, TreeError};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIndexError, PyIsADirectoryError, PyMemoryError, PyOSError,
    PyPermissionError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io::ErrorKind;

create_exception!(
    palmette,
    ConvergenceError,
    PyValueError,
    "Iterations ended before the residual was small enough; `iterations` and `residual` say where."
);

/// Why work ended without an answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What is wrong with a value.
    Value(String),
    /// What is wrong with a type.
    Type(String),
    /// What is wrong with an index.
    Index(String),
    /// What is wrong with a file.
    Io(IoError),
    /// Where iterations stopped.
    Convergence { text: String, iterations: usize, residual: f64 },
    /// What does not fit.
    Memory(String),
    /// Our fault.
    Panic(String),
}

/// An error about a value, with its text.
pub(crate) fn value(error: impl Display) -> Failure {
    Failure::Value(error.to_string())
}

/// The same for functions that answer Python right away.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Failure {
        Failure::Io(error)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let text = error.to_string();
        match error {
            SolveError::NotConverged { iterations, residual, .. }
            | SolveError::Breakdown { iterations, residual, .. } => {
                Failure::Convergence { text, iterations, residual }
            }
            SolveError::Vertex { .. } => Failure::Index(text),
            _ => Failure::Value(text),
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Value(text) => PyValueError::new_err(text),
            Failure::Type(text) => PyTypeError::new_err(text),
            Failure::Index(text) => PyIndexError::new_err(text),
            Failure::Io(error) => from_file(error),
            Failure::Memory(text) => PyMemoryError::new_err(text),
            Failure::Convergence { text, iterations, residual } => Python::attach(|py| {
                let error = ConvergenceError::new_err(text);
                let value = error.value(py);
                let noted = value
                    .setattr("iterations", iterations)
                    .and_then(|()| value.setattr("residual", residual));
                noted.err().unwrap_or(error)
            }),
            Failure::Panic(text) => {
                PyRuntimeError::new_err(format!("palmette failed, please report this: {text}"))
            }
        }
    }
}

/// What the system says about a file is an `OSError`; what is in the file a `ValueError`.
fn from_file(error: IoError) -> PyErr {
    let text = error.to_string();
    match &error {
        IoError::Read { source, .. } | IoError::Write { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(text),
            _ => PyOSError::new_err(text),
        },
        IoError::Tree { source: TreeError::NoRoom(_), .. } => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
