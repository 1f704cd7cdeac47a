//! Laws of growth, and how they are fitted to measurements.
//!
//! **Problem.** Points `(n, value)` and a law `f`; the constant `c` of `c·f(n)`.
//!
//! **Method.** Least squares of the logarithms: `c` is the geometric mean of the ratios
//! `value / f(n)`, so that a size of a thousand weighs as much as one of a million. The
//! largest ratio is what an upper bound needs. Ratios that are not positive numbers, among
//! them all where `log n` is 0, are left out.
//!
//! **Cost.** One pass.

use crate::number::constant;
use palmette_core::named;

named! {
    /// How a quantity grows with the number of vertices. Logarithms are to the base 2.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Law("law") {
        /// Not at all.
        Constant = "1",
        /// `log n`.
        Log = "log n",
        /// `log² n`.
        LogSquared = "log² n",
        /// `√n`.
        Root = "√n",
        /// `√n log n`.
        RootLog = "√n log n",
        /// `n`.
        #[default]
        Linear = "n",
        /// `n log n`.
        LinearLog = "n log n",
        /// `n log² n`.
        LinearLogSquared = "n log² n",
        /// `n¹·⁵`.
        ThreeHalves = "n¹·⁵",
        /// `n¹·⁵ log n`.
        ThreeHalvesLog = "n¹·⁵ log n",
    }
}

impl Law {
    /// The law's value.
    pub fn at(self, n: f64) -> f64 {
        let log = n.log2();
        match self {
            Law::Constant => 1.0,
            Law::Log => log,
            Law::LogSquared => log * log,
            Law::Root => n.sqrt(),
            Law::RootLog => n.sqrt() * log,
            Law::Linear => n,
            Law::LinearLog => n * log,
            Law::LinearLogSquared => n * log * log,
            Law::ThreeHalves => n * n.sqrt(),
            Law::ThreeHalvesLog => n * n.sqrt() * log,
        }
    }

    /// The law with a constant, such as `1.83 n log n`.
    pub fn times(self, factor: f64) -> String {
        match self {
            Law::Constant => constant(factor),
            _ => format!("{} {self}", constant(factor)),
        }
    }

    /// A value divided by the law's, when that is a positive number.
    pub(crate) fn ratio(self, (n, value): (f64, f64)) -> Option<f64> {
        let ratio = value / self.at(n);
        (n >= 1.0 && ratio.is_finite() && ratio > 0.0).then_some(ratio)
    }

    /// The law's constant for these points `(n, value)`; none when no point has a ratio.
    ///
    /// ```
    /// use palmette_report::Law;
    /// let fit = Law::Linear.fit([(4.0, 4.0), (16.0, 64.0)]).unwrap();
    /// assert_eq!((fit.constant, fit.largest), (2.0, 4.0));
    /// ```
    pub fn fit(self, points: impl IntoIterator<Item = (f64, f64)>) -> Option<Fit> {
        let (mut sum, mut largest, mut count) = (0.0, 0f64, 0);
        for ratio in points.into_iter().filter_map(|p| self.ratio(p)) {
            sum += ratio.ln();
            largest = largest.max(ratio);
            count += 1;
        }
        (count > 0).then(|| Fit { constant: (sum / count as f64).exp(), largest, points: count })
    }
}

/// The constants of a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The geometric mean of the ratios of values and law.
    pub constant: f64,
    /// The largest ratio: no point lies above this many times the law.
    pub largest: f64,
    /// How many points had a ratio.
    pub points: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_what_their_labels_say() {
        let found = Law::ALL.map(|law| law.at(16.0));
        assert_eq!(found, [1.0, 4.0, 16.0, 4.0, 16.0, 16.0, 64.0, 256.0, 64.0, 256.0]);
        for pair in Law::ALL.windows(2) {
            // From so many on they are in order of growth.
            assert!(pair[0].at(2f64.powi(60)) < pair[1].at(2f64.powi(60)), "{pair:?}");
        }
        assert_eq!(Law::LinearLog.times(1.834), "1.83 n log n");
        assert_eq!([Law::Constant.times(7.0), format!("{:>4}", Law::Root)], ["7.00", "  √n"]);
    }

    #[test]
    fn a_law_with_a_constant_is_found_again() {
        for law in Law::ALL {
            let points = (0..20).map(|k| f64::from(1 << k)).map(|n| (n, 0.37 * law.at(n)));
            let fit = law.fit(points).expect("points");
            assert!((fit.constant - 0.37).abs() < 1e-12 && (fit.largest - 0.37).abs() < 1e-12);
            assert_eq!(fit.points, 20 - usize::from(law.at(1.0) == 0.0), "{law}");
        }
    }

    #[test]
    fn what_has_no_ratio_is_left_out() {
        let odd = [(f64::NAN, 1.0), (4.0, f64::NAN), (4.0, f64::INFINITY), (4.0, 0.0), (0.0, 1.0)];
        assert_eq!(Law::Linear.fit(odd), None);
        assert_eq!(Law::Log.fit([(1.0, 5.0)]), None);
        let fit = Law::Log.fit(odd.into_iter().chain([(4.0, 6.0)]));
        assert!(fit.is_some_and(|f| f.points == 1 && (f.constant - 3.0).abs() < 1e-12));
    }
}
