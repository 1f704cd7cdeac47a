//! A few steps with the diagonal, on a right-hand side, and what they promise.
//!
//! **Problem.** Jacobi's preconditioner costs nothing to make. Is it worth going on with, or will
//! an approximate factor be done sooner, setup included?
//!
//! **Method.** Steps come in stages, each twice as long as all before. After a stage, the rate of
//! its second half says how many steps are left. These are compared with what a factor would
//! take, counted in steps with the diagonal: its setup, shared by all right-hand sides, and its
//! iterations. Both are rough figures, not fitted: a setup takes tens of steps on meshes and
//! more where graphs spread, and fills in; a digit takes a few iterations of two or three steps
//! each. Steps that were done are not counted: they are paid either way, and the iterate is kept.
//!
//! **Cost.** Six steps where meshes are recognised at the first look, a dozen as a rule.
//!
//! **Determinism.** Residuals decide, no clock.

use super::conjugate_gradients::{Vectors, start};
use super::{CgParams, Floating, Jacobi};
use crate::Laplacian;
use palmette_core::conjugate_gradients::Cg;

/// Steps of the first stage.
const FIRST: usize = 6;

/// The setup of an approximate factor in steps with the diagonal, on graphs that do not spread
/// and on those that do.
pub(super) const SETUP: [f64; 2] = [40.0, 100.0];

/// Steps that an approximate factor's iterations take for each digit of the residual.
pub(super) const PER_DIGIT: f64 = 8.0;

/// A first guess at the rate may be this much too low.
const BENEFIT: f64 = 1.5;

/// What was found: the run, and whether its residual is as small as asked.
pub(super) struct Trial<'a> {
    pub(super) run: Cg<Vectors<'a>>,
    pub(super) reached: bool,
}

/// Runs stages until the residual is small enough, or an approximate factor is expected to get
/// there sooner for `count` right-hand sides like this one.
pub(super) fn trial<'a>(
    laplacian: &'a Laplacian<'a>,
    jacobi: &'a Jacobi,
    b: &'a [f64],
    (spreads, count): (bool, usize),
    params: &CgParams,
) -> Trial<'a> {
    let mut run = start(laplacian, jacobi, Floating::of(laplacian), b);
    let digits = -params.tolerance.log10();
    let factor = SETUP[usize::from(spreads)] / count.max(1) as f64 + PER_DIGIT * digits;
    let mut stage = FIRST;
    loop {
        let max_iterations = stage.min(params.max_iterations);
        let broken = run.iterate(&CgParams { max_iterations, ..params.clone() });
        let residual = run.history.last().copied().unwrap_or(0.0);
        if broken == Ok(None) && residual <= params.tolerance {
            return Trial { run, reached: true };
        }
        let whole = broken == Ok(None) && run.iterations == stage && residual.is_finite();
        let left = if whole { steps_left(&run.history, params.tolerance) } else { f64::INFINITY };
        let allowed = if stage == FIRST { BENEFIT * factor } else { factor };
        // More right-hand sides begin anew.
        let again = if count > 1 { stage as f64 } else { 0.0 };
        if left + again > allowed {
            return Trial { run, reached: false };
        }
        stage *= 2;
    }
}

/// Steps until the residual is small enough, at the rate of the second half of all steps.
fn steps_left(history: &[f64], tolerance: f64) -> f64 {
    let steps = history.len() - 1;
    let (middle, last) = (history[steps / 2], history[steps]);
    let rate = (middle / last).ln() / (steps - steps / 2) as f64;
    if rate > 0.0 { (last / tolerance).ln() / rate } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_second_half() {
        // No progress at first, then a half per step: from 1/4 to 1/1024 in eight more.
        let history = [1.0, 1.0, 1.0, 0.5, 0.25];
        assert!((steps_left(&history, 1.0 / 1024.0) - 8.0).abs() < 1e-12);
        assert_eq!(steps_left(&[1.0, 1.0, 2.0], 0.5), f64::INFINITY);
    }
}
