//! Limits of generators' reactive power, which hold only where they are asked for.

use super::FeederParams;

/// No limits.
const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// What becomes of limits that a file states.
pub(crate) struct ReactiveLimits {
    hold: bool,
    dropped: bool,
}

impl ReactiveLimits {
    pub(crate) fn new(params: &FeederParams) -> ReactiveLimits {
        ReactiveLimits { hold: params.reactive_limits, dropped: false }
    }

    /// The limits of a generator, lower and upper, in Mvar.
    pub(crate) fn of(&mut self, limits: [f64; 2]) -> [f64; 2] {
        if self.hold {
            return limits;
        }
        self.dropped |= limits.iter().any(|limit| limit.is_finite());
        FREE
    }

    /// What a user should know, if a limit does not hold.
    pub(crate) fn note(&self) -> Option<String> {
        let note = "generators do not keep to their limits of reactive power";
        self.dropped.then(|| note.to_string())
    }
}
