//! Records as Python and notebooks see them.

use crate::error::value_error;
use palmette::{Figures, Record};
use pyo3::prelude::*;
use serde_json::Value;

/// The figures of results as JSON, under the names that records have.
pub(crate) fn figures(results: &[&dyn Figures]) -> String {
    let mut record = Record::default();
    results.iter().for_each(|result| result.figures(&mut record));
    Value::Object(record.result).to_string()
}

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
