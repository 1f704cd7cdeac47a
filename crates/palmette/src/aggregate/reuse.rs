//! Aggregates into memory of the caller's, and of many columns at once.

use super::problem::Treefix;
use super::*;
use palmette_core::memory::kept::{self, Kept};
use palmette_tree::sum::{Findings, Float, SumParams, vertex_findings, vertex_sums_into};
use palmette_tree::sum_columns;

/// Numbers of one of the four types that someone else owns.
#[derive(Debug)]
pub enum ValuesMut<'a> {
    /// Signed integers.
    I64(&'a mut [i64]),
    /// Unsigned integers.
    U64(&'a mut [u64]),
    /// Double precision.
    F64(&'a mut [f64]),
    /// Single precision.
    F32(&'a mut [f32]),
}

impl ValuesMut<'_> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            ValuesMut::I64(x) => x.len(),
            ValuesMut::U64(x) => x.len(),
            ValuesMut::F64(x) => x.len(),
            ValuesMut::F32(x) => x.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their type.
    pub fn value_type(&self) -> ValueType {
        match self {
            ValuesMut::I64(_) => ValueType::I64,
            ValuesMut::U64(_) => ValueType::U64,
            ValuesMut::F64(_) => ValueType::F64,
            ValuesMut::F32(_) => ValueType::F32,
        }
    }
}

/// What is known of an answer that went elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filled {
    /// Which engine ran, where there is a choice.
    pub engine: Option<Engine>,
    /// What is not finite, where floats were summed.
    pub findings: Option<Findings>,
}

/// As [`aggregate`], for an operator with one column of answers, which goes into `out`. Plain sums
/// are written there directly. After an error, `out` holds anything.
///
/// ```
/// use palmette::{AggregateParams, Direction, NONE, Operator, Tree, ValueSlice, ValuesMut, aggregate_into};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let (values, mut sums) = ([ValueSlice::I64(&[5, -7, 0, 9])], [0; 4]);
/// let params = AggregateParams::default();
/// aggregate_into(&tree, Direction::Leaffix, Operator::SUM, &values, &params, ValuesMut::I64(&mut sums))?;
/// assert_eq!(sums, [-2, -7, 7, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`aggregate`]; also when the answer has another type or length than `out`, or several columns.
pub fn aggregate_into(
    tree: &Tree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
    out: ValuesMut<'_>,
) -> Result<Filled, AggregateError> {
    let &AggregateParams { scope, engine, summation, error_bound, .. } = params;
    let order = params.order(tree);
    check_out(tree.len(), &out)?;
    if let (Operator::Sum { wrapping }, Summation::Plain, false) =
        (operator, summation, error_bound)
    {
        check(tree.len(), operator, values)?;
        let problem = Treefix { tree, order, direction, scope, engine };
        let sums = SumParams { scope, engine, summation, bounds: false };
        let floats = |found: Result<(Engine, Findings), _>| {
            let (engine, findings) = found?;
            Ok(Filled { engine: Some(engine), findings: Some(findings) })
        };
        match (values[0], out) {
            (ValueSlice::F64(x), ValuesMut::F64(out)) => {
                return floats(vertex_sums_into(tree, order, direction, x, sums, out));
            }
            (ValueSlice::F32(x), ValuesMut::F32(out)) => {
                return floats(vertex_sums_into(tree, order, direction, x, sums, out));
            }
            (ValueSlice::I64(x), ValuesMut::I64(out)) => {
                return dispatch::sum_into(&problem, x, wrapping, out);
            }
            (ValueSlice::U64(x), ValuesMut::U64(out)) => {
                return dispatch::sum_into(&problem, x, wrapping, out);
            }
            (x, out) => {
                let (expected, actual) = (x.value_type(), out.value_type());
                return Err(AggregateError::OutType { expected, actual });
            }
        }
    }
    let answer = aggregate(tree, direction, operator, values, params)?;
    let filled = Filled { engine: answer.engine, findings: answer.findings };
    let columns = answer.columns.len();
    let Some(AnswerCells::Numbers(found)) = answer.into_cells().filter(|_| columns == 1) else {
        return Err(AggregateError::Out { operator: operator.name() });
    };
    match (found, out) {
        (Values::I64(x), ValuesMut::I64(out)) => copy(x, out),
        (Values::U64(x), ValuesMut::U64(out)) => copy(x, out),
        (Values::F64(x), ValuesMut::F64(out)) => copy(x, out),
        (Values::F32(x), ValuesMut::F32(out)) => copy(x, out),
        (found, out) => {
            let (expected, actual) = (found.value_type(), out.value_type());
            return Err(AggregateError::OutType { expected, actual });
        }
    }
    Ok(filled)
}

fn check_out(expected: usize, out: &ValuesMut<'_>) -> Result<(), AggregateError> {
    match out.len() {
        actual if actual == expected => Ok(()),
        actual => Err(AggregateError::OutLength { expected, actual }),
    }
}

fn copy<T: Kept>(from: Vec<T>, to: &mut [T]) {
    to.copy_from_slice(&from);
    kept::give(from);
}

/// The sums of every column of a matrix with one row per vertex, row after row: one pass over the
/// tree for all columns. Floats are added plainly, in the order of the sequential engine.
///
/// ```
/// use palmette::{Direction, NONE, Tree, ValueSlice, ValuesMut, aggregate_columns};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2])?;
/// let (values, mut sums) = ([1.0, 5.0, 10.0, 6.0, 100.0, 7.0, 1000.0, 8.0], [0.0; 8]);
/// let (values, out) = (ValueSlice::F64(&values), ValuesMut::F64(&mut sums));
/// aggregate_columns(&tree, Direction::Rootfix, values, 2, false, &Default::default(), out)?;
/// assert_eq!(sums, [101.0, 12.0, 111.0, 18.0, 100.0, 7.0, 1100.0, 15.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a matrix has not one row of so many columns per vertex, types differ, or a sum of integers
/// does not fit and is not `wrapping`.
pub fn aggregate_columns(
    tree: &Tree,
    direction: Direction,
    values: ValueSlice<'_>,
    columns: usize,
    wrapping: bool,
    params: &AggregateParams,
    out: ValuesMut<'_>,
) -> Result<Filled, AggregateError> {
    if params.summation != Summation::Plain || params.error_bound {
        return Err(AggregateError::PlainColumns);
    }
    if !matches!(params.engine, Engine::Auto | Engine::Sequential) {
        return Err(AggregateError::ColumnEngine { engine: params.engine });
    }
    check_out(tree.len() * columns, &out)?;
    if values.len() != tree.len() * columns {
        let (expected, actual) = (tree.len() * columns, values.len());
        return Err(AggregateError::Length { column: 1, expected, actual });
    }
    if columns == 0 {
        return Ok(Filled { engine: None, findings: None });
    }
    if columns == 1 {
        let sum = Operator::Sum { wrapping };
        return aggregate_into(tree, direction, sum, &[values], params, out);
    }
    let (scope, order) = (params.scope, params.order(tree));
    let shape = Shape { tree, order, direction, columns, scope, wrapping };
    match (values, out) {
        (ValueSlice::F64(x), ValuesMut::F64(out)) => shape.floats(x, out),
        (ValueSlice::F32(x), ValuesMut::F32(out)) => shape.floats(x, out),
        (ValueSlice::I64(x), ValuesMut::I64(out)) => shape.integers(x, out),
        (ValueSlice::U64(x), ValuesMut::U64(out)) => shape.integers(x, out),
        (values, out) => {
            let (expected, actual) = (values.value_type(), out.value_type());
            Err(AggregateError::OutType { expected, actual })
        }
    }
}

struct Shape<'a> {
    tree: &'a Tree,
    order: VertexOrder<'a>,
    direction: Direction,
    columns: usize,
    scope: Scope,
    wrapping: bool,
}

