//! One aggregate from an array of parents, without a tree.

use super::make::wrong_parents;
use super::treefix::{Answer, cells_of};
use crate::prelude::*;
use palmette::{AggregateError, AggregateParams, aggregate_once};

/// An aggregate with an operator by name, from parents of 32 bits where all bits set is a root;
/// `signed` is how to name them. None where only a tree has an answer.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python has them by position")]
pub(crate) fn treefix_once<'py>(
    py: Python<'py>,
    way: &str,
    operator: &str,
    parents: &Array<'py, u32>,
    signed: bool,
    columns: Vec<Bound<'py, PyAny>>,
    forest: bool,
    threads: Option<usize>,
) -> PyResult<Option<Answer<'py>>> {
    let direction = parsed(way)?;
    let operator = crate::operator::operator(operator, false, None, 0)?;
    let (parents, columns) = (Lent::new(parents)?, Column::all(&columns)?);
    let answer = run(py, threads, parents.len(), move |_| {
        let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
        let params = AggregateParams::default();
        aggregate_once(&parents, forest, direction, operator, &values, &params).map_err(|error| {
            match error {
                AggregateError::Tree(error) => wrong_parents(error, signed),
                other => value(other),
            }
        })
    })?;
    answer.map(|answer| cells_of(py, answer.columns, answer.findings)).transpose()
}
