//! Aggregates over subtrees and root paths.

use super::Tree;
use crate::array::{LentMut, as_mut, fresh, numbers};
use crate::operator::{Callable, Pointer, with_column};
use crate::prelude::*;
use crate::work::guard;
use numpy::Element;
use palmette::core::operator::Operator;
use palmette::tree::by_vertex;
use palmette::{
    AggregateParams, AnswerColumn, Direction, Engine, Findings, Scope, Summation, TreefixParams,
    ValueSlice, Values, aggregate, aggregate_columns, aggregate_into,
};

/// The columns of an answer, and how many sums of finite numbers overflow.
pub(super) type Answer<'py> = (Vec<Bound<'py, PyAny>>, usize);

#[pymethods]
impl Tree {
    /// An aggregate with an operator by name.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn treefix<'py>(
        &self,
        py: Python<'py>,
        way: &str,
        operator: &str,
        columns: Vec<Bound<'py, PyAny>>,
        scope: &str,
        engine: &str,
        wrapping: bool,
        modulus: Option<u64>,
        seed: u64,
        sum: &str,
        error_bound: bool,
        preorder: bool,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Answer<'py>> {
        let direction = parsed(way)?;
        let operator = crate::operator::operator(operator, wrapping, modulus, seed)?;
        let params = AggregateParams {
            scope: parsed(scope)?,
            engine: parsed(engine)?,
            summation: parsed(sum)?,
            error_bound,
            preorder,
        };
        let columns = Column::all(&columns)?;
        let mut lent = out.map(LentMut::new).transpose()?;
        let data = self.data.clone();
        let work = move || {
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            let tree = &data.tree;
            let Some(out) = &mut lent else {
                let answer = aggregate(tree, direction, operator, &values, &params);
                return answer.map(|a| (a.columns, a.findings)).map_err(value);
            };
            apart(out, &values)?;
            let out = out.as_mut();
            let filled = aggregate_into(tree, direction, operator, &values, &params, out);
            filled.map(|f| (Vec::new(), f.findings)).map_err(value)
        };
        let (columns, findings) = self.pass(py, threads, &params, work)?;
        let (found, overflows) = cells_of(py, columns, findings)?;
        Ok((out.map_or(found, |out| vec![out.clone()]), overflows))
    }

    /// The sums of columns of numbers that lie row after row, plainly, with all defaults: one column
    /// or many. None where the array is not of a type that is read in place.
    #[expect(clippy::too_many_arguments, reason = "Python has them by position")]
    fn sums<'py>(
        &self,
        py: Python<'py>,
        down: bool,
        values: &Bound<'py, PyAny>,
        columns: Option<usize>,
        exclusive: bool,
        wrapping: bool,
        preorder: bool,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, usize)>> {
        let Some(column) = Column::of_any_shape(values) else { return Ok(None) };
        let direction = if down { Direction::Rootfix } else { Direction::Leaffix };
        let scope = if exclusive { Scope::Exclusive } else { Scope::Inclusive };
        let params = AggregateParams { scope, preorder, ..AggregateParams::default() };
        let mut lent = out.map(LentMut::new).transpose()?;
        let data = self.data.clone();
        let work = move || {
            let values = column.as_slice();
            let mut made = match lent {
                Some(_) => fresh(values.value_type(), 0),
                None => fresh(values.value_type(), values.len()),
            };
            let to = match &mut lent {
                Some(lent) => {
                    apart(lent, &[values])?;
                    lent.as_mut()
                }
                None => as_mut(&mut made),
            };
            let tree = &data.tree;
            let filled = match columns {
                None => {
                    let sum = palmette::Operator::Sum { wrapping };
                    aggregate_into(tree, direction, sum, &[values], &params, to)
                }
                Some(columns) => {
                    aggregate_columns(tree, direction, values, columns, wrapping, &params, to)
                }
            };
            filled.map(|filled| (made, filled.findings)).map_err(value)
        };
        let (made, findings) = self.pass(py, threads, &params, work)?;
        let overflows = findings.map_or(0, |found| found.overflows);
        let found = match out {
            Some(out) => out.clone(),
            None => numbers(py, made)?,
        };
        Ok(Some((found, overflows)))
    }

    /// Values by vertex in the order of the preorder, or (`back`) the other way round.
    fn permuted<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        back: bool,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column = Column::new(values)?;
        let data = self.data.clone();
        let moved = run(py, threads, data.tree.len(), move |_| {
            let tree = &data.tree;
            fn to<T: Copy + Send + Sync>(
                tree: &palmette::Tree,
                back: bool,
                values: &[T],
            ) -> Result<Vec<T>, Failure> {
                let moved = if back { tree.to_vertices(values) } else { tree.to_positions(values) };
                moved.map_err(value)
            }
            Ok(match column.as_slice() {
                ValueSlice::I64(x) => Values::I64(to(tree, back, x)?),
                ValueSlice::U64(x) => Values::U64(to(tree, back, x)?),
                ValueSlice::F64(x) => Values::F64(to(tree, back, x)?),
                ValueSlice::F32(x) => Values::F32(to(tree, back, x)?),
            })
        })?;
        numbers(py, moved)
    }

    /// An aggregate with a function in machine code, by its address and what keeps it there.
    #[expect(clippy::too_many_arguments, reason = "Python has them by name")]
    fn treefix_pointer<'py>(
        &self,
        py: Python<'py>,
        way: &str,
        address: usize,
        keep: Py<PyAny>,
        identity: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        scope: &str,
        engine: &str,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if address == 0 {
            return Err(PyValueError::new_err("expected the address of a function, found 0"));
        }
        let direction = parsed(way)?;
        let params = TreefixParams { scope: parsed(scope)?, engine: parsed(engine)? };
        with_column!(Column::new(values)?, column => {
            let op = Pointer::new(address, identity.extract()?);
            let data = self.data.clone();
            let found = run(py, threads, data.tree.len(), move |_| {
                // Code that someone compiled lives as long as the object that has it.
                let _kept = keep;
                treefix(&data.tree, direction, &column, &op, params)
            })?;
            Ok(array(py, found))
        })
    }

    /// An aggregate with a function in Python, called from this thread.
    fn treefix_callable<'py>(
        &self,
        py: Python<'py>,
        way: &str,
        function: Bound<'py, PyAny>,
        identity: &Bound<'py, PyAny>,
        values: &Bound<'py, PyAny>,
        scope: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let direction = parsed(way)?;
        let params = TreefixParams { scope: parsed(scope)?, engine: Engine::Sequential };
        with_column!(Column::new(values)?, column => {
            let op = Callable::new(function.unbind(), identity.extract()?);
            let tree = &self.data.tree;
            let found = guard(|| treefix(tree, direction, &column, &op, params));
            if let Some(error) = op.error() {
                return Err(error);
            }
            Ok(array(py, found?))
        })
    }
}

