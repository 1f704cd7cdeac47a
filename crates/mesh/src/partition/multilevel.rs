//! Multilevel partitioning.
//!
//! **Method.** Coarsen the net by matching until it is small, cut it, and refine the parts from
//! size to size on the way back. The stronger presets repeat whole cycles that coarsen only
//! inside parts, start from several seeds, and combine pairs of partitions: what is together in
//! both is contracted, so that refining decides only where they differ.
//!
//! **Cost.** Nearly linear per cycle. **Determinism.** The same parts for the same seed on any
//! number of threads.
//!
//! **Reference.** Karypis, Kumar, *Multilevel k-way partitioning scheme for irregular graphs*,
//! 1998; Sanders, Schulz, *Distributed evolutionary graph partitioning*, 2012 (combinations).

use super::bisect;
use super::coarsen::{Coarser, coarsen};
use super::contiguous::join_strays;
use super::effort::Effort;
use super::goals::Goals;
use super::net::Net;
use super::refine::{Distances, Parts, Plain, flow, greedy, moves, rebalance};
use super::{Method, PartitionParams, order};
use palmette_core::NONE;
use palmette_core::random::{Purpose, Random};
use rayon::prelude::*;

/// Coarsening also stops when a step leaves more than this share of the vertices, in hundredths.
const LEAST_SHRINKING: usize = 92;
/// Up to this many vertices, pieces of parts that lie apart are looked for on every size.
const STRAYS: usize = 50_000;

/// From here on cycles have the numbers of combinations.
const COMBINED: u64 = 1 << 20;

/// A part for each vertex.
pub(super) fn refined(net: &Net, params: &PartitionParams, goals: &Goals) -> Vec<u32> {
    let Some(order) = order::local(net) else { return in_order(net, params, goals) };
    let found = in_order(&net.reordered(&order), params, goals);
    let mut part = vec![0; net.len()];
    order.iter().zip(found).for_each(|(&v, p)| part[v as usize] = p);
    part
}

/// Starts from several seeds, if the preset has them; combined and improved.
pub(super) fn in_order(net: &Net, params: &PartitionParams, goals: &Goals) -> Vec<u32> {
    let effort = Effort::new(params.preset, net.len(), params.parts);
    let start = |start: u64| {
        let seed = params.seed.wrapping_add(start.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut params = PartitionParams { seed, ..*params };
        // Starts with and without points lead to different cuts.
        if start % 2 == 1 && params.bisection == Method::Auto {
            params.bisection = Method::Growing;
        }
        let part = Multilevel::new(net, &params, goals, effort).first();
        (goals.excess(net, &part), net.cut(&part), part)
    };
    let mut found: Vec<Found> = (0..effort.starts).into_par_iter().map(start).collect();
    found.sort_by_key(|found| (found.0, found.1));
    let multilevel = Multilevel::new(net, params, goals, effort);
    for number in 0..effort.combinations {
        multilevel.combine(&mut found, number);
    }
    let part = found.swap_remove(0).2;
    multilevel.cycles(part)
}

/// What parts are too heavy by, the cut, and the parts.
type Found = (i64, u64, Vec<u32>);

/// From one seed, in the order that the vertices have.
pub(super) fn from_seed(net: &Net, params: &PartitionParams, goals: &Goals) -> Vec<u32> {
    let effort = Effort::new(params.preset, net.len(), params.parts);
    let multilevel = Multilevel::new(net, params, goals, effort);
    multilevel.cycles(multilevel.first())
}

/// One more cycle: coarsens within parts and refines from the smallest net up.
pub(super) fn again<D: Distances>(
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    part: Vec<u32>,
    distances: &D,
    cycle: u64,
) -> Vec<u32> {
    let effort = Effort::new(params.preset, net.len(), params.parts);
    Multilevel::new(net, params, goals, effort).again(part, distances, cycle)
}

#[derive(Clone, Copy)]
struct Multilevel<'a> {
    net: &'a Net,
    params: &'a PartitionParams,
    effort: Effort,
    /// How heavy parts may be.
    goals: &'a Goals,
}

