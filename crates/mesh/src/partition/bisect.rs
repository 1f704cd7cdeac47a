//! Recursive bisection.
//!
//! **Problem.** A net and a number of parts; out comes a part for each vertex. **Method.** Cut the
//! net in two with the right shares, improve the cut by local search and flows, and recurse on both
//! halves in parallel. Of several cuts the best is taken.

use super::PartitionParams;
use super::multilevel::limit;
use super::net::Net;
use super::refine::{Parts, Plain, flow, moves, rebalance};
use super::separator::{Cut, cuts};
use palmette_core::random::{Purpose, Random};

/// Of so many cuts in two, each improved, the best is taken.
const CANDIDATES: usize = 2;
/// Vertices of a side that a flow may move.
const REACH: usize = 200;

/// A part for every vertex: the net is cut into halves with the right share of parts, then
/// the halves are, on any number of threads.
pub(super) fn recursive(net: &Net, params: &PartitionParams) -> Vec<u32> {
    let mut part = vec![0; net.len()];
    let limit = limit(net.weight(), params);
    let work = Work { params, limit, first: 0, last: params.parts };
    work.run(net, &mut part);
    part
}

#[derive(Clone, Copy)]
struct Work<'a> {
    params: &'a PartitionParams,
    /// How heavy a part may be.
    limit: i64,
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
        let parts = self.last - self.first;
        let number = u64::from(self.first) << 32 | u64::from(self.last);
        let mut random = Random::numbered(self.params.seed, Purpose::Partition, number);
        let least = [parts / 2, parts - parts / 2];
        let first_weight = net.weight() * i64::from(least[0]) / i64::from(parts);
        let keep = if self.params.refine { CANDIDATES } else { 1 };
        let mut found = cuts(net, first_weight, least, self.params, keep, &mut random);
        if self.params.refine {
            for cut in &mut found {
                self.improve(net, least, cut, &mut random);
            }
            found.sort_by_key(|cut| cut.cut);
        }
        found.swap_remove(0).second
    }

    /// Local search, with sides as heavy as lets their parts be made.
    fn improve(self, net: &Net, least: [u32; 2], cut: &mut Cut, random: &mut Random) {
        let parts = f64::from(least[0] + least[1]);
        let total = net.weight();
        let mean = total as f64 / parts;
        let room = (self.limit as f64 / mean).max(1.0);
        let share = room.powf(1.0 / parts.log2().ceil());
        let limits = least.map(|count| {
            let exact = mean * f64::from(count);
            ((exact * share) as i64).max(exact.ceil() as i64).min(self.limit * i64::from(count))
        });
        let second = std::mem::take(&mut cut.second);
        let mut sides = Parts::new(&net.weights, second, limits.to_vec());
        sides.least = least.to_vec();
        rebalance(net, &mut sides, &Plain);
        let patience = moves::Patience { rounds: 5, alpha: 4.0 };
        moves::improve(net, &mut sides, &Plain, patience, random);
        flow::improve(net, &mut sides, REACH, 2, random);
        cut.second = sides.part;
        cut.cut = net.cut(&cut.second);
    }
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
