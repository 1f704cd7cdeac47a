//! Eigenvalues of symmetric matrices: all of a large one, or with vectors of a small one.
//!
//! **Method.** [`spectrum`]: Householder's reflections leave three diagonals, of which implicit QL
//! with Wilkinson's shifts finds the eigenvalues. [`jacobi`]: rotations that take away one entry after the other.
//!
//! **Cost.** 4n³/3 and O(n²); for rotations about 10n³.
//!
//! **Reference.** Martin and Wilkinson, *The implicit QL algorithm*, 1968; Golub and Van Loan,
//! sections 8.3 and 8.5.

/// All eigenvalues, in no order.
pub(super) fn spectrum(mut a: Vec<f64>, n: usize) -> Vec<f64> {
    let (mut diagonal, mut beside) = (vec![0.0; n], vec![0.0; n]);
    for i in (1..n).rev() {
        // The reflection that leaves row i one entry beside the diagonal.
        let (above, row) = a.split_at_mut(i * n);
        let v = &mut row[..i];
        let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size == 0.0 {
            beside[i] = 0.0;
        } else {
            let alpha = if v[i - 1] > 0.0 { -size } else { size };
            beside[i] = alpha;
            v[i - 1] -= alpha;
            let half = v.iter().map(|x| x * x).sum::<f64>() / 2.0;
            // A − vwᵀ − wvᵀ, by the lower triangle.
            let mut w = vec![0.0; i];
            for r in 0..i {
                let line = &above[r * n..r * n + r];
                let mut sum = above[r * n + r] * v[r];
                for (c, &x) in line.iter().enumerate() {
                    sum += x * v[c];
                    w[c] += x * v[r];
                }
                w[r] += sum;
            }
            w.iter_mut().for_each(|x| *x /= half);
            let part = w.iter().zip(v.iter()).map(|(w, v)| w * v).sum::<f64>() / (2.0 * half);
            w.iter_mut().zip(v.iter()).for_each(|(w, v)| *w -= part * v);
            for r in 0..i {
                let line = &mut above[r * n..=r * n + r];
                for ((x, v_c), w_c) in line.iter_mut().zip(v.iter()).zip(&w) {
                    *x -= v[r] * w_c + w[r] * v_c;
                }
            }
        }
        diagonal[i] = a[i * n + i];
    }
    if n > 0 {
        diagonal[0] = a[0];
    }
    implicit_ql(&mut diagonal, &mut beside);
    diagonal
}

/// Turns diagonals into eigenvalues; `beside[i]` stands between `i − 1` and `i`.
fn implicit_ql(d: &mut [f64], beside: &mut [f64]) {
    let n = d.len();
    let mut e = vec![0.0; n];
    e[..n.saturating_sub(1)].copy_from_slice(&beside[1.min(n)..]);
    for l in 0..n {
        // Thirty rounds are never needed for one eigenvalue.
        for _ in 0..60 {
            let split = (l..n - 1).find(|&m| {
                let size = d[m].abs() + d[m + 1].abs();
                e[m].abs() <= f64::EPSILON * size
            });
            let m = split.unwrap_or(n - 1);
            if m == l {
                break;
            }
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = g.hypot(1.0);
            let mut g = d[m] - d[l] + e[l] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut stopped = false;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = f.hypot(g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    stopped = true;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                let r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
            }
            if !stopped {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
}

/// The eigenvalues, and the vectors as columns.
pub(super) fn jacobi(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|i| vectors[i * n + i] = 1.0);
    let size: f64 = a.iter().map(|x| x * x).sum();
    for _ in 0..60 {
        let outside: f64 = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| a[i * n + j].powi(2))
            .sum();
        if outside <= 1e-32 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                let apq = a[p * n + q];
                if apq.abs() <= f64::MIN_POSITIVE {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let t = 1.0f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (vectors[k * n + p], vectors[k * n + q]);
                    (vectors[k * n + p], vectors[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of a path's second differences: 2 − 2 cos(πk/(n + 1)).
    #[test]
    fn known_eigenvalues() {
        for n in [1usize, 2, 3, 7, 40] {
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                a[i * n + i] = 2.0;
                if i > 0 {
                    (a[i * n + i - 1], a[(i - 1) * n + i]) = (-1.0, -1.0);
                }
            }
            let known = |k: usize| {
                2.0 - 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (n + 1) as f64).cos()
            };
            // The same seen from elsewhere: a reflection that fills the matrix.
            let v: Vec<f64> = (0..n).map(|i| 1.0 + (i as f64).sin()).collect();
            let size: f64 = v.iter().map(|x| x * x).sum();
            let h = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * v[i] * v[j] / size;
            let mut full = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    for k in 0..n {
                        for l in 0..n {
                            full[i * n + j] += h(i, k) * a[k * n + l] * h(l, j);
                        }
                    }
                }
            }
            for matrix in [a, full] {
                let mut all = spectrum(matrix.clone(), n);
                all.sort_by(f64::total_cmp);
                let (mut values, _) = jacobi(&mut matrix.clone(), n);
                values.sort_by(f64::total_cmp);
                for k in 0..n {
                    assert!((all[k] - known(k)).abs() < 1e-12, "{n} {k} {}", all[k]);
                    assert!((values[k] - known(k)).abs() < 1e-12);
                }
            }
        }
    }
}
