//! `palmette graph solve --compare`: every preconditioner on one system.

use super::options::note_found;
use crate::prelude::*;
use palmette::explain;
use palmette::figures::{SolverComparison, SolverTrial};
use palmette::graph::Laplacian;
use palmette::graph::solve::{CgError, Preconditioner, SolveError, SolveParams, Solver, choose};

pub(super) fn run(
    mut session: Session,
    file: &GraphFile,
    laplacian: &Laplacian<'_>,
    currents: &[f64],
    params: &SolveParams,
) -> Result<()> {
    let all = Preconditioner::ALL.into_iter().filter(|p| *p != Preconditioner::Auto);
    let trials = all
        .map(|preconditioner| {
            let params = SolveParams { preconditioner, ..params.clone() };
            one(&mut session, laplacian, currents, &params)
        })
        .collect();
    let found = SolverComparison { trials, automatic: choose(laplacian) };
    session.figures(&found);
    note_found(&mut session, file);
    show(&mut session, "convergence-plot", None, || {
        pictures::comparison(&file.name, params.tolerance, &found)
    })?;
    session.summarise(table(file, &found.trials).to_string());
    session.finish()
}

fn one(
    session: &mut Session,
    laplacian: &Laplacian<'_>,
    currents: &[f64],
    params: &SolveParams,
) -> SolverTrial {
    let before = [session.seconds("setup"), session.seconds("solve")];
    let solver = session.phase("setup", || Solver::new(laplacian, params));
    let solution = match solver {
        Ok(solver) => session.phase("solve", || solver.solve(currents)),
        Err(error) => Err(error),
    };
    SolverTrial {
        preconditioner: params.preconditioner,
        setup_seconds: session.seconds("setup") - before[0],
        solve_seconds: session.seconds("solve") - before[1],
        solution,
    }
}

/// What a person should know about a run that found nothing.
fn remark(trial: &SolverTrial, file: &GraphFile) -> String {
    match &trial.solution {
        Ok(_) => String::new(),
        Err(SolveError::Iteration(CgError::NotConverged { .. })) => "did not converge".to_string(),
        Err(SolveError::Accuracy { attainable, .. }) => {
            format!("rounding allows {attainable:.1e}")
        }
        Err(SolveError::Work { needed, .. }) => format!("needs {needed} operations, above --work"),
        Err(SolveError::Memory { needed, .. }) => {
            format!("needs {needed} bytes, above --memory")
        }
        Err(error) => explain(file, error.clone()),
    }
}

fn table(file: &GraphFile, trials: &[SolverTrial]) -> Table {
    let mut table =
        Table::new(&["preconditioner", "setup s", "iterations", "solve s", "residual", ""]);
    for trial in trials {
        let reached = trial.reached();
        table.row([
            Cell::from(trial.preconditioner.name()),
            Cell::from(trial.setup_seconds),
            reached.map_or(Cell::missing(), |r| Cell::from(r.0)),
            reached.map_or(Cell::missing(), |_| Cell::from(trial.solve_seconds)),
            reached.map_or(Cell::missing(), |r| Cell::from(r.1)),
            Cell::from(remark(trial, file)),
        ]);
    }
    table
}