impl<'a> Multilevel<'a> {
    fn new(
        net: &'a Net,
        params: &'a PartitionParams,
        goals: &'a Goals,
        effort: Effort,
    ) -> Multilevel<'a> {
        Multilevel { net, params, effort, goals }
    }

    fn first(self) -> Vec<u32> {
        let levels = self.coarser(None, 0);
        let coarsest = levels.last().map_or(self.net, |level| &level.net);
        let part = bisect::recursive(coarsest, self.params, self.goals, &self.effort);
        self.up(levels, part, &Plain, 0)
    }

    /// Cycles after the first.
    fn cycles(self, mut part: Vec<u32>) -> Vec<u32> {
        for cycle in 1..=self.params.cycles.unwrap_or(self.effort.cycles) as u64 {
            part = self.again(part, &Plain, cycle);
        }
        part
    }

    fn again<D: Distances>(self, part: Vec<u32>, distances: &D, cycle: u64) -> Vec<u32> {
        let levels = self.coarser(Some(&part), cycle);
        let part = down(&levels, part);
        self.up(levels, part, distances, cycle)
    }

    /// Combines the best partition with another one, and puts the result in the place of the
    /// worse if it is better.
    fn combine(self, found: &mut [Found], number: u64) {
        if found.len() < 2 {
            return;
        }
        let seed = self.params.seed;
        let mut random = Random::numbered(!seed, Purpose::Partition, 1 << 60 | number);
        let other = 1 + random.below(found.len() as u32 - 1) as usize;
        let parts = self.params.parts;
        let pairs = found[0].2.iter().zip(&found[other].2);
        let mut both: Vec<u64> =
            pairs.map(|(&a, &b)| u64::from(a) * u64::from(parts) + u64::from(b)).collect();
        let mut known = both.clone();
        known.par_sort_unstable();
        known.dedup();
        let number_of = |pair: &mut u64| known.partition_point(|known| known < pair) as u32;
        let labels: Vec<u32> = both.iter_mut().map(number_of).collect();
        let cycle = COMBINED | number;
        let levels = self.coarser(Some(&labels), cycle);
        let part = down(&levels, found[0].2.clone());
        let part = self.up(levels, part, &Plain, cycle);
        let (over, cut) = (self.goals.excess(self.net, &part), self.net.cut(&part));
        let worst = found.len() - 1;
        if (over, cut) < (found[worst].0, found[worst].1) {
            found[worst] = (over, cut, part);
            found.sort_by_key(|found| (found.0, found.1));
        }
    }

    /// Smaller and smaller nets; vertices with different labels stay apart.
    fn coarser(self, labels: Option<&[u32]>, cycle: u64) -> Vec<Coarser> {
        let least = (self.effort.per_part * self.params.parts as usize).max(self.effort.least);
        let heaviest = self.goals.heaviest((self.net.weight() / least as i64).max(1) * 3 / 2 + 1);
        let mut levels: Vec<Coarser> = Vec::new();
        let mut labels = self.apart(labels);
        loop {
            let finest = levels.last().map_or(self.net, |level| &level.net);
            if finest.len() <= least {
                return levels;
            }
            let seed = self.params.seed ^ (cycle << 40 | (levels.len() as u64) << 32);
            let next = coarsen(finest, heaviest, labels.as_deref(), seed);
            if next.net.len() * 100 > finest.len() * LEAST_SHRINKING {
                return levels;
            }
            labels = labels.map(|labels| coarse(&next, &labels));
            levels.push(next);
        }
    }

    /// Labels that also keep fixed vertices from others. A fixed vertex has the label of its part.
    fn apart(self, labels: Option<&[u32]>) -> Option<Vec<u32>> {
        let fixed = &self.net.fixed;
        match labels {
            None if fixed.is_empty() => None,
            None => Some(fixed.iter().map(|part| part.wrapping_add(1)).collect()),
            Some(labels) if fixed.is_empty() => Some(labels.to_vec()),
            Some(labels) => {
                let both = labels.iter().zip(fixed);
                Some(both.map(|(label, &part)| 2 * label + u32::from(part != NONE)).collect())
            }
        }
    }

    /// Refines parts of the smallest net, then of the next larger, up to the whole.
    fn up<D: Distances>(
        self,
        mut levels: Vec<Coarser>,
        mut part: Vec<u32>,
        distances: &D,
        cycle: u64,
    ) -> Vec<u32> {
        // By vertex: whether it can be at a border.
        let mut near: Option<Vec<bool>> = None;
        loop {
            let current = levels.last().map_or(self.net, |level| &level.net);
            let border = border(current, &part, near.as_deref());
            let number = cycle << 16 | levels.len() as u64;
            part = self.refine(current, part, &border, distances, number);
            let Some(level) = levels.pop() else { return part };
            let flags = at_border(&level.net, &part);
            near = Some(level.map.par_iter().map(|&c| flags[c as usize]).collect());
            part = level.map.par_iter().map(|&c| part[c as usize]).collect();
        }
    }

    fn refine<D: Distances>(
        self,
        net: &Net,
        part: Vec<u32>,
        border: &[u32],
        distances: &D,
        number: u64,
    ) -> Vec<u32> {
        let mut random = Random::numbered(!self.params.seed, Purpose::Partition, number);
        let mut parts = match net.len() < self.net.len() {
            true => self.goals.coarse_parts(net, part),
            false => self.goals.parts(net, part),
        };
        parts.fill_up(net);
        rebalance(net, &mut parts, distances);
        let effort = &self.effort;
        if distances.is_plain() {
            if net.len() <= STRAYS || effort.search_vertices == usize::MAX {
                join_strays(net, &mut parts, true);
            }
            greedy::improve(net, &mut parts, border, effort.passes, &mut random);
        }
        let search = |parts: &mut Parts, random: &mut Random| {
            moves::improve(net, parts, distances, effort.search, random);
        };
        if net.len() <= effort.search_vertices || !distances.is_plain() {
            search(&mut parts, &mut random);
        }
        // Only in cycles of the whole: of many starts most are given up.
        let cycle = number >> 16;
        let flows = (1..COMBINED).contains(&cycle) && net.len() <= effort.flow_vertices;
        if distances.is_plain() && flows && net.more.is_empty() {
            flow::improve(net, &mut parts, effort.reach, 2, &mut random);
            search(&mut parts, &mut random);
        }
        parts.part
    }
}

