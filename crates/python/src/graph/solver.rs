//! A preconditioner that is made once, and solves with it for as long as someone wants.
//!
//! A solver borrows its Laplacian, and that its graph. Python objects own what they have, so
//! that a thread does the borrowing: it makes all three, then answers requests until the object
//! that sends them is gone.

use super::{Graph, SolveOptions};
use crate::prelude::*;
use crate::work::{guard, pool, wait};
use palmette::core::Cancel;
use palmette::graph::Laplacian;
use palmette::graph::solve::{self, Setup, Solution, SolveParams};
use pyo3::exceptions::PyRuntimeError;
use rayon::ThreadPool;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

type Answer<T> = SyncSender<Result<T, Failure>>;

enum Request {
    Solve(Vec<Vec<f64>>, Cancel, Answer<Vec<Solution>>),
    Precondition(Lent<f64>, Answer<Vec<f64>>),
}

/// A graph with a preconditioner; `palmette.Solver` wraps it.
#[pyclass(frozen, module = "palmette._palmette")]
pub(crate) struct Solver {
    requests: Mutex<Sender<Request>>,
    setup: Setup,
    size: usize,
    process: u32,
}

/// Potentials, iterations, the residual, the imbalance and the residuals on the way.
type Solved<'py> = (Array<'py, f64>, usize, f64, f64, Array<'py, f64>);

#[pymethods]
impl Graph {
    /// Makes a preconditioner.
    fn solver(&self, py: Python<'_>, options: SolveOptions) -> PyResult<Solver> {
        let cancel = Cancel::new();
        let params = SolveParams { cancel: Some(cancel.clone()), ..options.params()? };
        let pool = pool(options.threads)?;
        let file = self.file.clone();
        let size = file.graph.len();
        let (requests, inbox) = channel();
        let (ready, setup) = sync_channel(1);
        let thread = std::thread::Builder::new().name("palmette-solver".to_string());
        let started = thread.spawn(move || {
            let own = ready.clone();
            let worked = guard(|| {
                let laplacian =
                    pool.install(|| Laplacian::new(&file.graph, file.ground.as_deref()));
                let solver = pool.install(|| solve::Solver::new(&laplacian, &params))?;
                let _ = ready.send(Ok(*solver.setup()));
                serve(&pool, solver, &inbox);
                Ok(())
            });
            if let Err(failure) = worked {
                let _ = own.send(Err(failure));
            }
        });
        started.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let setup = wait(py, setup, &cancel, || ())?;
        let process = std::process::id();
        Ok(Solver { requests: Mutex::new(requests), setup, size, process })
    }
}

/// Answers until nobody can ask any more.
fn serve(pool: &ThreadPool, mut solver: solve::Solver<'_>, inbox: &Receiver<Request>) {
    for request in inbox {
        // The caller may be gone.
        match request {
            Request::Solve(currents, cancel, answer) => {
                solver.set_cancel(Some(cancel));
                let work = || Ok(solver.solve_many(&currents)?);
                let _ = answer.send(guard(|| pool.install(work)));
            }
            Request::Precondition(currents, answer) => {
                let work = || {
                    let mut potentials = vec![0.0; currents.len()];
                    solver.precondition(&currents, &mut potentials)?;
                    Ok(potentials)
                };
                let _ = answer.send(guard(|| pool.install(work)));
            }
        }
    }
}

impl Solver {
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        request: impl FnOnce(Cancel, Answer<T>) -> Request,
    ) -> PyResult<T> {
        if self.process != std::process::id() {
            let text = "a solver works only in the process that made it; make a new one here";
            return Err(PyRuntimeError::new_err(text));
        }
        let (send, receive) = sync_channel(1);
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let cancel = Cancel::new();
        let sent = requests.send(request(cancel.clone(), send));
        sent.map_err(|_| PyRuntimeError::new_err("the solver's thread has ended"))?;
        wait(py, receive, &cancel, || ())
    }
}

getters! { Solver:
    preconditioner: &'static str = |of| of.setup.preconditioner.name();
    factor_entries: Option<u64> = |of| of.setup.entries;
    skeleton_edges: Option<usize> = |of| of.setup.skeleton_edges;
}

#[pymethods]
impl Solver {
    fn __len__(&self) -> usize {
        self.size
    }

    /// Seconds to make the skeleton, to order, and to factor.
    #[getter]
    fn setup_seconds(&self) -> (f64, f64, f64) {
        let Setup { sparsify_seconds, order_seconds, factor_seconds, .. } = self.setup;
        (sparsify_seconds, order_seconds, factor_seconds)
    }

    /// Potentials for each of several currents.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        currents: Vec<Array<'py, f64>>,
    ) -> PyResult<Vec<Solved<'py>>> {
        let lent = currents.iter().map(Lent::new).collect::<PyResult<Vec<_>>>()?;
        let currents = lent.iter().map(|x| x.to_vec()).collect();
        let found = self.ask(py, |cancel, answer| Request::Solve(currents, cancel, answer))?;
        let solved = |s: Solution| {
            let history = PyArray1::from_vec(py, s.history);
            (PyArray1::from_vec(py, s.x), s.iterations, s.residual, s.imbalance, history)
        };
        Ok(found.into_iter().map(solved).collect())
    }

    /// The preconditioner's approximation of potentials.
    fn precondition<'py>(
        &self,
        py: Python<'py>,
        currents: &Array<'py, f64>,
    ) -> PyResult<Array<'py, f64>> {
        let currents = Lent::new(currents)?;
        let found = self.ask(py, |_, answer| Request::Precondition(currents, answer))?;
        Ok(PyArray1::from_vec(py, found))
    }
}
