//! Costs of changes between states.

use super::ParsimonyError;

/// What a change from one state to another costs: rows are the states of parents, columns those of
/// children. Costs are decimals with at most six digits after the point, or infinite for a change that
/// cannot happen; they are kept as whole numbers of the smallest power of ten that all are multiples of,
/// so that sums and comparisons are exact.
#[derive(Debug, Clone, PartialEq)]
pub struct CostMatrix {
    states: usize,
    /// Row after row, in units of `1 / scale`.
    units: Vec<f64>,
    scale: f64,
}

/// Digits after the decimal point.
const DIGITS: i32 = 6;

impl CostMatrix {
    /// A matrix, row after row.
    ///
    /// # Errors
    /// Another number of entries than `states²`; an entry that is negative or NaN, or has more than six
    /// digits after the point; a diagonal that is not zero.
    ///
    /// ```
    /// use palmette_phylo::parsimony::CostMatrix;
    /// let costs = CostMatrix::new(2, &[0.0, 1.5, 0.5, 0.0])?;
    /// assert_eq!((costs.cost(0, 1), costs.cost(1, 0)), (1.5, 0.5));
    /// # Ok::<(), palmette_phylo::parsimony::ParsimonyError>(())
    /// ```
    pub fn new(states: usize, costs: &[f64]) -> Result<CostMatrix, ParsimonyError> {
        if costs.len() != states * states {
            let (expected, actual) = (states * states, costs.len());
            return Err(ParsimonyError::Costs { expected, actual });
        }
        let mut digits = 0;
        for (i, &cost) in costs.iter().enumerate() {
            let (from, to) = (i / states, i % states);
            let needed = (0..=DIGITS).find(|&d| is_whole(cost * 10f64.powi(d)));
            match needed {
                _ if cost.is_nan() || cost < 0.0 || (from == to && cost != 0.0) => {}
                Some(needed) => {
                    digits = digits.max(needed);
                    continue;
                }
                None => {}
            }
            return Err(ParsimonyError::Cost { from, to, cost });
        }
        let scale = 10f64.powi(digits);
        let units = costs.iter().map(|&cost| (cost * scale).round()).collect();
        Ok(CostMatrix { states, units, scale })
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.states
    }

    /// What a change costs.
    pub fn cost(&self, parent: usize, child: usize) -> f64 {
        self.units[parent * self.states + child] / self.scale
    }

    /// Whether every change costs 1.
    pub fn is_unit(&self) -> bool {
        let entry = |i: usize| if i.is_multiple_of(self.states + 1) { 0.0 } else { 1.0 };
        self.scale == 1.0 && self.units.iter().enumerate().all(|(i, &c)| c == entry(i))
    }

    pub(super) fn units(&self) -> &[f64] {
        &self.units
    }

    /// Units in a cost of 1: all costs are whole numbers of units.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The largest cost that is finite, in units.
    pub(super) fn largest(&self) -> f64 {
        self.units.iter().copied().filter(|c| c.is_finite()).fold(0.0, f64::max)
    }
}

/// Whether a cost is a whole number, up to the rounding of decimals to binary.
fn is_whole(cost: f64) -> bool {
    cost.is_infinite() || (cost - cost.round()).abs() <= cost.abs() * 4.0 * f64::EPSILON
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_whole_numbers_of_a_unit() {
        let costs = CostMatrix::new(2, &[0.0, 0.1, 2.25, 0.0]).expect("decimals");
        assert_eq!((costs.scale(), costs.units()), (100.0, &[0.0, 10.0, 225.0, 0.0][..]));
        assert!(!costs.is_unit() && CostMatrix::new(2, &[0., 1., 1., 0.]).expect("one").is_unit());
        assert_eq!(costs.largest(), 225.0);
        let inf =
            CostMatrix::new(2, &[0.0, 3.0, f64::INFINITY, 0.0]).expect("a way back is closed");
        assert_eq!((inf.cost(1, 0), inf.largest()), (f64::INFINITY, 3.0));
    }

    #[test]
    fn what_is_no_cost_is_named() {
        for (costs, text) in [
            (&[0.0, -1.0, 1.0, 0.0][..], "the cost from state 0 to state 1 is -1"),
            (&[0.0, 1.0, f64::NAN, 0.0], "the cost from state 1 to state 0 is NaN"),
            (&[0.0, 1.0, 1.0, 2.0], "the cost from state 1 to state 1 is 2"),
            (&[0.0, 1.0 / 3.0, 1.0, 0.0], "the cost from state 0 to state 1 is 0.333"),
            (&[0.0, 1.0], "2 costs where 4 are expected"),
        ] {
            let error = CostMatrix::new(2, costs).expect_err(text).to_string();
            assert!(error.starts_with(text), "{error}");
        }
    }
}
