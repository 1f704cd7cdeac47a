//! Aggregates over subtrees and root paths.

use super::Tree;
use crate::array::{LentMut, Summands, as_mut, fresh, numbers};
use crate::operator::{Callable, Pointer, with_column};
use crate::prelude::*;
use crate::work::{count, guard};
use numpy::Element;
use palmette::core::operator::Operator;
use palmette::core::tree::VertexOrder;
use palmette::tree::by_vertex;
use palmette::{
    AggregateParams, AnswerColumn, Direction, Engine, Findings, Scope, Summation, TreefixParams,
    ValueSlice, Values, ValuesMut, aggregate, aggregate_alone, aggregate_columns, aggregate_into,
};

/// From here on loops of the library are shared out.
const SHORT: usize = 1 << 14;

/// Passes over more vertices are left to a pool, where they can be interrupted.
const ALONE: usize = 1 << 22;

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
            apart(values.iter().any(|&values| out.overlaps(values)))?;
            let out = out.as_mut();
            let filled = aggregate_into(tree, direction, operator, &values, &params, out);
            filled.map(|f| (Vec::new(), f.findings)).map_err(value)
        };
        let n = self.data.tree.len();
        let (columns, findings) = self.pass(py, threads, &params, n, work)?;
        let (found, overflows) = cells_of(py, columns, findings)?;
        Ok((out.map_or(found, |out| vec![out.clone()]), overflows))
    }

    /// The sums of one column with all defaults, on this thread: it would take longer to wake another.
    /// None where several threads are better, or something is unusual.
    fn plain_sums<'py>(
        &self,
        py: Python<'py>,
        down: bool,
        values: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tree = &self.data.tree;
        if tree.len() > ALONE {
            return Ok(None);
        }
        let Some(given) = Summands::new(values) else { return Ok(None) };
        let mut lent = match out.map(LentMut::new).transpose() {
            Ok(lent) => lent,
            // It is checked again, with all that may be wrong with it.
            Err(_) => return Ok(None),
        };
        let n = given.len();
        let fits = |lent: &LentMut| lent.len() == n && !lent.meets(given.place());
        if n != tree.len() || lent.as_ref().is_some_and(|lent| !fits(lent)) {
            return Ok(None);
        }
        let direction = if down { Direction::Rootfix } else { Direction::Leaffix };
        let narrow = self.sweeps_narrow(&given, false);
        let threads = if narrow || tree.len() < Engine::PARALLEL_FROM { 1 } else { count(threads) };
        let (mut made, params) = (None, AggregateParams::default());
        let to = match &mut lent {
            Some(lent) => lent.as_mut(),
            None => as_mut(made.insert(fresh(given.value_type(), n))),
        };
        let (data, given) = (&self.data, &given);
        let work = move || {
            let (tree, narrow) = (&data.tree, given.as_narrow());
            Ok(aggregate_alone(tree, direction, narrow, false, &params, threads, to))
        };
        if py.detach(|| guard(work))?.is_none() {
            return Ok(None);
        }
        match (out, made) {
            (Some(out), _) => Ok(Some(out.clone())),
            (None, Some(made)) => Ok(Some(numbers(py, made)?)),
            (None, None) => Ok(None),
        }
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
        let Some(given) = Summands::new(values) else { return Ok(None) };
        let direction = if down { Direction::Rootfix } else { Direction::Leaffix };
        let scope = if exclusive { Scope::Exclusive } else { Scope::Inclusive };
        let params = AggregateParams { scope, preorder, ..AggregateParams::default() };
        let mut lent = out.map(LentMut::new).transpose()?;
        let data = self.data.clone();
        let narrow = columns.is_none() && self.sweeps_narrow(&given, preorder);
        let work = move || {
            let kind = given.value_type();
            let mut made = match lent {
                Some(_) => fresh(kind, 0),
                None => fresh(kind, given.len()),
            };
            if let Some(lent) = &lent {
                apart(lent.meets(given.place()))?;
            }
            let tree = &data.tree;
            if narrow {
                let narrow = given.as_narrow();
                let to = target(&mut lent, &mut made);
                let found = aggregate_alone(tree, direction, narrow, wrapping, &params, 1, to);
                if let Some(filled) = found {
                    return Ok((made, filled.findings));
                }
            }
            let column = given.widened();
            let (values, to) = (column.as_slice(), target(&mut lent, &mut made));
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
        // Columns are shared out, even those of small trees.
        let size = if columns.is_some() { usize::MAX } else { self.data.tree.len() };
        let (made, findings) = self.pass(py, threads, &params, size, work)?;
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
    /// Whether narrow numbers are summed where they lie: in order, one sweep takes no longer than
    /// widening them.
    fn sweeps_narrow(&self, given: &Summands, preorder: bool) -> bool {
        let in_order = preorder || self.data.tree.vertex_order() != VertexOrder::Other;
        in_order && matches!(given, Summands::Narrow(_))
    }

    /// A pass over so many numbers. Short ones run on this thread: they end before another would wake
    /// up. Nothing that they do may start a pool outside of ours, which a forked process would wait for.
    fn pass<T: Send + 'static>(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        params: &AggregateParams,
        size: usize,
        work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let AggregateParams { engine, summation, error_bound, .. } = *params;
        let sequential = matches!(engine, Engine::Auto | Engine::Sequential)
            && summation == Summation::Plain
            && !error_bound;
        if sequential && size < SHORT {
            return Ok(py.detach(|| guard(work))?);
        }
        run(py, threads, self.data.tree.len(), move |_| work())
    }
}

/// Where answers go: into an array of the caller's, or into a vector made for them.
fn target<'a>(lent: &'a mut Option<LentMut>, made: &'a mut Values) -> ValuesMut<'a> {
    match lent {
        Some(lent) => lent.as_mut(),
        None => as_mut(made),
    }
}

/// Answers are not written over values that are still to be read.
fn apart(overlaps: bool) -> Result<(), Failure> {
    match overlaps {
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
