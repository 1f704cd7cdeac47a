//! Points on a sphere moved so that every plane through its centre halves them, nearly.
//!
//! **Method.** Points are lifted from `d` coordinates onto the unit sphere in `d + 1`. A
//! centerpoint of a sample comes from Radon points: of `d + 3` points take the common point
//! of the hulls of two groups, again and again. A reflection puts it on the last axis; a
//! dilation of the plane below then moves it to the centre of the sphere.
//!
//! **Reference.** Gilbert, Miller, Teng, *Geometric mesh partitioning: implementation and
//! experiments*, 1998.

use super::geometry::{Vector, dot};
use palmette_core::mesh::Point;
use palmette_core::random::Random;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Onto the unit sphere.
pub(super) fn lift(point: &Point, d: usize) -> Vector {
    let square = point.iter().take(d).map(|x| x * x).sum::<f64>();
    let mut lifted = [0.0; 4];
    for (to, x) in lifted.iter_mut().zip(&point[..d]) {
        *to = 2.0 * x / (square + 1.0);
    }
    lifted[d] = (square - 1.0) / (square + 1.0);
    lifted
}

/// A centerpoint of some of the points on the sphere, near enough.
pub(super) fn centerpoint(
    points: &[Vector],
    d: usize,
    sample: usize,
    random: &mut Random,
) -> Vector {
    let dimensions = d + 1;
    let mut indices: Vec<u32> = (0..points.len() as u32).collect();
    for i in 0..sample.min(points.len()) {
        let j = i + random.below_wide((points.len() - i) as u64) as usize;
        indices.swap(i, j);
    }
    let chosen = indices.iter().take(sample);
    let mut queue: VecDeque<Vector> = chosen.map(|&i| points[i as usize]).collect();
    while queue.len() >= dimensions + 2 {
        let group: Vec<Vector> = queue.drain(..dimensions + 2).collect();
        queue.push_back(radon(&group, dimensions));
    }
    let Some(&center) = queue.back() else { return [0.0; 4] };
    if 1.0 - dot(&center, &center).sqrt() >= f64::EPSILON.sqrt() {
        return center;
    }
    // On the sphere: all points are (nearly) one.
    let mut away: Vector =
        std::array::from_fn(|i| if i < dimensions { random.normal() } else { 0.0 });
    let length = dot(&away, &away).sqrt().max(f64::MIN_POSITIVE);
    away.iter_mut().zip(center).for_each(|(a, c)| *a = 0.9 * c + *a / length / 20.0);
    away
}

/// The point that lies in the hulls of both groups of `D + 2` points in `D` dimensions.
fn radon(points: &[Vector], dimensions: usize) -> Vector {
    let coefficients = null_vector(points, dimensions);
    let mut sum = 0.0;
    let mut point = [0.0; 4];
    for (&c, p) in coefficients.iter().zip(points).filter(|(c, _)| **c > 0.0) {
        sum += c;
        (0..dimensions).for_each(|k| point[k] += c * p[k]);
    }
    if sum > 0.0 { point.map(|x| x / sum) } else { points[0] }
}

/// Coefficients, not all 0, with which points and ones add up to 0: elimination with full
/// pivots. There is one more point than equations.
fn null_vector(points: &[Vector], dimensions: usize) -> [f64; 6] {
    let (rows, columns) = (dimensions + 1, dimensions + 2);
    let mut a = [[0.0; 6]; 5];
    for (j, p) in points.iter().enumerate() {
        a[0][j] = 1.0;
        (0..dimensions).for_each(|k| a[k + 1][j] = p[k]);
    }
    let mut order: [usize; 6] = std::array::from_fn(|j| j);
    let mut rank = 0;
    while rank < rows {
        let candidates = (rank..rows).flat_map(|i| (rank..columns).map(move |j| (i, j)));
        let largest = candidates.max_by(|&(i, j), &(k, l)| a[i][j].abs().total_cmp(&a[k][l].abs()));
        let Some((i, j)) = largest.filter(|&(i, j)| a[i][j].abs() > 1e-12) else { break };
        a.swap(rank, i);
        order.swap(rank, j);
        a.iter_mut().for_each(|row| row.swap(rank, j));
        let pivot = a[rank];
        for row in a.iter_mut().take(rows).skip(rank + 1) {
            let factor = row[rank] / pivot[rank];
            (rank..columns).for_each(|k| row[k] -= factor * pivot[k]);
        }
        rank += 1;
    }
    // The first free variable is 1, other free ones 0.
    let mut x = [0.0; 6];
    x[rank] = 1.0;
    for i in (0..rank).rev() {
        let sum: f64 = (i + 1..=rank).map(|k| a[i][k] * x[k]).sum();
        x[i] = -sum / a[i][i];
    }
    let mut coefficients = [0.0; 6];
    (0..columns).for_each(|k| coefficients[order[k]] = x[k]);
    coefficients
}

