//! Small dense systems: the few unknowns of loops and generators.
//!
//! **Method.** Elimination with partial pivoting, by rows. **Cost.** `n³/3` to factor, `n²` per
//! solution; for some hundred unknowns. **When not to use.** For anything sparse.

/// The factors of a square matrix.
#[derive(Debug, Clone)]
pub(super) struct Factors {
    n: usize,
    /// L below the diagonal, U on and above it, rows as `rows` says.
    entries: Vec<f64>,
    rows: Vec<usize>,
}

impl Factors {
    /// Factors a matrix given by rows; none if it is singular.
    pub(super) fn new(n: usize, mut a: Vec<f64>) -> Option<Factors> {
        assert_eq!(a.len(), n * n, "a square matrix");
        let mut rows: Vec<usize> = (0..n).collect();
        let size = a.iter().fold(0.0f64, |most, entry| most.max(entry.abs()));
        for k in 0..n {
            let pivot =
                (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
            // Also where a number is none.
            let usable = a[pivot * n + k].abs() > size * 1e-14;
            if !usable {
                return None;
            }
            if pivot != k {
                rows.swap(k, pivot);
                let (top, bottom) = a.split_at_mut(pivot * n);
                top[k * n..k * n + n].swap_with_slice(&mut bottom[..n]);
            }
            let (top, below) = a.split_at_mut((k + 1) * n);
            let top = &top[k * n..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / top[k];
                row[k] = factor;
                if factor != 0.0 {
                    row[k + 1..].iter_mut().zip(&top[k + 1..]).for_each(|(x, u)| *x -= factor * u);
                }
            }
        }
        Some(Factors { n, entries: a, rows })
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        let given = b.to_vec();
        for (i, &row) in self.rows.iter().enumerate() {
            let known: f64 =
                self.entries[i * n..i * n + i].iter().zip(&*b).map(|(l, x)| l * x).sum();
            b[i] = given[row] - known;
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let known: f64 = row[i + 1..].iter().zip(&b[i + 1..]).map(|(u, x)| u * x).sum();
            b[i] = (b[i] - known) / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_solve() {
        let a = vec![0.0, 2.0, 1.0, 1.0, -1.0, 0.5, 3.0, 0.0, 4.0];
        let x = [1.0, -2.0, 0.25];
        let mut b: Vec<f64> =
            a.chunks(3).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect();
        Factors::new(3, a).unwrap().solve(&mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-14), "{b:?}");
        assert!(Factors::new(2, vec![1.0, 2.0, 2.0, 4.0]).is_none());
    }
}
