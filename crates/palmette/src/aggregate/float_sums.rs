//! Sums of floats by vertex.

use super::problem::wrong_length;
use super::*;
use palmette_tree::sum::{Float, SumParams, tree_sums};

/// The sums, and before them the bounds if these are wanted.
pub(super) fn float_sums<T: Float>(
    tree: &Tree,
    direction: Direction,
    x: &[T],
    params: &AggregateParams,
) -> Result<Answer, AggregateError>
where
    Values: From<Vec<T>>,
{
    let &AggregateParams { scope, engine, summation, error_bound: bounds, .. } = params;
    let values = tree.to_positions(x).map_err(wrong_length)?;
    let found =
        tree_sums(tree, direction, &values, SumParams { scope, engine, summation, bounds })?;
    let mut columns = Vec::new();
    if let Some(bounds) = &found.bounds {
        let bounds = tree.to_vertices(bounds).map_err(wrong_length)?;
        columns.push(AnswerColumn::numbers(Answer::BOUND, bounds));
    }
    let sums = tree.to_vertices(&found.sums).map_err(wrong_length)?;
    columns.push(AnswerColumn::numbers(OperatorName::Sum.name(), sums));
    let (engine, findings) = (Some(found.engine), Some(found.findings));
    Ok(Answer { columns, present: None, engine, findings })
}
