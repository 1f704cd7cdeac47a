//! Aggregates over subtrees and root paths.

use super::Tree;
use crate::operator::{Callable, Pointer, with_column};
use crate::prelude::*;
use crate::work::guard;
use numpy::Element;
use palmette::core::operator::Operator;
use palmette::{
    AggregateParams, Direction, Engine, TreefixError, TreefixParams, aggregate, leaffix, rootfix,
};

/// The columns of an answer, and how many sums of finite numbers overflow.
type Answer<'py> = (Vec<Bound<'py, PyAny>>, usize);

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
        threads: Option<usize>,
    ) -> PyResult<Answer<'py>> {
        let direction = parsed(way)?;
        let operator = crate::operator::operator(operator, wrapping, modulus, seed)?;
        let params = AggregateParams {
            scope: parsed(scope)?,
            engine: parsed(engine)?,
            summation: parsed(sum)?,
            error_bound,
        };
        let columns = Column::all(&columns)?;
        let data = self.data.clone();
        let answer = run(py, threads, data.tree.len(), move |_| {
            let values: Vec<_> = columns.iter().map(Column::as_slice).collect();
            aggregate(&data.tree, direction, operator, &values, &params).map_err(value)
        })?;
        let overflows = answer.findings.map_or(0, |found| found.overflows);
        let found = answer.columns.into_iter().map(|column| cells(py, column.cells)).collect();
        Ok((found, overflows))
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
                by_vertex(&data.tree, direction, &column, &op, params)
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
            let found = guard(|| alone(tree, direction, &column, &op, params));
            if let Some(error) = op.error() {
                return Err(error);
            }
            Ok(array(py, found?))
        })
    }
}

fn array<'py, T: Element>(py: Python<'py>, values: Vec<T>) -> Bound<'py, PyAny> {
    PyArray1::from_vec(py, values).into_any()
}

/// Values and answers by vertex, on this thread alone.
fn alone<M: Operator>(
    tree: &palmette::Tree,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
) -> Result<Vec<M::Elem>, Failure> {
    let (expected, actual) = (tree.len(), values.len());
    if actual != expected {
        return Err(value(TreefixError::Length { expected, actual }));
    }
    let lie: Vec<M::Elem> = tree.vertices().iter().map(|&v| values[v as usize]).collect();
    let found = match direction {
        Direction::Leaffix => leaffix(tree, &lie, op, params),
        Direction::Rootfix => rootfix(tree, &lie, op, params),
    };
    let found = found.map_err(value)?;
    Ok(tree.positions().iter().map(|&p| found[p as usize]).collect())
}

/// Values and answers by vertex.
fn by_vertex<M: Operator>(
    tree: &palmette::Tree,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
) -> Result<Vec<M::Elem>, Failure> {
    let lie = tree.to_positions(values).map_err(value)?;
    let found = match direction {
        Direction::Leaffix => leaffix(tree, &lie, op, params),
        Direction::Rootfix => rootfix(tree, &lie, op, params),
    };
    tree.to_vertices(&found.map_err(value)?).map_err(value)
}
