//! From our errors to Python's.

use palmette::graph::solve::{CgError, SolveError};
use palmette::{IoError, TreeError};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIndexError, PyIsADirectoryError, PyMemoryError, PyOSError,
    PyPermissionError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io::ErrorKind;
use std::str::FromStr;

create_exception!(
    palmette,
    ConvergenceError,
    PyValueError,
    "The solver stopped before the residual was small enough; see `iterations` and `residual`."
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

/// What a name stands for.
pub(crate) fn parsed<T: FromStr<Err: Display>>(name: &str) -> PyResult<T> {
    name.parse().map_err(value_error)
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Failure {
        Failure::Io(error)
    }
}

impl From<TreeError> for Failure {
    fn from(error: TreeError) -> Failure {
        match error {
            TreeError::NoRoom(_) => Failure::Memory(error.to_string()),
            error => Failure::Value(with(&error, tree_advice(&error))),
        }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        let text = with(&error, solve_advice(&error));
        match error {
            SolveError::Iteration(
                CgError::NotConverged { iterations, residual, .. }
                | CgError::Breakdown { iterations, residual, .. },
            )
            | SolveError::Accuracy { iterations, residual, .. } => {
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
            Failure::Panic(text) => PyRuntimeError::new_err(format!(
                "internal error in palmette, please report it: {text}"
            )),
        }
    }
}

/// An error about a file, with the keyword that helps.
pub(crate) fn advised(error: &IoError) -> String {
    with(error, file_advice(error))
}

fn with(error: &impl Display, advice: Option<&str>) -> String {
    match advice {
        Some(advice) => format!("{error}; {advice}"),
        None => error.to_string(),
    }
}

/// Which keyword helps: with the next two, the one table from library errors to keywords.
fn file_advice(error: &IoError) -> Option<&'static str> {
    Some(match error {
        IoError::Header { .. } => "pass header=True or header=False",
        IoError::ManyTrees { .. } => {
            "pass tree=K to take one of them, or tree=\"all\" to take all as a forest"
        }
        IoError::MissingLength { .. } => "pass missing_length to give it one",
        IoError::NoCoordinates { .. } => "pass xyz, a file that has them",
        IoError::OwnCoordinates { .. } => "leave out xyz",
        IoError::NoRoom { .. }
        | IoError::ManyVertices { .. }
        | IoError::Tree { source: TreeError::NoRoom(_), .. } => {
            "the program palmette-mpi splits a table of integers, a Parquet file of them or an npy \
             array over machines"
        }
        IoError::Symbol { .. } => {
            "pass type=\"dna\", \"protein\" or \"standard\", or alphabet, if it is another type"
        }
        IoError::OwnParent { .. } => "pass self_root=True to treat it as a root",
        IoError::Tree { source, .. } => return tree_advice(source),
        _ => return None,
    })
}

fn tree_advice(error: &TreeError) -> Option<&'static str> {
    Some(match error {
        TreeError::ManyRoots { .. } => "pass forest=True to allow several roots",
        _ => return None,
    })
}

fn solve_advice(error: &SolveError) -> Option<&'static str> {
    Some(match error {
        SolveError::Iteration(CgError::NotConverged { .. }) => {
            "a larger tolerance or max_iterations may help"
        }
        SolveError::Iteration(CgError::Breakdown { .. }) => "a larger tolerance may help",
        SolveError::Memory { .. } => "a larger memory may help",
        SolveError::Work { .. } => "a larger work, or another preconditioner, may help",
        SolveError::Accuracy { .. } => "pass a larger tolerance, or stop=\"backward\"",
        _ => return None,
    })
}

/// What the system says about a file is an `OSError`; what is in the file a `ValueError`.
fn from_file(error: IoError) -> PyErr {
    let text = advised(&error);
    match &error {
        IoError::Read { source, .. } | IoError::Write { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(text),
            _ => PyOSError::new_err(text),
        },
        IoError::NoRoom { .. } | IoError::Tree { source: TreeError::NoRoom(_), .. } => {
            PyMemoryError::new_err(text)
        }
        _ => PyValueError::new_err(text),
    }
}