impl Shape<'_> {
    fn column<T: Copy>(&self, matrix: &[T], column: usize) -> Vec<T> {
        matrix.iter().skip(column).step_by(self.columns).copied().collect()
    }

    fn floats<T: Float>(&self, x: &[T], out: &mut [T]) -> Result<Filled, AggregateError> {
        let &Shape { tree, order, direction, columns, scope, .. } = self;
        let doubt = sum_columns(tree, order, direction, x, columns, scope, out)?;
        let mut findings = Findings::default();
        // As a rule there is nothing to find. A value that is left out may be part of no sum.
        let finite = |x: &[T]| x.iter().fold(true, |all, x| all & x.as_f64().is_finite());
        if doubt || scope == Scope::Exclusive && !finite(x) {
            for column in 0..columns {
                let (x, sums) = (self.column(x, column), self.column(out, column));
                findings = findings.and(vertex_findings(tree, order, direction, &x, scope, &sums)?);
            }
        }
        Ok(Filled { engine: Some(Engine::Sequential), findings: Some(findings) })
    }

    fn integers<T: Number>(&self, x: &[T], out: &mut [T]) -> Result<Filled, AggregateError> {
        let &Shape { tree, order, direction, columns, scope, wrapping } = self;
        let doubt = sum_columns(tree, order, direction, x, columns, scope, out)?;
        if !wrapping && doubt {
            let problem = Treefix { tree, order, direction, scope, engine: Engine::Sequential };
            for column in 0..columns {
                let (x, sums) = (self.column(x, column), self.column(out, column));
                dispatch::check_sums(&problem, &x, &sums)?;
            }
        }
        Ok(Filled { engine: Some(Engine::Sequential), findings: None })
    }
}
