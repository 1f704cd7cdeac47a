//! Values as steps of colour, and the bar that says which step means what.
//!
//! **Method.** Twelve steps, equal on a linear axis, or on a logarithmic one where the
//! largest value is more than five times the middle one of those above 0: linear steps
//! would give most values the same colour. A logarithm has no place for 0, which then gets a
//! colour of its own. Few whole numbers have a step each.

use crate::colour::HEAT_STEPS;
use crate::number::{short, thousands};
use crate::paper::{INSIDE, SMALL};
use crate::scale::{Scale, Spread, range};
use crate::svg::{Anchor, Svg};
use crate::text;

const BAR: (f64, f64) = (300.0, 12.0);
const RATIO: f64 = 5.0;
/// Colours that are too near the ground for single cells.
const FAINT: usize = 2;

/// From values to steps of colour.
pub(crate) struct Heat {
    spread: Spread,
    /// The smallest and the largest value shown.
    ends: (f64, f64),
    /// The values where the first step begins and the last one ends.
    bounds: (f64, f64),
    steps: usize,
    /// The first colour that is used.
    faintest: usize,
    /// Zeros have a sign of their own.
    pub(crate) zeros_apart: bool,
}

impl Heat {
    /// For values that are not negative.
    pub(crate) fn new(values: impl Iterator<Item = f64> + Clone) -> Self {
        let positive = values.clone().filter(|&v| v > 0.0);
        let mut sorted: Vec<f64> = positive.clone().collect();
        sorted.sort_by(f64::total_cmp);
        let is_skew = |&most: &f64| most > RATIO * sorted[sorted.len() / 2];
        let spread = if sorted.last().is_some_and(is_skew) { Spread::Log } else { Spread::Linear };
        let ends = match spread {
            Spread::Log => range(positive),
            Spread::Linear => range(values.clone()),
        };
        let zeros_apart = spread == Spread::Log && values.into_iter().any(|v| v == 0.0);
        if ends.0 == ends.1 {
            return Heat::one_each(ends);
        }
        Heat { spread, ends, bounds: ends, steps: HEAT_STEPS, faintest: 0, zeros_apart }
    }

    /// For whole numbers.
    pub(crate) fn of_whole_numbers(values: impl Iterator<Item = f64> + Clone) -> Self {
        let ends = range(values.clone());
        if ends.1 - ends.0 < HEAT_STEPS as f64 { Heat::one_each(ends) } else { Heat::new(values) }
    }

    /// For counts above 0: a step each where the largest is small, otherwise logarithmic. The
    /// faintest colours are not used: one alone on the ground must be seen.
    pub(crate) fn of_counts(values: impl Iterator<Item = f64>) -> Self {
        let ends = range(values);
        let (spread, steps) = (Spread::Log, HEAT_STEPS - FAINT);
        if ends.1 - ends.0 < steps as f64 {
            return Heat { faintest: FAINT, ..Heat::one_each(ends) };
        }
        Heat { spread, ends, bounds: ends, steps, faintest: FAINT, zeros_apart: false }
    }

    /// A step for each number from the first to the last.
    fn one_each(ends: (f64, f64)) -> Self {
        let steps = (ends.1 - ends.0) as usize + 1;
        let bounds = (ends.0 - 0.5, ends.1 + 0.5);
        Heat { spread: Spread::Linear, ends, bounds, steps, faintest: 0, zeros_apart: false }
    }

    /// The class of style for a value.
    pub(crate) fn class(&self, value: f64) -> String {
        self.step(value).map_or("zero".to_string(), |step| format!("heat h{step}"))
    }

    /// The step of a value among [`HEAT_STEPS`]; none for a zero apart.
    pub(crate) fn step(&self, value: f64) -> Option<usize> {
        if self.spread == Spread::Log && value <= 0.0 {
            return None;
        }
        let place = Scale::new(self.spread, self.bounds, (0.0, self.steps as f64)).at(value);
        Some(self.colour((place as usize).min(self.steps - 1)))
    }

    /// Spreads few steps over all colours.
    fn colour(&self, step: usize) -> usize {
        match self.steps {
            1 => HEAT_STEPS / 2,
            steps => self.faintest + step * (HEAT_STEPS - 1 - self.faintest) / (steps - 1),
        }
    }

    /// The bar below its caption of two lines.
    pub(crate) fn draw_bar(&self, svg: &mut Svg, (left, top): (f64, f64), caption: [&str; 2]) {
        let mut below = caption[1].to_string();
        if self.ends.0 < self.ends.1 {
            below += &format!(", from {} to {}", exact(self.ends.0), exact(self.ends.1));
        }
        if self.spread == Spread::Log {
            below += ", log scale";
        }
        svg.text((left, top + 10.0), Anchor::Start, "panel", caption[0], "");
        let fitted = text::fit(&below, SMALL, INSIDE);
        svg.text((left, top + 28.0), Anchor::Start, "note", &fitted, &below);
        let y = top + 38.0;
        let wide = (BAR.0 / self.steps as f64).min(40.0);
        for step in 0..self.steps {
            let class = format!("heat h{}", self.colour(step));
            svg.rect((left + wide * step as f64, y), (wide, BAR.1), &class, "");
        }
        let scale = Scale::new(self.spread, self.bounds, (left, left + wide * self.steps as f64));
        let whole = self.bounds != self.ends;
        let each = || (0..self.steps).map(|i| self.ends.0 + i as f64).collect();
        for tick in if whole { each() } else { scale.ticks(5) } {
            let x = scale.at(tick);
            if !whole {
                svg.line((x, y + BAR.1), (x, y + BAR.1 + 4.0), "axis");
            }
            svg.text((x, y + BAR.1 + 16.0), Anchor::Middle, "tick", &short(tick), "");
        }
    }
}

/// All digits before the point up to a million.
fn exact(value: f64) -> String {
    if (1e3..1e6).contains(&value) { thousands(value.round() as u64) } else { short(value) }
}

/// The height of a bar with its caption.
pub(crate) const BAR_HEIGHT: f64 = 74.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_values() {
        let log = Heat::new([0.0, 1.0, 2.0, 4096.0].into_iter());
        assert!(log.zeros_apart);
        assert_eq!(log.step(0.0), None);
        assert_eq!([1.0, 1.9, 2.1, 4096.0].map(|v| log.step(v)), [0, 0, 1, 11].map(Some));
        let linear = Heat::new([0.0, 5.0, 6.0].into_iter());
        assert!(!linear.zeros_apart);
        assert_eq!([0.0, 0.6, 6.0].map(|v| linear.step(v)), [0, 1, 11].map(Some));
        assert_eq!(Heat::new([3.2].into_iter()).class(3.2), "heat h6");
        assert_eq!(Heat::new([].into_iter()).ends, (0.0, 0.0));
        let few = Heat::of_whole_numbers([0.0, 3.0].into_iter());
        assert_eq!([0.0, 1.0, 2.0, 3.0].map(|v| few.step(v)), [0, 3, 7, 11].map(Some));
        let counts = Heat::of_counts([1.0, 1024.0, 1000.0].into_iter());
        assert_eq!([1.0, 2.1, 1024.0].map(|v| counts.step(v)), [2, 3, 11].map(Some));
        let few = Heat::of_counts([1.0, 2.0].into_iter());
        assert_eq!([1.0, 2.0].map(|v| few.step(v)), [2, 11].map(Some));
        let many = Heat::of_whole_numbers([0.0, 12.0].into_iter());
        assert_eq!([0.0, 12.0].map(|v| many.step(v)), [0, 11].map(Some));
    }
}
