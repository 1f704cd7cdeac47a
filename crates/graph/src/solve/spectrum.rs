//! What conjugate gradients know of the spectrum.
//!
//! **Problem.** The coefficients `(α, β)` of a run; out come the smallest and the largest
//! Ritz value of the preconditioned matrix.
//!
//! **Method.** The coefficients are the entries of the tridiagonal matrix of Lanczos; its
//! extreme eigenvalues are bisected by signs of pivots (Sturm sequences).
//!
//! **Cost.** About a hundred passes over the coefficients.
//!
//! **Determinism.** One thread.
//!
//! **Reference.** Golub and Van Loan, *Matrix computations*, 2013, sections 8.4 and 10.3.
//!
//! **When not to use.** As a bound: Ritz values lie inside the spectrum, and approach its
//! ends as the run gets longer.

/// The smallest and the largest Ritz value; none without coefficients.
pub fn ritz_values(coefficients: &[(f64, f64)]) -> Option<(f64, f64)> {
    let mut diagonal = Vec::with_capacity(coefficients.len());
    // Squares of the entries beside the diagonal; the first has none before it.
    let mut squares = Vec::with_capacity(coefficients.len());
    let mut before: Option<f64> = None;
    for &(alpha, beta) in coefficients {
        diagonal.push(1.0 / alpha + before.map_or(0.0, |before| beta / before));
        squares.push(before.map_or(0.0, |before| beta / (before * before)));
        before = Some(alpha);
    }
    let n = diagonal.len();
    let root = |i: usize| squares.get(i).map_or(0.0, |s: &f64| s.sqrt());
    let radius = |i: usize| root(i) + root(i + 1);
    let low = (0..n).map(|i| diagonal[i] - radius(i)).reduce(f64::min)?;
    let high = (0..n).map(|i| diagonal[i] + radius(i)).reduce(f64::max)?;
    let below = |x: f64| eigenvalues_below(&diagonal, &squares, x);
    let smallest = bisect(low.max(0.0), high, |x| below(x) >= 1);
    let largest = bisect(low.max(0.0), high, |x| below(x) >= n);
    Some((smallest, largest))
}

/// Where a condition that is false at first becomes true.
fn bisect(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        *(if reached(middle) { &mut high } else { &mut low }) = middle;
    }
    high
}

fn eigenvalues_below(diagonal: &[f64], squares: &[f64], x: f64) -> usize {
    let mut count = 0;
    let mut pivot = 1.0f64;
    for (d, square) in diagonal.iter().zip(squares) {
        pivot = d - x - square / pivot;
        if pivot == 0.0 {
            pivot = -f64::MIN_POSITIVE;
        }
        count += usize::from(pivot < 0.0);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_a_known_spectrum() {
        assert_eq!(ritz_values(&[]), None);
        // α and β of the matrix with 2 on the diagonal and ±1 beside it.
        let n = 12;
        let (mut coefficients, mut before) = (vec![(0.5, 0.0)], 0.5f64);
        for _ in 1..n {
            let beta = before * before;
            let alpha = 1.0 / (2.0 - beta / before);
            coefficients.push((alpha, beta));
            before = alpha;
        }
        let (smallest, largest) = ritz_values(&coefficients).unwrap();
        let exact = |k: f64| 2.0 - 2.0 * (k * std::f64::consts::PI / (n as f64 + 1.0)).cos();
        assert!((smallest - exact(1.0)).abs() < 1e-12, "{smallest}");
        assert!((largest - exact(n as f64)).abs() < 1e-12, "{largest}");
    }
}