/// Moves points of the sphere, which stays a sphere, so that `center` comes to its centre.
pub(super) fn recenter(points: &[Vector], center: &Vector, d: usize) -> Vec<Vector> {
    let reflection = Reflection::new(center, d);
    let height = reflection.apply(center)[d];
    let alpha = ((1.0 + height) / (1.0 - height)).sqrt();
    let moved = points.par_iter().map(|p| {
        let p = reflection.apply(p);
        let rest = (1.0 - p[d]).max(f64::MIN_POSITIVE);
        let down: Point = std::array::from_fn(|k| if k < d { p[k] / rest / alpha } else { 0.0 });
        if down.iter().all(|x| x.is_finite()) { lift(&down, d) } else { top(d) }
    });
    moved.collect()
}

/// The end of the last axis, where points at infinity are lifted to.
fn top(d: usize) -> Vector {
    let mut top = [0.0; 4];
    top[d] = 1.0;
    top
}

/// Householder's reflection that puts a vector on the last axis.
struct Reflection {
    normal: Vector,
    /// 2 / |normal|², 0 for no reflection.
    factor: f64,
}

impl Reflection {
    /// Onto the lower end, so that points near the centerpoint are far from where they are
    /// projected from, and nothing cancels there.
    fn new(vector: &Vector, d: usize) -> Reflection {
        let length = dot(vector, vector).sqrt();
        let mut normal = *vector;
        normal[d] = if vector[d] >= 0.0 {
            vector[d] + length
        } else {
            let across: f64 = vector[..d].iter().map(|x| x * x).sum();
            across / (length - vector[d])
        };
        let square = dot(&normal, &normal);
        Reflection { normal, factor: if square > 0.0 { 2.0 / square } else { 0.0 } }
    }

    fn apply(&self, v: &Vector) -> Vector {
        let along = self.factor * dot(&self.normal, v);
        std::array::from_fn(|k| v[k] - along * self.normal[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::Purpose;

    fn cloud(n: usize, d: usize) -> Vec<Vector> {
        let mut random = Random::new(3, Purpose::Samples);
        let mut point = || {
            let p: Point = std::array::from_fn(|k| if k < d { random.unit().powi(3) } else { 0.0 });
            lift(&p, d)
        };
        (0..n).map(|_| point()).collect()
    }

    #[test]
    fn lifted_points_lie_on_the_sphere() {
        for p in cloud(100, 2).iter().chain(&cloud(100, 3)) {
            assert!((dot(p, p) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn radon_points_lie_in_both_hulls() {
        // In the plane: of a square's corners, the crossing of the diagonals.
        let square = [[0., 0., 0., 0.], [1., 0., 0., 0.], [1., 1., 0., 0.], [0., 1., 0., 0.]];
        let point = radon(&square, 2);
        assert!((point[0] - 0.5).abs() < 1e-14 && (point[1] - 0.5).abs() < 1e-14);
        let inner = [[0., 0., 0., 0.], [3., 0., 0., 0.], [1., 1., 0., 0.], [0., 3., 0., 0.]];
        let point = radon(&inner, 2);
        assert!((point[0] - 1.0).abs() < 1e-14 && (point[1] - 1.0).abs() < 1e-14);
    }

    #[test]
    fn planes_through_the_centre_split_recentred_points_fairly() {
        for d in [2, 3] {
            let points = cloud(3000, d);
            let mut random = Random::new(1, Purpose::Partition);
            let center = centerpoint(&points, d, (d + 3).pow(4), &mut random);
            let moved = recenter(&points, &center, d);
            for _ in 0..50 {
                let normal: Vector =
                    std::array::from_fn(|k| if k <= d { random.normal() } else { 0.0 });
                let above = moved.iter().filter(|p| dot(p, &normal) > 0.0).count();
                // The theorem promises a share of 1/(d + 2) on each side.
                assert!(
                    above * (d + 2) >= 3000 && (3000 - above) * (d + 2) >= 3000,
                    "{d}: {above}"
                );
            }
        }
    }

    #[test]
    fn equal_points_have_a_centerpoint_inside() {
        let points = vec![lift(&[0.3, 0.2, 0.0], 2); 50];
        let center = centerpoint(&points, 2, 625, &mut Random::new(1, Purpose::Partition));
        assert!(dot(&center, &center) < 1.0);
        assert!(recenter(&points, &center, 2).iter().flatten().all(|x| x.is_finite()));
    }
}
