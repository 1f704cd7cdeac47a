//! Potentials in figures: what was made to find them, and how well they were found.

use super::*;
use palmette_graph::solve::{CgError, Preconditioner, Setup, Solution, SolveError};

impl Figures for Setup {
    fn figures(&self, record: &mut Record) {
        record.figure("preconditioner", self.preconditioner.name());
        if let Some(entries) = self.entries {
            record.figure("factor_entries", entries);
        }
        if let Some(edges) = self.skeleton_edges {
            record.figure("skeleton_edges", edges);
        }
        if let Some(bytes) = self.avoided {
            record.figure("avoided_bytes", bytes);
        }
    }
}

/// Solutions for one right-hand side or several: the slowest and the least exact of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolutionFigures {
    /// The most iterations.
    pub iterations: usize,
    /// The largest relative residual.
    pub residual: f64,
    /// The largest mean current that was taken out of a component without ground.
    pub imbalance: f64,
    /// How many right-hand sides.
    pub right_hand_sides: usize,
}

impl SolutionFigures {
    /// The figures of solutions.
    pub fn of(solutions: &[Solution]) -> SolutionFigures {
        let most = |of: fn(&Solution) -> f64| solutions.iter().map(of).fold(0f64, f64::max);
        SolutionFigures {
            iterations: solutions.iter().map(|solution| solution.iterations).max().unwrap_or(0),
            residual: most(|solution| solution.residual),
            imbalance: most(|solution| solution.imbalance),
            right_hand_sides: solutions.len(),
        }
    }
}

impl Figures for SolutionFigures {
    fn figures(&self, record: &mut Record) {
        figures!(record, self => iterations, residual, imbalance, right_hand_sides);
    }
}

/// What one preconditioner took on a system.
#[derive(Debug)]
pub struct SolverTrial {
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// Seconds to make it.
    pub setup_seconds: f64,
    /// Seconds to solve.
    pub solve_seconds: f64,
    /// The solution, or why there is none.
    pub solution: Result<Solution, SolveError>,
}

impl SolverTrial {
    /// Iterations and residual, as far as it came.
    pub fn reached(&self) -> Option<(usize, f64)> {
        match &self.solution {
            Ok(solution) => Some((solution.iterations, solution.residual)),
            Err(SolveError::Iteration(
                CgError::NotConverged { iterations, residual, .. }
                | CgError::Breakdown { iterations, residual, .. },
            ))
            | Err(SolveError::Accuracy { iterations, residual, .. }) => {
                Some((*iterations, *residual))
            }
            Err(_) => None,
        }
    }

    fn value(&self) -> Value {
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
}

/// Several preconditioners on one system.
#[derive(Debug)]
pub struct SolverComparison {
    /// One after another.
    pub trials: Vec<SolverTrial>,
    /// The one that `auto` would choose.
    pub automatic: Preconditioner,
}

impl Figures for SolverComparison {
    fn figures(&self, record: &mut Record) {
        let trials = self.trials.iter();
        let trials = trials.map(|trial| (trial.preconditioner.name().to_string(), trial.value()));
        record.figure("preconditioners", trials.collect::<Map<String, Value>>());
        // The one of `auto`, or else the first that converged; results never depend on the clock.
        let converged = self.trials.iter().filter(|trial| trial.solution.is_ok());
        let chosen = converged.min_by_key(|trial| trial.preconditioner != self.automatic);
        if let Some(SolverTrial { preconditioner, solution: Ok(solution), .. }) = chosen {
            record
                .figure("preconditioner", preconditioner.name())
                .figure("iterations", solution.iterations)
                .figure("residual", solution.residual);
        }
    }
}
