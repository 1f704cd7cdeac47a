//! Indices of points on a Hilbert curve through their bounding box, in two or three dimensions.
//!
//! **Reference.** Skilling, *Programming the Hilbert curve*, 2004.

use super::geometry::dimension;
use palmette_core::mesh::Point;
use rayon::prelude::*;

/// The place of each point on the curve.
pub(super) fn places(points: &[Point]) -> Vec<u64> {
    if points.is_empty() {
        return Vec::new();
    }
    let (low, high) = extent(points);
    let curve = Curve::new(dimension(points), low, high);
    points.par_iter().map(|point| curve.place(point)).collect()
}

/// The smallest and the largest coordinates.
pub(super) fn extent(points: &[Point]) -> (Point, Point) {
    let all = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    points.iter().fold(all, |(low, high), point| {
        let least = |k: usize| low[k].min(point[k]);
        let most = |k: usize| high[k].max(point[k]);
        (std::array::from_fn(least), std::array::from_fn(most))
    })
}

/// Hilbert's curve through a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curve {
    dimension: usize,
    bits: u32,
    low: Point,
    scale: f64,
}

impl Curve {
    /// In two or three dimensions.
    pub(super) fn new(dimension: usize, low: Point, high: Point) -> Curve {
        let bits = if dimension == 2 { 31 } else { 21 };
        // Halves, so that the difference of the largest numbers is a number.
        let side = (0..dimension).map(|k| high[k] / 2.0 - low[k] / 2.0).fold(0.0, f64::max);
        let cells = ((1u64 << bits) - 1) as f64;
        let scale = if side > 0.0 { cells / side } else { 0.0 };
        Curve { dimension, bits, low, scale }
    }

    /// The place of a point of the box.
    pub(super) fn place(&self, p: &Point) -> u64 {
        let cell = |k: usize| ((p[k] / 2.0 - self.low[k] / 2.0) * self.scale) as u32;
        let mut x: [u32; 3] = std::array::from_fn(cell);
        place(&mut x[..self.dimension], self.bits)
    }
}

/// The place of a cell.
fn place(x: &mut [u32], bits: u32) -> u64 {
    let last = x.len() - 1;
    let mut q = 1u32 << (bits - 1);
    while q > 1 {
        let below = q - 1;
        for i in 0..x.len() {
            if x[i] & q != 0 {
                x[0] ^= below;
            } else {
                let t = (x[0] ^ x[i]) & below;
                x[0] ^= t;
                x[i] ^= t;
            }
        }
        q >>= 1;
    }
    for i in 1..x.len() {
        x[i] ^= x[i - 1];
    }
    let mut t = 0;
    let mut q = 1u32 << (bits - 1);
    while q > 1 {
        if x[last] & q != 0 {
            t ^= q - 1;
        }
        q >>= 1;
    }
    x.iter_mut().for_each(|x| *x ^= t);
    let mut place = 0u64;
    for bit in (0..bits).rev() {
        for x in x.iter() {
            place = place << 1 | u64::from(x >> bit & 1);
        }
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_cells_are_neighbours() {
        for (d, bits) in [(2usize, 4), (3, 3)] {
            let side = 1u32 << bits;
            let count = side.pow(d as u32);
            let mut cells: Vec<(u64, Vec<u32>)> = (0..count)
                .map(|i| {
                    let cell: Vec<u32> = (0..d as u32).map(|k| i / side.pow(k) % side).collect();
                    (place(&mut cell.clone(), bits), cell)
                })
                .collect();
            cells.sort();
            for (i, (place, _)) in cells.iter().enumerate() {
                assert_eq!(*place, i as u64);
            }
            for pair in cells.windows(2) {
                let steps: u32 =
                    pair[0].1.iter().zip(&pair[1].1).map(|(a, b)| a.abs_diff(*b)).sum();
                assert_eq!(steps, 1, "{pair:?}");
            }
        }
    }

    #[test]
    fn extreme_points_have_places() {
        let far = [[-f64::MAX, 0.0, 0.0], [f64::MAX, 1.0, 0.0], [0.0, 0.0, 0.0]];
        assert_eq!(places(&far).len(), 3);
        assert_eq!(places(&[[1.0, 1.0, 1.0]; 2]), [0, 0]);
    }
}
