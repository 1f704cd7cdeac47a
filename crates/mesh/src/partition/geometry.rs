//! Small linear algebra for points: scaling, moments, and principal axes by Jacobi's rotations.

use palmette_core::mesh::Point;

/// A symmetric matrix of up to 4 rows.
pub(super) type Matrix = [[f64; 4]; 4];

/// A vector of up to 4 coordinates.
pub(super) type Vector = [f64; 4];

/// Points with weighted mean 0 whose largest coordinate is 1, all 0 when they are equal.
pub(super) fn normalised(points: &[Point], weights: &[i64]) -> Vec<Point> {
    let mut mean = [0.0; 3];
    let mut total = 0.0;
    for (point, &weight) in points.iter().zip(weights) {
        // Vertices without weight lie somewhere too.
        let weight = weight.max(1) as f64;
        total += weight;
        (0..3).for_each(|axis| mean[axis] += weight * point[axis]);
    }
    mean = mean.map(|m| m / total.max(1.0));
    let mut moved: Vec<Point> =
        points.iter().map(|p| std::array::from_fn(|axis| p[axis] - mean[axis])).collect();
    let largest = moved.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest > 0.0 {
        moved.iter_mut().flatten().for_each(|x| *x /= largest);
    }
    moved
}

/// `x^e` for numbers of at least 0, by squares and square roots only: the same bits on every
/// platform, which a platform's own `powf` does not promise.
pub(super) fn power(x: f64, e: f64) -> f64 {
    let whole = e.floor();
    let mut product = (0..whole as u32).fold(1.0, |product: f64, _| product * x);
    let (mut rest, mut factor) = (e - whole, x);
    for _ in 0..40 {
        (rest, factor) = (2.0 * rest, factor.sqrt());
        if rest >= 1.0 {
            rest -= 1.0;
            product *= factor;
        }
    }
    product
}

/// `XᵀX` of rows of `d` coordinates.
pub(super) fn moments(rows: impl Iterator<Item = Vector>, d: usize) -> Matrix {
    let mut sum = [[0.0; 4]; 4];
    for row in rows {
        for (sums, x) in sum.iter_mut().zip(&row[..d]) {
            sums.iter_mut().zip(&row[..d]).for_each(|(sum, y)| *sum += x * y);
        }
    }
    sum
}

/// Eigenvalues and eigenvectors (as rows) of a symmetric matrix of `d` rows, the largest
/// first, by Jacobi's rotations.
pub(super) fn axes(mut a: Matrix, d: usize) -> (Vector, Matrix) {
    let mut vectors: Matrix =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    for _ in 0..50 {
        let off: f64 =
            (0..d).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j].abs()).sum();
        let diagonal: f64 = (0..d).map(|i| a[i][i].abs()).sum();
        if off <= 1e-15 * diagonal {
            break;
        }
        for p in 0..d {
            for q in p + 1..d {
                rotate(&mut a, &mut vectors, p, q, d);
            }
        }
    }
    let mut order: Vec<usize> = (0..d).collect();
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    let mut values = [0.0; 4];
    let mut sorted = [[0.0; 4]; 4];
    for (to, &from) in order.iter().enumerate() {
        values[to] = a[from][from].max(0.0);
        sorted[to] = vectors[from];
    }
    (values, sorted)
}

/// The rotation that makes `a[p][q]` zero.
fn rotate(a: &mut Matrix, vectors: &mut Matrix, p: usize, q: usize, d: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut().take(d) {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..d {
        let (x, y) = (a[p][k], a[q][k]);
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (vectors[p][k], vectors[q][k]);
        (vectors[p][k], vectors[q][k]) = (c * x - s * y, s * x + c * y);
    }
}

/// `a b` of matrices of `d` rows.
pub(super) fn product(a: &Matrix, b: &Matrix, d: usize) -> Matrix {
    let entry = |i: usize, j: usize| (0..d).map(|k| a[i][k] * b[k][j]).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| if i < d && j < d { entry(i, j) } else { 0.0 }))
}

/// A row vector times a matrix.
pub(super) fn times(v: &Vector, a: &Matrix, d: usize) -> Vector {
    std::array::from_fn(|j| if j < d { (0..d).map(|i| v[i] * a[i][j]).sum() } else { 0.0 })
}

pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

pub(super) fn wide(p: &Point) -> Vector {
    [p[0], p[1], p[2], 0.0]
}

/// How many coordinates points have: 2 when the third is always the same.
pub(super) fn dimension(points: &[Point]) -> usize {
    if points.iter().all(|p| p[2] == points[0][2]) { 2 } else { 3 }
}
