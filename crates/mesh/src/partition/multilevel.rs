//! Multilevel partitioning.
//!
//! **Method.** Coarsen the net by matching until it is small, cut it, and refine the parts from
//! size to size on the way back; then repeat whole cycles that coarsen only inside parts. Small
//! nets start from several seeds. **Cost.** Nearly linear per cycle; large nets get fewer cycles.
//! **Determinism.** The same parts for the same seed on any number of threads.

use super::bisect;
use super::coarsen::{Coarser, coarsen};
use super::net::Net;
use super::refine::{Distances, Parts, Plain, flow, moves, rebalance};
use super::{PartitionParams, hilbert};
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;

/// Coarsening stops below this many vertices per part,
const VERTICES_A_PART: usize = 25;
/// and below this many in all.
const VERTICES: usize = 2000;
/// It also stops when a step leaves more than this share of the vertices.
const LEAST_SHRINKING: f64 = 0.92;
/// Up to this many vertices, borders are improved by flows; of a large net, only those of
/// its smaller forms.
const FLOW_VERTICES: usize = 40_000;
const FLOW_VERTICES_OF_LARGE: usize = 5_000;
const LARGE: usize = 200_000;
/// Flows move at most so many vertices of a part at a time.
const REACH: usize = 100;
/// Up to this many vertices, moves are tried in many rounds.
const MANY_ROUNDS_VERTICES: usize = 100_000;
/// Up to this many vertices, there are several starts.
const MANY_STARTS_VERTICES: usize = 30_000;
const STARTS: u64 = 2;
/// Default number of cycles: this divided by the number of vertices, up to the limit.
const CYCLES_A_VERTEX: usize = 300_000;
const MOST_CYCLES: usize = 6;
/// From here on vertices are renumbered along a curve first.
const REORDERED: usize = 50_000;

/// How heavy a part may be.
pub(super) fn limit(total: i64, params: &PartitionParams) -> i64 {
    let parts = i64::from(params.parts);
    let mean = total as f64 / f64::from(params.parts);
    ((mean * (1.0 + params.imbalance)) as i64).max((total + parts - 1) / parts)
}

/// A part for each vertex.
pub(super) fn refined(net: &Net, params: &PartitionParams) -> Vec<u32> {
    if net.len() < REORDERED {
        return in_order(net, params);
    }
    let places = hilbert::places(&net.points);
    let mut order: Vec<u32> = (0..net.len() as u32).collect();
    order.par_sort_unstable_by_key(|&v| (places[v as usize], v));
    let found = in_order(&net.reordered(&order), params);
    let mut part = vec![0; net.len()];
    order.iter().zip(found).for_each(|(&v, p)| part[v as usize] = p);
    part
}

/// Starts from several seeds, if the net is small; the best.
pub(super) fn in_order(net: &Net, params: &PartitionParams) -> Vec<u32> {
    let starts = if net.len() <= MANY_STARTS_VERTICES { STARTS } else { 1 };
    let found: Vec<(u64, Vec<u32>)> = (0..starts)
        .into_par_iter()
        .map(|start| {
            let seed = params.seed.wrapping_add(start.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let part = from_seed(net, &PartitionParams { seed, ..*params });
            (net.cut(&part), part)
        })
        .collect();
    found.into_iter().min_by_key(|found| found.0).map_or(Vec::new(), |found| found.1)
}

/// From one seed, in the order that the vertices have.
pub(super) fn from_seed(net: &Net, params: &PartitionParams) -> Vec<u32> {
    let limits = vec![limit(net.weight(), params); params.parts as usize];
    let levels = coarser(net, params, None, 0);
    let coarsest = levels.last().map_or(net, |level| &level.net);
    let part = bisect::recursive(coarsest, params);
    let mut part = Climb::new(net, params, &limits, 0).up(net, levels, part, &Plain);
    let usual = (CYCLES_A_VERTEX / net.len().max(1)).min(MOST_CYCLES);
    for cycle in 1..=params.cycles.unwrap_or(usual) as u64 {
        part = again(net, params, &limits, part, &Plain, cycle);
    }
    part
}

/// One more cycle: coarsens within parts and refines from the smallest net up.
pub(super) fn again<D: Distances>(
    net: &Net,
    params: &PartitionParams,
    limits: &[i64],
    mut part: Vec<u32>,
    distances: &D,
    cycle: u64,
) -> Vec<u32> {
    let levels = coarser(net, params, Some(&mut part), cycle);
    Climb::new(net, params, limits, cycle).up(net, levels, part, distances)
}

/// Smaller and smaller nets. Parts become those of the smallest.
fn coarser(
    net: &Net,
    params: &PartitionParams,
    mut part: Option<&mut Vec<u32>>,
    cycle: u64,
) -> Vec<Coarser> {
    let least = (VERTICES_A_PART * params.parts as usize).max(VERTICES);
    let heaviest = (net.weight() / least as i64).max(1) * 3 / 2 + 1;
    let mut levels: Vec<Coarser> = Vec::new();
    loop {
        let finest = levels.last().map_or(net, |level| &level.net);
        if finest.len() <= least {
            return levels;
        }
        let seed = params.seed ^ (cycle << 40 | (levels.len() as u64) << 32);
        let next = coarsen(finest, heaviest, part.as_deref().map(Vec::as_slice), seed);
        if next.net.len() as f64 > LEAST_SHRINKING * finest.len() as f64 {
            return levels;
        }
        if let Some(part) = &mut part {
            let mut coarse = vec![0; next.net.len()];
            next.map.iter().zip(&**part).for_each(|(&c, &p)| coarse[c as usize] = p);
            **part = coarse;
        }
        levels.push(next);
    }
}

struct Climb<'a> {
    params: &'a PartitionParams,
    limits: &'a [i64],
    cycle: u64,
    /// Up to this many vertices, there are flows.
    flow_vertices: usize,
}

impl<'a> Climb<'a> {
    fn new(net: &Net, params: &'a PartitionParams, limits: &'a [i64], cycle: u64) -> Climb<'a> {
        let flow_vertices = if net.len() > LARGE { FLOW_VERTICES_OF_LARGE } else { FLOW_VERTICES };
        Climb { params, limits, cycle, flow_vertices }
    }

    /// Refines parts of the smallest net, then of the next larger, up to the whole.
    fn up<D: Distances>(
        &self,
        net: &Net,
        mut levels: Vec<Coarser>,
        mut part: Vec<u32>,
        distances: &D,
    ) -> Vec<u32> {
        loop {
            let current = levels.last().map_or(net, |level| &level.net);
            part = self.refine(current, part, distances, levels.len() as u64);
            match levels.pop() {
                None => return part,
                Some(level) => part = level.map.iter().map(|&c| part[c as usize]).collect(),
            }
        }
    }

    fn refine<D: Distances>(
        &self,
        net: &Net,
        part: Vec<u32>,
        distances: &D,
        level: u64,
    ) -> Vec<u32> {
        let number = self.cycle << 16 | level;
        let mut random = Random::numbered(!self.params.seed, Purpose::Partition, number);
        let mut parts = Parts::new(&net.weights, part, self.limits.to_vec());
        rebalance(net, &mut parts, distances);
        let rounds = if net.len() <= MANY_ROUNDS_VERTICES { 5 } else { 2 };
        let patience = moves::Patience { rounds, alpha: 0.3 };
        moves::improve(net, &mut parts, distances, patience, &mut random);
        if distances.is_plain() && net.len() <= self.flow_vertices {
            flow::improve(net, &mut parts, REACH, 2, &mut random);
            moves::improve(net, &mut parts, distances, patience, &mut random);
        }
        parts.part
    }
}
