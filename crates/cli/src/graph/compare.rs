//! `palmette graph solve --compare`: every preconditioner on one system.

use super::options::note_found;
use super::picture;
use crate::session::Session;
use palmette::graph::Laplacian;
use palmette::graph::solve::{
    CgError, Preconditioner, Solution, SolveError, SolveParams, Solver, choose,
};
use palmette::{GraphFile, explain};
use palmette_report::{Cell, ConvergenceCurve, Table};
use serde_json::{Map, Value, json};

/// What one preconditioner took.
struct Run {
    preconditioner: Preconditioner,
    setup_seconds: f64,
    solve_seconds: f64,
    solution: Result<Solution, SolveError>,
}

pub(super) fn run(
    mut session: Session,
    file: &GraphFile,
    laplacian: &Laplacian<'_>,
    currents: &[f64],
    params: &SolveParams,
) -> anyhow::Result<()> {
    let all = Preconditioner::ALL.into_iter().filter(|p| *p != Preconditioner::Auto);
    let runs: Vec<Run> = all
        .map(|preconditioner| {
            let params = SolveParams { preconditioner, ..params.clone() };
            one(&mut session, laplacian, currents, &params)
        })
        .collect();
    let mut figures = Map::new();
    for run in &runs {
        figures.insert(run.preconditioner.name().to_string(), run.figures());
    }
    session.record.figure("preconditioners", Value::Object(figures));
    // That of `auto`, or the first that converged: the clock has no say in results.
    let automatic = choose(laplacian);
    let chosen = runs
        .iter()
        .filter(|run| run.solution.is_ok())
        .min_by_key(|run| run.preconditioner != automatic);
    if let Some(Run { preconditioner, solution: Ok(solution), .. }) = chosen {
        session
            .record
            .figure("preconditioner", preconditioner.name())
            .figure("iterations", solution.iterations)
            .figure("residual", solution.residual);
    }
    note_found(&mut session, file);
    let table = table(file, &runs);
    let curves = runs.into_iter().filter_map(Run::curve).collect();
    picture::convergence(&mut session, file, params.tolerance, curves)?;
    session.summarise(table.to_string());
    session.finish()
}

fn one(
    session: &mut Session,
    laplacian: &Laplacian<'_>,
    currents: &[f64],
    params: &SolveParams,
) -> Run {
    let before = [session.seconds("setup"), session.seconds("solve")];
    let solver = session.phase("setup", || Solver::new(laplacian, params));
    let solution = match solver {
        Ok(solver) => session.phase("solve", || solver.solve(currents)),
        Err(error) => Err(error),
    };
    Run {
        preconditioner: params.preconditioner,
        setup_seconds: session.seconds("setup") - before[0],
        solve_seconds: session.seconds("solve") - before[1],
        solution,
    }
}

impl Run {
    /// Iterations and residual, as far as it came.
    fn reached(&self) -> Option<(usize, f64)> {
        match &self.solution {
            Ok(solution) => Some((solution.iterations, solution.residual)),
            Err(SolveError::Iteration(
                CgError::NotConverged { iterations, residual, .. }
                | CgError::Breakdown { iterations, residual, .. },
            )) => Some((*iterations, *residual)),
            Err(_) => None,
        }
    }

    fn figures(&self) -> Value {
        let reached = self.reached();
        json!({
            "setup_seconds": self.setup_seconds,
            "solve_seconds": self.solve_seconds,
            "iterations": reached.map(|r| r.0),
            "residual": reached.map(|r| r.1),
            "converged": self.solution.is_ok(),
            "error": self.solution.as_ref().err().map(SolveError::to_string),
        })
    }

    fn curve(self) -> Option<ConvergenceCurve> {
        let name = self.preconditioner.to_string();
        let residuals = match self.solution {
            Ok(solution) => solution.history,
            Err(SolveError::Iteration(CgError::NotConverged { history, .. })) => history,
            Err(_) => return None,
        };
        Some(ConvergenceCurve { name, residuals, ..ConvergenceCurve::default() })
    }

    /// What a person should know about a run that found nothing.
    fn remark(&self, file: &GraphFile) -> String {
        match &self.solution {
            Ok(_) => String::new(),
            Err(SolveError::Iteration(CgError::NotConverged { .. })) => {
                "did not converge".to_string()
            }
            Err(SolveError::Memory { needed, .. }) => {
                format!("needs {needed} bytes, above --memory")
            }
            Err(error) => explain(file, error.clone()),
        }
    }
}

fn table(file: &GraphFile, runs: &[Run]) -> Table {
    let mut table =
        Table::new(&["preconditioner", "setup s", "iterations", "solve s", "residual", ""]);
    for run in runs {
        let reached = run.reached();
        table.row([
            Cell::from(run.preconditioner.name()),
            Cell::from(run.setup_seconds),
            reached.map_or(Cell::missing(), |r| Cell::from(r.0)),
            reached.map_or(Cell::missing(), |_| Cell::from(run.solve_seconds)),
            reached.map_or(Cell::missing(), |r| Cell::from(r.1)),
            Cell::from(run.remark(file)),
        ]);
    }
    table
}
