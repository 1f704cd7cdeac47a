//! Root-to-tip distances against dates.
//!
//! **Problem.** Tips that were sampled at known dates, and their distances from the root: how fast do distances grow?
//! **Method.** Least squares of distance on date, from centred sums. No tip is left out, however far from the line.
//! **Cost.** O(n).
//! **Reference.** A. J. Drummond et al., *Measurably evolving populations*, Trends Ecol. Evol. 18 (2003).

/// A line through dates and distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regression {
    /// Length per unit of date: the clock rate.
    pub slope: f64,
    /// The distance at date 0.
    pub intercept: f64,
    /// The share of the variance that the line explains.
    pub r_squared: f64,
    /// The sum of the squares of what is left.
    pub residual: f64,
}

impl Regression {
    /// The line through points of date and distance; none where there are fewer than two dates.
    ///
    /// ```
    /// use palmette_phylo::measures::Regression;
    /// let line = Regression::new(&[(2000.0, 1.0), (2010.0, 2.0)]).expect("two dates");
    /// assert_eq!((line.slope, line.root_date()), (0.1, 1990.0));
    /// assert_eq!(Regression::new(&[(2000.0, 1.0), (2000.0, 2.0)]), None);
    /// ```
    pub fn new(points: &[(f64, f64)]) -> Option<Regression> {
        let n = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
            points.iter().map(|p| of(p.0 - x, p.1 - y)).sum()
        };
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        if points.len() < 2 || xx == 0.0 || !xx.is_finite() || !yy.is_finite() {
            return None;
        }
        let slope = xy / xx;
        let residual = sum(&|x, y| (y - slope * x).powi(2));
        let r_squared = if yy == 0.0 { 1.0 } else { xy * xy / (xx * yy) };
        Some(Regression { slope, intercept: y - slope * x, r_squared, residual })
    }

    /// The date at which the line has distance 0: that of the root.
    pub fn root_date(&self) -> f64 {
        -self.intercept / self.slope
    }

    /// The distance that the line has at a date.
    pub fn at(&self, date: f64) -> f64 {
        self.intercept + self.slope * date
    }
}
