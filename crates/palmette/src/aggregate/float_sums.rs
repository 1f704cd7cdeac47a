//! Sums of floats by vertex.

use super::*;
use palmette_tree::sum::{Float, SumParams, vertex_sums};

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
    let sums = SumParams { scope, engine, summation, bounds };
    let found = vertex_sums(tree, params.order(tree), direction, x, sums)?;
    let mut columns = Vec::new();
    if let Some(bounds) = found.bounds {
        columns.push(AnswerColumn::numbers(Answer::BOUND, bounds));
    }
    columns.push(AnswerColumn::numbers(OperatorName::Sum.name(), found.sums));
    let (engine, findings) = (Some(found.engine), Some(found.findings));
    Ok(Answer { columns, present: None, engine, findings })
}
