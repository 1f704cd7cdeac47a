//! What most files of the extension use.

pub(crate) use crate::array::{Array, Column, Lent, cells, pairs, signed, vertices};
pub(crate) use crate::error::{Failure, parsed, value, value_error};
pub(crate) use crate::work::run;
pub(crate) use numpy::PyArray1;
pub(crate) use palmette::{NONE, pictures};
pub(crate) use pyo3::exceptions::PyValueError;
pub(crate) use pyo3::prelude::*;
pub(crate) use std::path::PathBuf;
pub(crate) use std::sync::Arc;

/// Attributes that are read off an object.
macro_rules! getters {
    ($of:ident: $($name:ident: $kind:ty = |$this:ident| $found:expr;)+) => {
        #[pymethods]
        impl $of {
            $(#[getter]
            fn $name(&self) -> $kind {
                let $this = self;
                $found
            })+
        }
    };
}
pub(crate) use getters;
