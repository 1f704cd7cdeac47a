//! A slow and obvious engine: Newton's method with a Jacobian by differences, on dense matrices. It
//! knows nothing of trees.

use palmette_core::feeder::Complex;

/// Finds `x` with `residual(x) = 0` near `start`, where every number is about 1.
pub(crate) fn newton(start: Vec<f64>, residual: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let n = start.len();
    let mut x = start;
    for _ in 0..60 {
        let here = residual(&x);
        let mut rows: Vec<Vec<f64>> = vec![vec![0.0; n + 1]; n];
        for column in 0..n {
            let (mut up, mut down) = (x.clone(), x.clone());
            up[column] += 1e-6;
            down[column] -= 1e-6;
            let (up, down) = (residual(&up), residual(&down));
            (0..n).for_each(|row| rows[row][column] = (up[row] - down[row]) / 2e-6);
        }
        (0..n).for_each(|row| rows[row][n] = -here[row]);
        let step = eliminate(rows);
        x.iter_mut().zip(&step).for_each(|(x, step)| *x += step);
        if step.iter().all(|step| step.abs() < 1e-13) {
            return x;
        }
    }
    panic!("Newton's method did not converge");
}

/// Solves rows of a matrix with the right-hand side as last column.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap();
        rows.swap(k, pivot);
        let top = rows[k].clone();
        for row in rows.iter_mut().skip(k + 1) {
            let factor = row[k] / top[k];
            row.iter_mut().zip(&top).for_each(|(x, t)| *x -= factor * t);
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    x
}

/// Complex numbers from pairs.
pub(crate) fn paired(x: &[f64]) -> Vec<Complex> {
    x.chunks(2).map(|pair| Complex::new(pair[0], pair[1])).collect()
}
