//! Cutting a net in two by its points.
//!
//! **Problem.** A [`Net`] with points and the weight that the first side shall have; out come
//! sides, the best of many tries first. Each try gives every vertex a key; the first
//! side takes the smallest keys, so balance is exact up to one vertex.
//!
//! **Methods.** *Geometric*: circles (spheres) that pass through the middle of the points
//! seen from a centerpoint, and lines (planes) through the middle, at random; the fewest cut
//! edges win. *Coordinate*: along the longest side of the bounding box. *Inertial*: along
//! the main axis. *Hilbert*: along the curve.
//!
//! **Cost.** Linear in the size of the net for each try.
//!
//! **Reference.** Gilbert, Miller, Teng, *Geometric mesh partitioning: implementation and
//! experiments*, 1998; for numbers of tries their program `geopart`.

use super::centerpoint::{centerpoint, lift, recenter};
use super::geometry::{
    Matrix, Vector, axes, dimension, dot, moments, normalised, product, times, wide,
};
use super::hilbert;
use super::net::Net;
use super::{Method, PartitionParams};
use palmette_core::random::Random;
use std::cmp::Ordering;

/// A way to cut a net: which vertices are on the second side, and the weight of cut edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) cut: u64,
    pub(super) second: Vec<u32>,
}

/// The numbers of tries: centerpoints, circles for each, lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tries {
    outer: usize,
    inner: usize,
    lines: usize,
}

impl Tries {
    fn new(tries: usize, d: usize) -> Tries {
        let tries = tries.max(1);
        let lines = (tries as f64 / 2.0).powf(d as f64 / (d as f64 + 1.0)).floor() as usize;
        let rest = tries - lines.min(tries);
        let outer = ((rest as f64 + 1.0).ln() / 20f64.ln()).ceil() as usize;
        let inner = rest.checked_div(outer).unwrap_or(0);
        Tries { outer, inner, lines: tries - outer * inner }
    }
}

/// The best `keep` cuts, the best first; at least one.
pub(super) fn cuts(
    net: &Net,
    first_weight: i64,
    least: [u32; 2],
    params: &PartitionParams,
    keep: usize,
    random: &mut Random,
) -> Vec<Cut> {
    let odd = net.len() % 2 == 1 && least[0] == least[1] && net.len() as u32 > least[0] + least[1];
    let either = odd && net.weights.iter().all(|&w| w == net.weights[0]);
    let mut best = Best { net, first_weight, least, either, keep: keep.max(1), cuts: Vec::new() };
    match params.method {
        Method::Geometric => geometric(net, params, random, &mut best),
        Method::Coordinate => best.offer(&by_longest_side(net)),
        Method::Inertial => best.offer(&by_main_axis(net)),
        Method::Hilbert => {
            let places = hilbert::places(&net.points);
            best.offer(&places);
        }
    }
    best.cuts
}

struct Best<'a> {
    net: &'a Net,
    first_weight: i64,
    least: [u32; 2],
    /// Whether the vertex in the middle can be on either side: both are as near to balance.
    either: bool,
    keep: usize,
    cuts: Vec<Cut>,
}

impl Best<'_> {
    fn offer<K: Key>(&mut self, keys: &[K]) {
        let mut second = split(keys, &self.net.weights, self.first_weight, self.least);
        let mut cut = self.net.cut(&second.sides);
        if let Some(v) = second.middle.filter(|_| self.either) {
            let row = self.net.row(v).iter();
            let to = |side: u32| -> u64 {
                let there = row.clone().filter(|e| second.sides[e.0 as usize] == side);
                there.map(|e| u64::from(e.1)).sum()
            };
            let (here, there) = (to(1), to(0));
            if there > here {
                second.sides[v as usize] = 0;
                cut = cut + here - there;
            }
        }
        let second = second.sides;
        let place = self.cuts.partition_point(|c| c.cut <= cut);
        if place < self.keep {
            self.cuts.insert(place, Cut { cut, second });
            self.cuts.truncate(self.keep);
        }
    }
}

/// What vertices are sorted by.
trait Key: Copy {
    fn compare(&self, other: &Self) -> Ordering;
}

impl Key for f64 {
    fn compare(&self, other: &f64) -> Ordering {
        self.total_cmp(other)
    }
}

impl Key for u64 {
    fn compare(&self, other: &u64) -> Ordering {
        self.cmp(other)
    }
}

/// Two sides by keys.
struct Sides {
    /// By vertex: its side, 0 or 1.
    sides: Vec<u32>,
    /// The vertex of the second side with the smallest key, if weights are even.
    middle: Option<u32>,
}

