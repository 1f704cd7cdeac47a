//! From the whole net to the smallest and back, on many ranks; see the [module](super).

use super::balance;
use super::band::Refinement;
use super::coarsest;
use super::contract::{Coarser, coarsen};
use super::matching::Rules;
use super::shard::Shard;
use super::{RanksPartition, RanksPartitionParams};
use crate::partition::effort::Effort;
use crate::partition::goals::{Goals, limit};
use crate::partition::multilevel;
use crate::partition::refine::Plain;
use palmette_core::random::mixed;
use palmette_core::ranks::{Metered, Ranks, RanksError, ask, send};

/// Coarsening also stops when a step leaves more than this share of the vertices, in hundredths.
const LEAST_SHRINKING: u64 = 92;
/// Vertices at borders that a rank improves together.
const TOGETHER: u64 = 1 << 13;

/// Cuts a net; all but the parts is told of the whole.
pub(super) fn cut<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    params: &RanksPartitionParams,
    scale: f64,
) -> Result<(Vec<u32>, RanksPartition), RanksError> {
    let one = params.on_one();
    let total = shard.weight(ranks)?;
    let effort = Effort::new(params.preset, shard.total() as usize, params.parts);
    let limit = limit(total, &one);
    let refinement =
        Refinement { parts: params.parts, limit, effort, seed: params.seed, most: TOGETHER };
    let multilevel = Multilevel { params, total, refinement };
    let mut coarsest = 0;
    let mut part = Vec::new();
    // One rank does the cycles of a net that it cuts.
    let again = if shard.total() <= params.smallest() { 0 } else { params.cycles() };
    for cycle in 0..=again as u64 {
        let known = (cycle > 0).then_some(&part[..]);
        (part, coarsest) = multilevel.cycle(ranks, shard, known, cycle)?;
    }
    ranks.phase("refine");
    balance::lighten(ranks, shard, &mut part, params.parts, limit)?;
    let (weights, _) = balance::totals(ranks, shard, &part, params.parts)?;
    let all = shard.with_ghosts(ranks, &part)?;
    let row = |v: u32| {
        let other = |e: &&(u32, u32)| all[e.0 as usize] != all[v as usize];
        shard.row(v).iter().filter(other).map(|e| u64::from(e.1)).sum::<u64>()
    };
    let twice = ranks.sum((0..shard.len() as u32).map(row).sum())?;
    let found = RanksPartition {
        part: Vec::new(),
        vertices: shard.total(),
        edges: ranks.sum(shard.entries.len() as u64)? / 2,
        cut: (twice / 2) as f64 / scale,
        weights: weights.into_iter().map(|weight| weight as u64).collect(),
        coarsest,
    };
    Ok((part, found))
}

struct Multilevel<'a> {
    params: &'a RanksPartitionParams,
    /// The weight of all vertices.
    total: i64,
    refinement: Refinement,
}

impl Multilevel<'_> {
    /// Parts from nothing, or better ones.
    fn cycle<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        shard: &Shard,
        known: Option<&[u32]>,
        cycle: u64,
    ) -> Result<(Vec<u32>, u64), RanksError> {
        let (mut levels, labels) = self.coarser(ranks, shard, known, cycle)?;
        ranks.phase("smallest");
        let smallest = levels.last().map_or(shard, |level| &level.shard);
        let coarsest = smallest.total();
        let one = self.params.on_one();
        let mut part = coarsest::on_one(ranks, smallest, labels.as_deref(), |net, known| {
            match known {
                // A single part needs no thought.
                _ if one.parts == 1 => vec![0; net.len()],
                None => multilevel::refined(net, &one, &Goals::even(net, &one)),
                Some(part) => {
                    let goals = Goals::even(net, &one);
                    multilevel::again(net, &one, &goals, part, &Plain, cycle)
                }
            }
        })?;
        while let Some(level) = levels.pop() {
            ranks.phase("refine");
            part = finer(ranks, &level, &part)?;
            let shard = levels.last().map_or(shard, |level| &level.shard);
            let number = cycle << 8 | levels.len() as u64;
            self.refinement.improve(ranks, shard, &mut part, number)?;
        }
        Ok((part, coarsest))
    }

    /// Smaller and smaller nets, and the labels of the last.
    fn coarser<R: Ranks>(
        &self,
        ranks: &mut Metered<R>,
        shard: &Shard,
        labels: Option<&[u32]>,
        cycle: u64,
    ) -> Result<(Vec<Coarser>, Option<Vec<u32>>), RanksError> {
        ranks.phase("coarsen");
        let least = self.params.smallest();
        let heaviest = (self.total / least as i64).max(1) * 3 / 2 + 1;
        let mut levels: Vec<Coarser> = Vec::new();
        let mut labels = labels.map(<[u32]>::to_vec);
        loop {
            let finest = levels.last().map_or(shard, |level| &level.shard);
            if finest.total() <= least {
                return Ok((levels, labels));
            }
            let seed = mixed(self.params.seed ^ (cycle << 40 | (levels.len() as u64) << 32));
            let all = match &labels {
                Some(labels) => Some(finest.with_ghosts(ranks, labels)?),
                None => None,
            };
            let next = coarsen(ranks, finest, &Rules { heaviest, labels: all.as_deref(), seed })?;
            if next.shard.total() * 100 > finest.total() * LEAST_SHRINKING {
                return Ok((levels, labels));
            }
            labels = match labels {
                Some(labels) => Some(coarse(ranks, &next, &labels)?),
                None => None,
            };
            levels.push(next);
        }
    }
}

/// By vertex of the larger net what its vertex of the smaller one has.
fn finer<R: Ranks>(
    ranks: &mut Metered<R>,
    level: &Coarser,
    part: &[u32],
) -> Result<Vec<u32>, RanksError> {
    let first = level.shard.first;
    let is_own = |number: u32| number.wrapping_sub(first) < level.shard.len() as u32;
    let mut away: Vec<u32> = level.map.iter().copied().filter(|&number| !is_own(number)).collect();
    away.sort_unstable();
    away.dedup();
    let questions: Vec<(usize, [u64; 1])> = away
        .iter()
        .map(|&number| (level.shard.slices.owner(u64::from(number)), [u64::from(number)]))
        .collect();
    let own = |[number]: [u64; 1]| [u64::from(part[(number as u32 - first) as usize])];
    let answers = ask(ranks, &questions, own)?;
    let value = |&number: &u32| match is_own(number) {
        true => part[(number - first) as usize],
        false => answers[away.partition_point(|&other| other < number)][0] as u32,
    };
    Ok(level.map.iter().map(value).collect())
}

/// By vertex of the smaller net what those of the larger one that became it have.
fn coarse<R: Ranks>(
    ranks: &mut Metered<R>,
    level: &Coarser,
    labels: &[u32],
) -> Result<Vec<u32>, RanksError> {
    let shard = &level.shard;
    let mut coarse = vec![0; shard.len()];
    let is_own = |number: u32| number.wrapping_sub(shard.first) < shard.len() as u32;
    let mail = send(ranks, |post| {
        for (&number, &label) in level.map.iter().zip(labels).filter(|e| !is_own(*e.0)) {
            let number = u64::from(number);
            post(shard.slices.owner(number), &[number << 32 | u64::from(label)]);
        }
    })?;
    for (&number, &label) in level.map.iter().zip(labels).filter(|e| is_own(*e.0)) {
        coarse[(number - shard.first) as usize] = label;
    }
    for word in mail.words {
        coarse[((word >> 32) as u32 - shard.first) as usize] = word as u32;
    }
    Ok(coarse)
}
