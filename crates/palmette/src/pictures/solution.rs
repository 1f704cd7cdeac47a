//! How the residuals of solvers fall.

use super::*;
use crate::figures::SolverComparison;
use palmette_graph::solve::{CgError, Setup, Solution, SolveError};
use palmette_report::scale::Spread;

/// Iteration counts this far apart need a logarithmic axis.
const FAR_APART: usize = 30;
/// More curves than that hide each other.
const MOST_CURVES: usize = 12;

/// The residuals of each right-hand side.
pub fn convergence(name: &str, tolerance: f64, setup: &Setup, solutions: &[Solution]) -> Picture {
    let words = |k: usize| match solutions.len() {
        1 => setup.preconditioner.to_string(),
        _ => format!("right-hand side {}", k + 1),
    };
    let solutions = solutions.iter().enumerate().take(MOST_CURVES);
    let curves = solutions.map(|(k, solution)| curve(words(k), &solution.history));
    plot(name, tolerance, curves.collect())
}

/// The residuals of several preconditioners on one system.
pub fn comparison(name: &str, tolerance: f64, found: &SolverComparison) -> Picture {
    let curves = found.trials.iter().filter_map(|trial| {
        let history = match &trial.solution {
            Ok(solution) => &solution.history,
            Err(
                SolveError::Iteration(CgError::NotConverged { history, .. })
                | SolveError::Accuracy { history, .. },
            ) => history,
            Err(_) => return None,
        };
        Some(curve(trial.preconditioner.to_string(), history))
    });
    plot(name, tolerance, curves.collect())
}

fn curve(name: String, residuals: &[f64]) -> ConvergenceCurve {
    ConvergenceCurve { name, residuals: residuals.to_vec(), ..ConvergenceCurve::default() }
}

fn plot(name: &str, tolerance: f64, curves: Vec<ConvergenceCurve>) -> Picture {
    let counts = || curves.iter().map(|curve| curve.residuals.len().max(2) - 1);
    let (fewest, most) = (counts().min().unwrap_or(1), counts().max().unwrap_or(1));
    let iterations = if most > FAR_APART * fewest { Spread::Log } else { Spread::Linear };
    let plot = ConvergencePlot {
        title: format!("Solving {}", title(name)),
        tolerance: Some(tolerance),
        iterations,
        curves,
        ..ConvergencePlot::default()
    };
    still("convergence-plot", "Convergence", plot.to_svg())
}
