//! A fixed-point iteration until nothing moves, plain while that is fast.
//!
//! **Method.** While steps gain a digit in two or three, the last two of them correct the next
//! ([`recent`](super::recent)); when they turn out slow, Anderson's combination of more is taken. Beyond the largest load sweeps neither grow
//! nor shrink: no halving of the change in many steps is divergence.

use super::anderson::Anderson;
use super::recent::FIRST;

/// Steps slower than this are accelerated.
const SLOW: f64 = 0.4;
/// Plain steps before that is decided.
const TRIED: usize = 6;
/// Steps without progress that count as divergence.
const PATIENCE: usize = 60;

/// What is iterated.
pub(super) trait Iteration {
    /// One plain step; the largest change, per unit.
    fn step(&mut self) -> f64;
    /// After a step: takes off what the last changes say is wrong, if it remembers any.
    fn correct(&mut self) {}
    /// The unknowns as one vector.
    fn gather(&self) -> Vec<f64>;
    /// Puts the unknowns back.
    fn scatter(&mut self, x: &[f64]);
}

/// How an iteration ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ending {
    pub(super) converged: bool,
    pub(super) sweeps: usize,
    pub(super) change: f64,
}

/// Steps until the change is at most `tolerance`, at most `most` of them.
pub(super) fn iterate(what: &mut dyn Iteration, tolerance: f64, most: usize) -> Ending {
    let mut change = f64::INFINITY;
    let mut sweeps = 0;
    let mut anderson: Option<Anderson> = None;
    let (mut best, mut best_at) = (f64::INFINITY, 0);
    while sweeps < most {
        let before = change;
        sweeps += 1;
        match &mut anderson {
            None => {
                change = what.step();
                if sweeps >= TRIED && change > before * SLOW && change > tolerance {
                    anderson = Some(Anderson::default());
                } else if sweeps >= FIRST && change <= before * SLOW && change > tolerance {
                    what.correct();
                }
            }
            Some(history) => {
                let x = what.gather();
                change = what.step();
                if change > tolerance {
                    let mut image = what.gather();
                    history.next(&x, &mut image);
                    what.scatter(&image);
                }
            }
        }
        if change <= tolerance {
            return Ending { converged: true, sweeps, change };
        }
        if change < 0.5 * best {
            (best, best_at) = (change, sweeps);
        }
        if !change.is_finite() || sweeps > best_at + PATIENCE {
            break;
        }
    }
    Ending { converged: false, sweeps, change }
}