/// 0 for the vertices of smallest keys that together come nearest to a weight, 1 for the
/// others; each side gets at least so many vertices. Equal keys go by number.
fn split<K: Key>(keys: &[K], weights: &[i64], first_weight: i64, least: [u32; 2]) -> Sides {
    let n = keys.len();
    let mut order: Vec<u32> = (0..n as u32).collect();
    let compare = |&a: &u32, &b: &u32| keys[a as usize].compare(&keys[b as usize]).then(a.cmp(&b));
    let even = weights[0] > 0 && weights.iter().all(|&w| w == weights[0]);
    let count = if even {
        ((2 * first_weight + weights[0]) / (2 * weights[0])) as usize
    } else {
        order.sort_unstable_by(compare);
        let mut sum = 0;
        let fits = |&v: &u32| {
            let weight = weights[v as usize];
            sum += weight;
            2 * sum - weight <= 2 * first_weight
        };
        order.iter().copied().take_while(fits).count()
    };
    let count = count.min(n - least[1] as usize).max(least[0] as usize);
    let middle = (even && count < n).then(|| *order.select_nth_unstable_by(count, compare).1);
    let mut sides = vec![1; n];
    order[..count].iter().for_each(|&v| sides[v as usize] = 0);
    Sides { sides, middle }
}

fn geometric(net: &Net, params: &PartitionParams, random: &mut Random, best: &mut Best<'_>) {
    let d = dimension(&net.points);
    let tries = Tries::new(params.tries, d);
    let points = normalised(&net.points, &net.weights);
    let lifted: Vec<Vector> = points.iter().map(|p| lift(p, d)).collect();
    let sample = params.sample.unwrap_or((d + 3).pow(4));
    for _ in 0..tries.outer {
        let center = centerpoint(&lifted, d, sample, random);
        let moved = recenter(&lifted, &center, d);
        let square = moments(moved.iter().copied(), d + 1);
        let weighing = product(&square, &square, d + 1);
        for _ in 0..tries.inner {
            let normal = direction(random, &weighing, d + 1);
            best.offer(&moved.iter().map(|p| dot(p, &normal)).collect::<Vec<_>>());
        }
    }
    let flat: Vec<Vector> = points.iter().map(wide).collect();
    let (values, vectors) = axes(moments(flat.iter().copied(), d), d);
    let exponent = 2.0 * (d as f64 + 1.0) / (tries.lines.max(2) as f64 - 1.0);
    let weighing: Matrix = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let term = |k: usize| (values[k].sqrt()).powf(exponent) * vectors[k][i] * vectors[k][j];
            (0..d).map(term).sum()
        })
    });
    for line in 0..tries.lines {
        let normal = if line == 0 { vectors[0] } else { direction(random, &weighing, d) };
        best.offer(&flat.iter().map(|p| dot(p, &normal)).collect::<Vec<_>>());
    }
}

/// A random direction, longer where the matrix is.
fn direction(random: &mut Random, weighing: &Matrix, d: usize) -> Vector {
    let normal: Vector = std::array::from_fn(|k| if k < d { random.normal() } else { 0.0 });
    let turned = times(&normal, weighing, d);
    let length = dot(&turned, &turned).sqrt();
    if length > 0.0 && length.is_finite() { turned.map(|x| x / length) } else { normal }
}

fn by_longest_side(net: &Net) -> Vec<f64> {
    let side = |k: usize| {
        let low = net.points.iter().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let high = net.points.iter().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max);
        high / 2.0 - low / 2.0
    };
    let mut axis = 0;
    for k in 1..3 {
        if side(k) > side(axis) {
            axis = k;
        }
    }
    net.points.iter().map(|p| p[axis]).collect()
}

fn by_main_axis(net: &Net) -> Vec<f64> {
    let points = normalised(&net.points, &net.weights);
    let (_, vectors) = axes(moments(points.iter().map(wide), 3), 3);
    points.iter().map(|p| dot(&wide(p), &vectors[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tries_are_those_of_geopart() {
        assert_eq!(Tries::new(30, 2), Tries { outer: 2, inner: 12, lines: 6 });
        assert_eq!(Tries::new(30, 3), Tries { outer: 2, inner: 11, lines: 8 });
        for tries in 1..100 {
            let t = Tries::new(tries, 2);
            assert_eq!(t.outer * t.inner + t.lines, tries);
        }
    }

    fn sides(keys: &[f64], weights: &[i64], first_weight: i64, least: [u32; 2]) -> Vec<u32> {
        split(keys, weights, first_weight, least).sides
    }

    #[test]
    fn both_sides_get_vertices_and_the_weight_asked_for() {
        let keys = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(sides(&keys, &[1; 5], 2, [1; 2]), [1, 0, 1, 0, 1]);
        assert_eq!(sides(&keys, &[1, 4, 1, 1, 1], 4, [1; 2]), [1, 0, 1, 1, 1]);
        assert_eq!(sides(&keys, &[1, 9, 1, 1, 1], 1, [1; 2]), [1, 0, 1, 1, 1]);
        assert_eq!(sides(&keys, &[9, 1, 1, 1, 1], 99, [1; 2]), [1, 0, 0, 0, 0]);
        assert_eq!(sides(&[0.0; 4], &[1; 4], 2, [1; 2]), [0, 0, 1, 1]);
        assert_eq!(sides(&[0.0; 2], &[0; 2], 0, [1; 2]), [0, 1]);
        assert_eq!(sides(&[0.0; 3], &[1, 9, 9], 1, [1, 2]), [0, 1, 1]);
        assert_eq!(sides(&[0.0; 3], &[1, 9, 9], 1, [2, 1]), [0, 0, 1]);
    }
}
