//! Which times steps lead to.
//!
//! Steps of one length rarely end where the run should. What is left after the last whole one is a
//! stretch of its own, one shorter step (which step control halves as it does others), so that the
//! end is always reached and printed.

use super::TransientParams;

/// What is left after the last step, as a part of one, that is taken for rounding.
const ROUNDING: f64 = 1e-9;

/// A time that is divided into steps of one length, which step control halves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    from: f64,
    to: Option<f64>,
    /// The longest step.
    longest: f64,
    /// What came before had steps so many times as long.
    shorter: f64,
    /// Times are counted in the shortest steps: how many there are in the longest, in all, and
    /// between two that are printed.
    pub(super) ticks: u64,
    pub(super) end: u64,
    printed: u64,
    /// Whether the run ends with it.
    is_last: bool,
}

impl Stretch {
    /// The stretches of a run: whole steps, and what is left.
    pub(super) fn all(params: &TransientParams, ticks: u64) -> Vec<Stretch> {
        let stop = params.span.stop;
        let longest = params.span.step / f64::from(params.substeps);
        let steps = ((stop / longest) * (1.0 + 1e-12)).floor();
        let whole = Stretch {
            from: 0.0,
            to: None,
            longest,
            shorter: 1.0,
            ticks,
            end: steps as u64 * ticks,
            printed: u64::from(params.substeps) * ticks,
            is_last: true,
        };
        let left = stop - steps * longest;
        if left <= (ROUNDING * longest).max(1e-12 * stop) {
            return vec![whole];
        }
        let rest = Stretch {
            from: steps * longest,
            to: Some(stop),
            longest: left,
            shorter: longest / left,
            end: ticks,
            printed: ticks,
            ..whole
        };
        vec![Stretch { is_last: false, ..whole }, rest]
    }

    /// The level to start with: steps no longer than those before.
    pub(super) fn level(&self, before: u32, finest: u32) -> u32 {
        let halvings = f64::from(before) - self.shorter.log2();
        (halvings.ceil().max(0.0) as u32).min(finest)
    }

    /// The length of a step that was halved so often.
    pub(super) fn length(&self, level: u32) -> f64 {
        self.longest / f64::from(1u32 << level)
    }

    pub(super) fn time(&self, at: u64) -> f64 {
        match self.to {
            Some(to) if at == self.end => to,
            _ => self.from + at as f64 * self.longest / self.ticks as f64,
        }
    }

    pub(super) fn prints(&self, at: u64) -> bool {
        at.is_multiple_of(self.printed) || (self.is_last && at == self.end)
    }
}