/// Parts of the smallest net, from those of the whole. Each of its vertices is in one part.
fn down(levels: &[Coarser], part: Vec<u32>) -> Vec<u32> {
    levels.iter().fold(part, |part, level| coarse(level, &part))
}

fn coarse(level: &Coarser, labels: &[u32]) -> Vec<u32> {
    let mut coarse = vec![0; level.net.len()];
    level.map.iter().zip(labels).for_each(|(&c, &label)| coarse[c as usize] = label);
    coarse
}

/// Vertices looked at in one go.
const STRETCH: usize = 1 << 13;

fn is_at_border(net: &Net, part: &[u32], v: u32) -> bool {
    let own = part[v as usize];
    net.row(v).iter().any(|&(w, _)| part[w as usize] != own)
}

/// By vertex: whether a neighbour is in another part.
fn at_border(net: &Net, part: &[u32]) -> Vec<bool> {
    let all = (0..net.len() as u32).into_par_iter().with_min_len(STRETCH);
    all.map(|v| is_at_border(net, part, v)).collect()
}

/// The vertices with neighbours in other parts, among those that can be.
fn border(net: &Net, part: &[u32], near: Option<&[bool]>) -> Vec<u32> {
    let all = (0..net.len() as u32).into_par_iter().with_min_len(STRETCH);
    let can_be = |v: u32| near.is_none_or(|near| near[v as usize]);
    all.filter(|&v| can_be(v) && is_at_border(net, part, v)).collect()
}
