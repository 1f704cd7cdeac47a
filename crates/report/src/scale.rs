//! Scales: from numbers to pixels, with ticks at numbers people like.
//!
//! **Method.** Linear ticks are multiples of 1, 2 or 5 times a power of ten. Logarithmic
//! ticks are powers of ten, thinned evenly where they are many and joined by 2 and 5 times
//! them where they are few.

/// How numbers are spread over an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spread {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths; positive numbers only.
    Log,
}

impl Spread {
    /// Logarithmic when all numbers are positive and the largest is at least `ratio` times
    /// the smallest.
    pub fn by_range(values: impl IntoIterator<Item = f64>, ratio: f64) -> Spread {
        let (low, high) = range(values);
        if low > 0.0 && high >= low * ratio { Spread::Log } else { Spread::Linear }
    }
}

/// The smallest and the largest of the finite numbers; `(0, 0)` when there are none.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|v| v.is_finite());
    let found = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if found.0 <= found.1 { found } else { (0.0, 0.0) }
}

/// A map from an interval of numbers to an interval of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    spread: Spread,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// `low` lies at pixel `from` and `high` at `to`. An empty interval is widened, so that
    /// one number alone lies in the middle; a logarithmic one is kept above 0.
    pub fn new(spread: Spread, (low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        let (mut low, mut high) = (low.min(high), low.max(high));
        if spread == Spread::Log {
            if high <= 0.0 {
                high = 1.0;
            }
            if low <= 0.0 {
                low = high / 10.0;
            }
            if low == high {
                (low, high) = (low / 2.0, high * 2.0);
            }
        } else if low == high {
            let room = if low == 0.0 { 0.5 } else { low.abs() / 2.0 };
            (low, high) = (low - room, high + room);
        }
        Scale { spread, low, high, from, to }
    }

    /// As [`Scale::new`], widened to the next ticks.
    pub fn nice(spread: Spread, range: (f64, f64), pixels: (f64, f64)) -> Self {
        let mut scale = Scale::new(spread, range, pixels);
        if spread == Spread::Linear {
            let step = step((scale.high - scale.low) / 5.0);
            scale.low = (scale.low / step).floor() * step;
            scale.high = (scale.high / step).ceil() * step;
        } else if scale.high / scale.low > 30.0 {
            scale.low = 10f64.powf((scale.low.log10() + 1e-9).floor());
            scale.high = 10f64.powf((scale.high.log10() - 1e-9).ceil());
        } else {
            (scale.low, scale.high) = (scale.low / 1.3, scale.high * 1.3);
        }
        scale
    }

    /// Linear or logarithmic.
    pub fn spread(&self) -> Spread {
        self.spread
    }

    /// Whether a number lies inside the interval.
    pub(crate) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The pixel of a number; numbers outside the interval go to its ends.
    pub fn at(&self, value: f64) -> f64 {
        let place = match self.spread {
            Spread::Linear => (value - self.low) / (self.high - self.low),
            // Differences of logarithms, because ratios may overflow.
            Spread::Log => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
        };
        let place = if place.is_nan() { 0.0 } else { place.clamp(0.0, 1.0) };
        self.from + (self.to - self.from) * place
    }

    /// About `count` ticks inside the interval, in order.
    pub fn ticks(&self, count: usize) -> Vec<f64> {
        let count = count.max(2);
        let ticks: Vec<f64> = match self.spread {
            Spread::Linear => self.even_ticks(count),
            Spread::Log => self.log_ticks(count),
        };
        // An interval within one step has no round number: mark its ends.
        if ticks.len() < 2 && self.spread == Spread::Log {
            vec![self.low, self.high]
        } else {
            ticks
        }
    }

    /// About `count` ticks at equal differences, whatever the spread.
    pub(crate) fn even_ticks(&self, count: usize) -> Vec<f64> {
        // Ends whose difference is beyond all numbers.
        if !(self.high - self.low).is_finite() {
            return vec![self.low, self.high];
        }
        let step = step((self.high - self.low) / count as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// The powers of this base inside the interval, for logarithmic axes.
    pub(crate) fn powers(&self, base: f64) -> std::ops::RangeInclusive<i32> {
        let power = |value: f64| value.ln() / base.ln();
        (power(self.low) - 1e-9).ceil() as i32..=(power(self.high) + 1e-9).floor() as i32
    }

    fn log_ticks(&self, count: usize) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let every = ((last - first) as usize).div_ceil(count).max(1);
        let few = self.high / self.low <= 150.0;
        let factors: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = (first..=last).filter(|d| d.rem_euclid(every as i32) == 0);
        decades
            .flat_map(|d| factors.iter().map(move |f| f * 10f64.powi(d)))
            .filter(|&t| t >= self.low * (1.0 - 1e-9) && t <= self.high * (1.0 + 1e-9))
            .collect()
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least`.
pub fn step(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_ticks_are_round() {
        let scale = Scale::nice(Spread::Linear, (0.0, 490.0), (0.0, 100.0));
        assert_eq!(scale.ticks(5), [0.0, 100.0, 200.0, 300.0, 400.0, 500.0]);
        assert_eq!([scale.at(0.0), scale.at(250.0), scale.at(900.0)], [0.0, 50.0, 100.0]);
    }

    #[test]
    fn log_ticks_are_powers() {
        let scale = Scale::nice(Spread::Log, (3.0, 4e6), (0.0, 70.0));
        assert_eq!(scale.ticks(8), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7]);
        assert!((scale.at(1e3) - 30.0).abs() < 1e-9);
        let near = Scale::nice(Spread::Log, (1.0, 8.0), (0.0, 1.0));
        assert_eq!(near.ticks(6), [1.0, 2.0, 5.0, 10.0]);
        let far = Scale::nice(Spread::Log, (1e-9, 1e9), (0.0, 1.0));
        assert!(far.ticks(6).len() <= 7);
    }

    #[test]
    fn degenerate_intervals_stay_finite() {
        for spread in [Spread::Linear, Spread::Log] {
            for pair in [(0.0, 0.0), (3.0, 3.0), (-1.0, -1.0), (1e300, 1e300)] {
                let scale = Scale::nice(spread, pair, (0.0, 10.0));
                assert!(scale.at(pair.0).is_finite() && !scale.ticks(5).is_empty(), "{scale:?}");
            }
        }
    }

    #[test]
    fn steps() {
        for (least, expected) in [(1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (7.0, 10.0), (0.03, 0.05)] {
            assert!((step(least) / expected - 1.0).abs() < 1e-9);
        }
    }
}
