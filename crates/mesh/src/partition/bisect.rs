//! Recursive bisection.
//!
//! **Problem.** A net and a number of parts; out comes a part for each vertex. **Method.** Cut the
//! net in two with the right shares, by growing sides (`grow.rs`), or by points (`separator.rs`),
//! or both ways; improve the cuts by local search, take the best, and recurse on both halves in
//! parallel.

use super::effort::Effort;
use super::geometry::power;
use super::goals::Goals;
use super::grow::{Halves, Shares, halve, polish};
use super::net::Net;
use super::refine::{Parts, flow};
use super::separator::cuts;
use super::{Method, PartitionParams};
use palmette_core::NONE;
use palmette_core::random::{Purpose, Random};

/// Of so many cuts by points, each improved, the best is taken.
const CANDIDATES: usize = 2;
/// Vertices of a side that a flow may move.
const REACH: usize = 200;

/// A part for every vertex: the net is cut into halves with the right share of parts, then
/// the halves are, on any number of threads.
pub(super) fn recursive(
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    effort: &Effort,
) -> Vec<u32> {
    let mut part = vec![0; net.len()];
    let work = Work { params, goals, effort, first: 0, last: params.parts };
    work.run(net, &mut part);
    part
}

#[derive(Clone, Copy)]
struct Work<'a> {
    params: &'a PartitionParams,
    effort: &'a Effort,
    /// How heavy parts may be.
    goals: &'a Goals,
    /// The parts to make: from here,
    first: u32,
    /// to before here.
    last: u32,
}

impl Work<'_> {
    fn run(self, net: &Net, part: &mut [u32]) {
        let parts = self.last - self.first;
        if parts == 1 {
            part.fill(self.first);
            return;
        }
        let second = self.cut(net);
        let middle = self.first + parts / 2;
        let (halves, vertices) = halves(net, &second);
        let [a, b] = &halves;
        let [mut of_a, mut of_b] = [vec![0; a.len()], vec![0; b.len()]];
        rayon::join(
            || Work { last: middle, ..self }.run(a, &mut of_a),
            || Work { first: middle, ..self }.run(b, &mut of_b),
        );
        for (vertices, of) in vertices.iter().zip([of_a, of_b]) {
            vertices.iter().zip(of).for_each(|(&v, p)| part[v as usize] = p);
        }
    }

    /// Which vertices go to the second half of the parts.
    fn cut(self, net: &Net) -> Vec<u32> {
        let number = u64::from(self.first) << 32 | u64::from(self.last);
        let mut random = Random::numbered(self.params.seed, Purpose::Partition, number);
        let shares = self.shares(net);
        let points = !net.points.is_empty();
        // Where many are fixed, a side may have too few vertices for its parts on small nets.
        let few = (net.len() as u64) < shares.least.iter().map(|&least| u64::from(least)).sum();
        let (grown, geometric) = match self.params.bisection {
            _ if few => (true, false),
            Method::Growing => (true, false),
            Method::Auto if self.params.refine => (true, points && self.effort.geometric),
            Method::Auto => (!points, points),
            _ => (false, true),
        };
        let mut found: Vec<Halves> = Vec::new();
        if geometric {
            let keep = if self.params.refine { CANDIDATES } else { 1 };
            let mut cuts = cuts(net, shares.first, shares.least, self.params, keep, &mut random);
            for (v, &part) in net.fixed.iter().enumerate().filter(|fixed| *fixed.1 != NONE) {
                cuts.iter_mut().for_each(|cut| cut.second[v] = u32::from(part >= shares.middle));
            }
            if !self.params.refine {
                return cuts.into_iter().next().map_or(Vec::new(), |cut| cut.second);
            }
            found.extend(cuts.into_iter().map(|cut| polish(net, &shares, cut.second)).map(over));
        }
        if grown {
            for _ in 0..self.effort.bisections {
                found.push(halve(net, &shares, self.effort.growths, &mut random));
            }
        }
        if self.effort.flow_vertices > 0 && net.more.is_empty() {
            for (cut, second) in &mut found {
                let mut sides =
                    Parts::new(&net.weights, std::mem::take(second), shares.limits.to_vec());
                sides.least = shares.least.to_vec();
                *cut -= flow::improve(net, &mut sides, REACH, 2, &mut random);
                *second = sides.part;
            }
        }
        found.into_iter().min_by_key(|found| found.0).map_or(Vec::new(), |found| found.1)
    }

    /// Sides as heavy as lets their parts be made.
    fn shares(self, net: &Net) -> Shares {
        let total = net.weight();
        let heaviest = net.weights.iter().max().copied().unwrap_or(0);
        let lightest = net.weights.iter().min().copied().unwrap_or(0);
        let parts = self.last - self.first;
        let counts = [parts / 2, parts - parts / 2];
        let middle = self.first + parts / 2;
        let further: Vec<[i64; 2]> = (0..net.kinds())
            .map(|kind| self.goals.halves(net, [self.first, middle, self.last], Some(kind)))
            .collect();
        let further = [0, 1].iter().flat_map(|&side| further.iter().map(move |kind| kind[side]));
        let further = further.collect();
        let least = self.least(net, middle);
        if !self.goals.shares.is_empty() {
            let limits = self.goals.halves(net, [self.first, middle, self.last], None);
            let share = self.goals.share(self.first..middle, self.first..self.last);
            let first = (total as f64 * share) as i64;
            return Shares { first, limits, least, middle, further };
        }
        let limit = self.goals.limits[0];
        let mean = total as f64 / f64::from(parts);
        let room = (limit as f64 / mean).max(1.0);
        let levels = 32 - (parts - 1).leading_zeros();
        let share = power(room, 1.0 / f64::from(levels));
        // Vertices of coarse nets do not fit together as those of the whole will.
        let slack = (heaviest - lightest).min((mean / 8.0) as i64);
        let limits = counts.map(|count| {
            let exact = mean * f64::from(count);
            ((exact * share) as i64).max(exact.ceil() as i64).min(limit * i64::from(count)) + slack
        });
        let first = (i128::from(total) * i128::from(counts[0]) / i128::from(parts)) as i64;
        Shares { first, limits, least, middle, further }
    }

    /// How many vertices each side has at least: one per part, and those that are fixed.
    fn least(self, net: &Net, middle: u32) -> [u32; 2] {
        let mut fixed = vec![0; if net.fixed.is_empty() { 0 } else { self.goals.limits.len() }];
        for &part in net.fixed.iter().filter(|&&part| part != NONE) {
            fixed[part as usize] += 1;
        }
        let of = |p: u32| fixed.get(p as usize).map_or(1, |&count: &u32| count.max(1));
        [(self.first..middle).map(of).sum(), (middle..self.last).map(of).sum()]
    }
}

/// What is too heavy counts as cut.
fn over((over, cut, side): (i64, i64, Vec<u32>)) -> Halves {
    (cut.saturating_add(over.saturating_mul(1 << 32)), side)
}

/// The nets of both sides, and their vertices.
fn halves(net: &Net, second: &[u32]) -> ([Net; 2], [Vec<u32>; 2]) {
    let mut vertices = [Vec::new(), Vec::new()];
    let mut place = vec![0; net.len()];
    for (v, &side) in second.iter().enumerate() {
        let side = &mut vertices[side as usize];
        place[v] = side.len() as u32;
        side.push(v as u32);
    }
    let (a, b) =
        rayon::join(|| net.induced(&vertices[0], &place), || net.induced(&vertices[1], &place));
    ([a, b], vertices)
}