/// The columns of an answer as arrays.
pub(super) fn cells_of<'py>(
    py: Python<'py>,
    columns: Vec<AnswerColumn>,
    findings: Option<Findings>,
) -> PyResult<Answer<'py>> {
    let found: PyResult<Vec<_>> =
        columns.into_iter().map(|column| cells(py, column.cells)).collect();
    Ok((found?, findings.map_or(0, |found| found.overflows)))
}

impl Tree {
    /// A pass over the tree. Short ones run on this thread: they end before another would wake up.
    fn pass<T: Send + 'static>(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        params: &AggregateParams,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let AggregateParams { engine, summation, error_bound, .. } = *params;
        let sequential = matches!(engine, Engine::Auto | Engine::Sequential)
            && summation == Summation::Plain
            && !error_bound;
        if sequential && self.data.tree.len() < Engine::PARALLEL_FROM {
            return Ok(py.detach(|| guard(work))?);
        }
        run(py, threads, self.data.tree.len(), move |_| work())
    }
}

/// Answers are not written over values that are still to be read.
fn apart(out: &LentMut, values: &[ValueSlice<'_>]) -> Result<(), Failure> {
    match values.iter().any(|&values| out.overlaps(values)) {
        true => Err(value("out: expected an array that shares no memory with values")),
        false => Ok(()),
    }
}

fn array<'py, T: Element>(py: Python<'py>, values: Vec<T>) -> Bound<'py, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}

/// Values and answers by vertex.
fn treefix<M: Operator>(
    tree: &palmette::Tree,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
) -> Result<Vec<M::Elem>, Failure> {
    let mut found = vec![op.identity(); tree.len()];
    let order = tree.vertex_order();
    by_vertex(tree, order, direction, values, op, params, &mut found).map_err(value)?;
    Ok(found)
}
