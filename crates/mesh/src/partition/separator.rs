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
//! **Cost.** Linear in the number of vertices for each try, and in the size of the net for all
//! tries from one centerpoint together (`tally.rs`). Tries run in parallel.
//!
//! **Reference.** Gilbert, Miller, Teng, *Geometric mesh partitioning: implementation and
//! experiments*, 1998; for numbers of tries their program `geopart`.

use super::centerpoint::{centerpoint, lift, recenter};
use super::geometry::{
    Matrix, Vector, axes, dimension, dot, moments, normalised, power, product, times, wide,
};
use super::hilbert;
use super::net::Net;
use super::split::{Sides, Split, float_rank, whole_rank};
use super::tally::{MOST_TRIES, cut_weights};
use super::{Method, PartitionParams};
use palmette_core::random::Random;
use rayon::prelude::*;

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
        // ⌊(tries/2)^(d/(d+1))⌋ and ⌈ln(rest+1)/ln 20⌉, in whole numbers.
        let fits = |lines: u128| {
            (2u128.pow(d as u32) * lines.pow(d as u32 + 1)) <= (tries as u128).pow(d as u32)
        };
        let lines = (1..).find(|&lines| !fits(lines)).map_or(0, |above| above as usize - 1);
        let rest = tries - lines.min(tries);
        let outer =
            (0..).find(|&outer| 20usize.pow(outer) > rest).map_or(0, |outer| outer as usize);
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
    let halves = (2 * first_weight - net.weight()).abs() <= net.weights[0];
    let either = odd && halves && net.weights.iter().all(|&w| w == net.weights[0]);
    let split = Split::new(&net.weights, first_weight, least);
    let mut best = Best { net, split, either, keep: keep.max(1), cuts: Vec::new() };
    match params.bisection {
        Method::Geometric | Method::Auto | Method::Growing => {
            geometric(net, params, random, &mut best)
        }
        Method::Coordinate => best.offer(&[()], |()| by_longest_side(net)),
        Method::Inertial => best.offer(&[()], |()| by_main_axis(net)),
        Method::Hilbert => best
            .offer(&[()], |()| hilbert::places(&net.points).into_iter().map(whole_rank).collect()),
    }
    best.cuts
}

struct Best<'a> {
    net: &'a Net,
    split: Split<'a>,
    /// Whether the vertex in the middle can be on either side: both are as near to balance.
    either: bool,
    keep: usize,
    cuts: Vec<Cut>,
}

impl Best<'_> {
    /// Takes tries, each of which gives every vertex a key.
    fn offer<T: Sync>(&mut self, tries: &[T], keys: impl Fn(&T) -> Vec<i64> + Sync) {
        for tries in tries.chunks(MOST_TRIES) {
            let sides = |t: &T| self.split.sides(&keys(t));
            let mut found: Vec<Sides> = tries.par_iter().map(sides).collect();
            let weights = cut_weights(self.net, &found);
            for (sides, cut) in found.iter_mut().zip(weights) {
                self.take(sides, cut);
            }
        }
    }

    /// Keeps sides that cut less than what is kept, or as long as there is room.
    fn take(&mut self, sides: &mut Sides, mut cut: u64) {
        if let Some(v) = sides.middle.filter(|_| self.either) {
            let to = |side: bool| -> u64 {
                let there = self.net.row(v).iter().filter(|e| sides.is_second(e.0) == side);
                there.map(|e| u64::from(e.1)).sum()
            };
            let (here, there) = (to(true), to(false));
            if there > here {
                sides.move_to_first(v);
                cut = cut + here - there;
            }
        }
        let place = self.cuts.partition_point(|c| c.cut <= cut);
        if place < self.keep {
            self.cuts.insert(place, Cut { cut, second: sides.numbers() });
            self.cuts.truncate(self.keep);
        }
    }
}

/// Every try looks at all edges. Where cuts are refined there are few of those by now; elsewhere
/// 30 tries on a large graph take longer than refining, for a cut that is 2% smaller than of 8.
fn usual_tries(params: &PartitionParams, vertices: usize) -> usize {
    if params.refine || vertices <= 100_000 { 30 } else { 8 }
}

fn geometric(net: &Net, params: &PartitionParams, random: &mut Random, best: &mut Best<'_>) {
    let d = dimension(&net.points);
    let tries = Tries::new(params.tries.unwrap_or(usual_tries(params, net.points.len())), d);
    let points = normalised(&net.points, &net.weights);
    let lifted: Vec<Vector> = points.par_iter().map(|p| lift(p, d)).collect();
    let sample = params.sample.unwrap_or((d + 3).pow(4));
    for _ in 0..tries.outer {
        let center = centerpoint(&lifted, d, sample, random);
        let moved = recenter(&lifted, &center, d);
        let square = moments(moved.iter().copied(), d + 1);
        let weighing = product(&square, &square, d + 1);
        let normals: Vec<Vector> =
            (0..tries.inner).map(|_| direction(random, &weighing, d + 1)).collect();
        best.offer(&normals, |normal| along(&moved, normal));
    }
    let flat: Vec<Vector> = points.iter().map(wide).collect();
    let (values, vectors) = axes(moments(flat.iter().copied(), d), d);
    let exponent = 2.0 * (d as f64 + 1.0) / (tries.lines.max(2) as f64 - 1.0);
    let weighing: Matrix = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let term = |k: usize| {
                power(values[k].max(0.0).sqrt(), exponent) * vectors[k][i] * vectors[k][j]
            };
            (0..d).map(term).sum()
        })
    });
    let normal = |line| if line == 0 { vectors[0] } else { direction(random, &weighing, d) };
    let normals: Vec<Vector> = (0..tries.lines).map(normal).collect();
    best.offer(&normals, |normal| along(&flat, normal));
}

/// How far points lie in a direction.
fn along(points: &[Vector], normal: &Vector) -> Vec<i64> {
    points.iter().map(|p| float_rank(dot(p, normal))).collect()
}

/// A random direction, longer where the matrix is.
fn direction(random: &mut Random, weighing: &Matrix, d: usize) -> Vector {
    let normal: Vector = std::array::from_fn(|k| if k < d { random.normal() } else { 0.0 });
    let turned = times(&normal, weighing, d);
    let length = dot(&turned, &turned).sqrt();
    if length > 0.0 && length.is_finite() { turned.map(|x| x / length) } else { normal }
}

fn by_longest_side(net: &Net) -> Vec<i64> {
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
    net.points.iter().map(|p| float_rank(p[axis])).collect()
}

fn by_main_axis(net: &Net) -> Vec<i64> {
    let points = normalised(&net.points, &net.weights);
    let (_, vectors) = axes(moments(points.iter().map(wide), 3), 3);
    points.iter().map(|p| float_rank(dot(&wide(p), &vectors[0]))).collect()
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
}
