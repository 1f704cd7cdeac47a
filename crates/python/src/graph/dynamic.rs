//! Skeletons that follow a graph.

use super::Graph;
use crate::prelude::*;
use palmette::graph::dynamic::{
    DynamicError, DynamicParams, DynamicSolver, DynamicSparsifier, Update,
};
use palmette::graph::solve::CgParams;
use palmette::graph::sparsify::SparsifyParams;
use palmette::io::{Change, GraphFile};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A graph that changes, and its skeleton; `palmette.DynamicSparsifier` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Dynamic {
    solver: Arc<Mutex<DynamicSolver>>,
}

/// Potentials, iterations, the residual and the residuals on the way.
type Solved<'py> = (Array<'py, f64>, usize, f64, Array<'py, f64>);

impl From<DynamicError> for Failure {
    fn from(error: DynamicError) -> Failure {
        match error {
            DynamicError::Solve(error) => error.into(),
            DynamicError::Vertex { .. } => Failure::Index(error.to_string()),
            DynamicError::Exists { .. } | DynamicError::Missing { .. } => {
                value(format!("{error}; pass upsert=True to DynamicSparsifier to allow it"))
            }
            other => value(other),
        }
    }
}

/// How a skeleton follows.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
struct FollowOptions {
    budget: Option<String>,
    most: Option<String>,
    share: Option<f64>,
    condition: Option<f64>,
    refresh: Option<f64>,
    upsert: bool,
}

#[pymethods]
impl Graph {
    /// A skeleton that follows the graph.
    fn dynamic(
        &self,
        py: Python<'_>,
        options: FollowOptions,
        threads: Option<usize>,
    ) -> PyResult<Dynamic> {
        let defaults = DynamicParams::default();
        let budget = options.budget.as_deref().map_or(Ok(defaults.sparsify.budget), parsed)?;
        let condition = options.condition;
        let params = DynamicParams {
            sparsify: SparsifyParams { budget, condition, ..defaults.sparsify },
            most: options.most.as_deref().map_or(Ok(defaults.most), parsed)?,
            share: options.share.unwrap_or(defaults.share),
            condition,
            refresh: options.refresh.unwrap_or(defaults.refresh),
            upsert: options.upsert,
        };
        let file = self.file.clone();
        let made = run(py, threads, usize::MAX, move |_| {
            if file.netlist.is_some() {
                return Err(value("a netlist; updates are of graphs of weights"));
            }
            Ok(DynamicSolver::new(&file.graph, &params)?)
        })?;
        Ok(Dynamic { solver: Arc::new(Mutex::new(made)) })
    }
}

impl Dynamic {
    fn lock(&self) -> MutexGuard<'_, DynamicSolver> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, of: impl FnOnce(&DynamicSparsifier) -> T) -> T {
        of(self.lock().skeleton())
    }
}

fn ends<'py>(py: Python<'py>, edges: impl Iterator<Item = (u32, u32)>) -> Array<'py, i64> {
    let mut edges: Vec<(u32, u32)> = edges.collect();
    edges.sort_unstable();
    PyArray1::from_vec(py, edges.iter().flat_map(|&(a, b)| [a.into(), b.into()]).collect())
}

getters! { Dynamic:
    edge_count: usize = |of| of.with(|one| one.edge_count());
    density: f64 = |of| of.with(|one| one.density());
    updates: u64 = |of| of.with(|one| one.updates());
    refreshes: u64 = |of| of.with(|one| one.refreshes());
}

#[pymethods]
impl Dynamic {
    fn __len__(&self) -> usize {
        self.with(|one| one.vertices())
    }

    /// Does updates of one kind in their order.
    fn apply(
        &self,
        py: Python<'_>,
        change: &str,
        ends: &Array<'_, i64>,
        weights: &Array<'_, f64>,
        threads: Option<usize>,
    ) -> PyResult<()> {
        let change: Change = parsed(change)?;
        let (ends, weights) = (Lent::new(ends)?, Lent::new(weights)?);
        let solver = self.solver.clone();
        let wanted = if change == Change::Delete { 0 } else { ends.len() / 2 };
        if weights.len() != wanted {
            let text = format!("{} weights for {wanted} edges", weights.len());
            return Err(PyValueError::new_err(text));
        }
        run(py, threads, ends.len(), move |_| {
            let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
            let ends = vertices("edges", &ends, solver.skeleton().vertices())?;
            let updates: Vec<Update> = ends
                .chunks_exact(2)
                .enumerate()
                .map(|(k, end)| match (change, end[0], end[1]) {
                    (Change::Insert, a, b) => Update::Insert { a, b, weight: weights[k] },
                    (Change::Delete, a, b) => Update::Delete { a, b },
                    (Change::Weight, a, b) => Update::Weight { a, b, weight: weights[k] },
                })
                .collect();
            match solver.update(&updates) {
                Ok(_) => Ok(()),
                Err((done, error)) => Err(match Failure::from(error) {
                    Failure::Value(text) => value(format!("edges[{done}]: {text}")),
                    other => other,
                }),
            }
        })
    }

    /// The condition number, estimated from below.
    fn condition(&self, py: Python<'_>, threads: Option<usize>) -> PyResult<f64> {
        let solver = self.solver.clone();
        run(py, threads, usize::MAX, move |_| {
            let solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(solver.skeleton().condition()?)
        })
    }

    /// Edges of the spanning forest, in order.
    fn tree_edges<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        self.with(|one| ends(py, one.tree()))
    }

    /// Recovered edges, in order.
    fn recovered_edges<'py>(&self, py: Python<'py>) -> Array<'py, i64> {
        self.with(|one| ends(py, one.recovered()))
    }

    /// The graph as it is, or its skeleton.
    fn graph(&self, skeleton: bool) -> Graph {
        let graph = self.with(|one| if skeleton { one.skeleton() } else { one.graph() });
        Graph { file: Arc::new(GraphFile::of("graph", graph)) }
    }

    /// Potentials for currents.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        currents: &Array<'py, f64>,
        tolerance: f64,
        max_iterations: Option<usize>,
        threads: Option<usize>,
    ) -> PyResult<Solved<'py>> {
        let currents = Lent::new(currents)?;
        let solver = self.solver.clone();
        let found = run(py, threads, usize::MAX, move |cancel| {
            let defaults = CgParams::default();
            let params = CgParams {
                tolerance,
                max_iterations: max_iterations.unwrap_or(defaults.max_iterations),
                cancel: Some(cancel.clone()),
            };
            let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(solver.solve(&currents, &params)?)
        })?;
        let history = PyArray1::from_vec(py, found.history);
        Ok((PyArray1::from_vec(py, found.x), found.iterations, found.residual, history))
    }
}
