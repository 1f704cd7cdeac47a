//! Records as Python and notebooks see them.

use crate::error::value_error;
use palmette::Record;
use pyo3::prelude::*;

/// A record, given as JSON, for a notebook.
#[pyfunction]
pub(crate) fn record_html(json: &str) -> PyResult<String> {
    let record: Record = serde_json::from_str(json).map_err(value_error)?;
    Ok(palmette_report::notebook(&record))
}

/// A picture, given as SVG, for a notebook.
#[pyfunction]
pub(crate) fn picture_html(title: &str, svg: &str) -> String {
    palmette_report::image(title, svg)
}
