//! Refinement of parts on many ranks.
//!
//! **Problem.** A net on many ranks and a part for each vertex; out come parts with a smaller cut,
//! none heavier than the limit if none was.
//!
//! **Method.** Parts form groups (`groups.rs`). The vertices near borders inside a group, its *band*, go
//! to one rank, which improves them as one machine would (`refine/`); the rest of a part is one vertex
//! there that cannot move, since it knows no neighbours. A part is in one group at a time, so that its
//! rank alone decides what it weighs. This is repeated with other groups until nearly all
//! borders were inside one.
//!
//! **Cost.** About 10 words per vertex of a band. **Determinism.** Bands do not depend on who has the
//! vertices.
//!
//! **Reference.** Chevalier, Pellegrini, *PT-Scotch: a tool for efficient parallel graph ordering*,
//! 2008 (bands); Holtgrewe, Sanders, Schulz, *Engineering a scalable high quality graph partitioner*,
//! 2010 (pairs of parts).

use super::groups::{Between, Groups, Pairs, all_pairs, grouped};
use super::shard::Shard;
use crate::partition::effort::Effort;
use crate::partition::net::Net;
use crate::partition::refine::{Parts, Plain, greedy, moves, rebalance};
use palmette_core::NONE;
use palmette_core::random::{Purpose, Random};
use palmette_core::ranks::{Metered, Ranks, RanksError, send};
use std::collections::{BTreeMap, BTreeSet};

/// How far from a border a vertex may move.
const DEPTH: usize = 4;
/// At most so many rounds with other groups.
const ROUNDS: u64 = 5;

/// What refinement is told.
#[derive(Clone, Copy)]
pub(super) struct Refinement {
    pub(super) parts: u32,
    /// How heavy a part may be.
    pub(super) limit: i64,
    pub(super) effort: Effort,
    pub(super) seed: u64,
    /// Vertices at borders inside a group, at most.
    pub(super) most: u64,
}

impl Refinement {
    /// Improves the parts of own vertices.
    pub(super) fn improve<R: Ranks>(
        self,
        ranks: &mut Metered<R>,
        shard: &Shard,
        part: &mut [u32],
        number: u64,
    ) -> Result<(), RanksError> {
        let mut known = BTreeSet::new();
        for round in 0..ROUNDS {
            let all = shard.with_ghosts(ranks, part)?;
            let pairs = all_pairs(ranks, &own_pairs(shard, &all))?;
            let Some(groups) = grouped(self.parts, &pairs, self.most, &mut known) else {
                return Ok(());
            };
            let near = near(ranks, shard, &all, &groups)?;
            self.refine(ranks, shard, (part, &all), (&groups, &near), number << 8 | round)?;
        }
        Ok(())
    }

    /// Sends bands to the ranks of their groups, which improve them and send back what moved.
    fn refine<R: Ranks>(
        self,
        ranks: &mut Metered<R>,
        shard: &Shard,
        (part, all): (&mut [u32], &[u32]),
        (groups, near): (&Groups, &[bool]),
        number: u64,
    ) -> Result<(), RanksError> {
        let (rank, count) = (ranks.rank(), ranks.ranks());
        let place = |group: u32| group as usize % count;
        let shares = shares(shard, part, self.parts);
        let mail = send(ranks, |post| {
            for (p, &[weight, vertices]) in shares.iter().enumerate() {
                if vertices > 0 && groups.of[p] != NONE {
                    post(place(groups.of[p]), &[p as u64, weight, vertices]);
                }
            }
        })?;
        let mut totals: BTreeMap<u32, [u64; 2]> = BTreeMap::new();
        for &[p, weight, vertices] in mail.records::<3>() {
            let total = totals.entry(p as u32).or_default();
            total[0] += weight;
            total[1] += vertices;
        }
        let band = send(ranks, |post| {
            let (mut record, mut anchors) = (Vec::new(), Vec::<(u32, u64)>::new());
            for v in (0..shard.len() as u32).filter(|&v| near[v as usize]) {
                let p = part[v as usize];
                let group = groups.of[p as usize];
                record.clear();
                anchors.clear();
                record.extend([u64::from(shard.number(v)) << 32 | u64::from(p), 0, 0]);
                for &(w, weight) in shard.row(v) {
                    let q = all[w as usize];
                    if groups.of[q as usize] != group {
                        continue;
                    }
                    if near[w as usize] {
                        record.push(u64::from(shard.number(w)) << 32 | u64::from(weight));
                        continue;
                    }
                    match anchors.iter_mut().find(|anchor| anchor.0 == q) {
                        Some(anchor) => anchor.1 += u64::from(weight),
                        None => anchors.push((q, u64::from(weight))),
                    }
                }
                record[1] = shard.weights[v as usize] as u64;
                record[2] = (record.len() as u64 - 3) << 32 | anchors.len() as u64;
                let tie = |&(q, weight): &(u32, u64)| {
                    u64::from(q) << 32 | weight.min(u64::from(u32::MAX))
                };
                record.extend(anchors.iter().map(tie));
                post(place(group), &record);
            }
        })?;
        let own = (0..groups.members.len() as u32).filter(|&group| place(group) == rank);
        let own: Vec<u32> = own.collect();
        let records = by_group(&band.words, groups, &own);
        let mut moved = Vec::new();
        for (&group, records) in own.iter().zip(records) {
            let band = Band::new(&band.words, &records, &groups.members[group as usize], &totals);
            moved.extend(band.improved(self, number << 32 | u64::from(group)));
        }
        drop(band);
        let told = send(ranks, |post| {
            for &(v, p) in &moved {
                post(shard.slices.owner(u64::from(v)), &[u64::from(v) << 32 | u64::from(p)]);
            }
        })?;
        for word in told.words {
            part[((word >> 32) as u32 - shard.first) as usize] = word as u32;
        }
        Ok(())
    }
}

/// What own vertices say of pairs of parts.
fn own_pairs(shard: &Shard, part: &[u32]) -> Pairs {
    let mut pairs = Pairs::new();
    let mut seen: Vec<u32> = Vec::new();
    for v in 0..shard.len() as u32 {
        let p = part[v as usize];
        seen.clear();
        for &(w, weight) in shard.row(v) {
            let q = part[w as usize];
            if p != q {
                let between: &mut Between = pairs.entry((p.min(q), p.max(q))).or_default();
                between.weight += u64::from(weight);
                if !seen.contains(&q) {
                    seen.push(q);
                    between.vertices += 1;
                }
            }
        }
    }
    pairs
}

/// By part: the weight and number of own vertices in it.
fn shares(shard: &Shard, part: &[u32], parts: u32) -> Vec<[u64; 2]> {
    let mut shares = vec![[0; 2]; parts as usize];
    for (&p, &weight) in part.iter().zip(&shard.weights) {
        shares[p as usize][0] += weight as u64;
        shares[p as usize][1] += 1;
    }
    shares
}

/// By own vertex and ghost: whether a border inside its group is near.
fn near<R: Ranks>(
    ranks: &mut Metered<R>,
    shard: &Shard,
    part: &[u32],
    groups: &Groups,
) -> Result<Vec<bool>, RanksError> {
    let group = |v: u32| groups.of[part[v as usize] as usize];
    let n = shard.len() as u32;
    let begins = |v: u32| {
        let own = group(v);
        let other = |w: u32| part[w as usize] != part[v as usize] && group(w) == own;
        own != NONE && shard.row(v).iter().any(|&(w, _)| other(w))
    };
    let mut own: Vec<bool> = (0..n).map(begins).collect();
    let mut all = shard.bits_with_ghosts(ranks, &own)?;
    for _ in 1..DEPTH {
        let touches = |v: u32| {
            let same = |w: u32| all[w as usize] && group(w) == group(v);
            group(v) != NONE && shard.row(v).iter().any(|&(w, _)| same(w))
        };
        for v in 0..n {
            own[v as usize] = all[v as usize] || touches(v);
        }
        all = shard.bits_with_ghosts(ranks, &own)?;
    }
    Ok(all)
}

/// Where the records of each of some groups begin; records are in the order of vertices.
fn by_group(words: &[u64], groups: &Groups, own: &[u32]) -> Vec<Vec<usize>> {
    let mut places = vec![Vec::new(); own.len()];
    let mut at = 0;
    while at < words.len() {
        let group = groups.of[words[at] as u32 as usize];
        if let Ok(place) = own.binary_search(&group) {
            places[place].push(at);
        }
        at += 3 + (words[at + 2] >> 32) as usize + words[at + 2] as u32 as usize;
    }
    places
}

/// The band of a group.
struct Band<'a> {
    net: Net,
    /// The numbers of its vertices; behind them come vertices for what is not in it.
    numbers: Vec<u32>,
    part: Vec<u32>,
    members: &'a [u32],
    /// By member: what its part weighs outside the band.
    outside: Vec<i64>,
}

impl<'a> Band<'a> {
    fn new(
        words: &[u64],
        records: &[usize],
        members: &'a [u32],
        totals: &BTreeMap<u32, [u64; 2]>,
    ) -> Band<'a> {
        let total = |p: &u32| totals.get(p).copied().unwrap_or_default();
        let mut outside: Vec<i64> = members.iter().map(|p| total(p)[0] as i64).collect();
        let mut others: Vec<u64> = members.iter().map(|p| total(p)[1]).collect();
        let member = |p: u32| members.partition_point(|&other| other < p) as u32;
        let numbers: Vec<u32> = records.iter().map(|&at| (words[at] >> 32) as u32).collect();
        let mut net = Net { offsets: vec![0], ..Net::default() };
        let mut part = Vec::with_capacity(records.len() + members.len());
        for &at in records {
            let p = member(words[at] as u32);
            part.push(p);
            net.weights.push(words[at + 1] as i64);
            outside[p as usize] -= words[at + 1] as i64;
            others[p as usize] -= 1;
        }
        // Members of which something is outside have a vertex for it.
        let mut anchors = Vec::with_capacity(members.len());
        for (p, &count) in others.iter().enumerate() {
            anchors.push(part.len() as u32);
            if count > 0 {
                part.push(p as u32);
                net.weights.push(0);
            }
        }
        for &at in records {
            let inner = (words[at + 2] >> 32) as usize;
            let outer = words[at + 2] as u32 as usize;
            let (row, ties) = words[at + 3..at + 3 + inner + outer].split_at(inner);
            net.entries.extend(row.iter().map(|&word| {
                let number = (word >> 32) as u32;
                (numbers.partition_point(|&other| other < number) as u32, word as u32)
            }));
            net.entries.extend(
                ties.iter()
                    .map(|&word| (anchors[member((word >> 32) as u32) as usize], word as u32)),
            );
            net.offsets.push(net.entries.len());
        }
        net.offsets.resize(net.weights.len() + 1, net.entries.len());
        Band { net, numbers, part, members, outside }
    }

    /// The vertices that moved, and where they are now.
    fn improved(self, how: Refinement, number: u64) -> Vec<(u32, u32)> {
        let Band { net, numbers, part, members, outside } = self;
        let mut random = Random::numbered(!how.seed, Purpose::Partition, number);
        let limits = outside.iter().map(|outside| how.limit - outside).collect();
        let mut parts = Parts::new(&net.weights, part.clone(), limits);
        rebalance(&net, &mut parts, &Plain);
        let all: Vec<u32> = (0..numbers.len() as u32).collect();
        greedy::improve(&net, &mut parts, &all, how.effort.passes, &mut random);
        if net.len() <= how.effort.search_vertices {
            moves::improve(&net, &mut parts, &Plain, how.effort.search, &mut random);
        }
        let changed = |&v: &usize| parts.part[v] != part[v];
        let now = |v: usize| (numbers[v], members[parts.part[v] as usize]);
        (0..numbers.len()).filter(changed).map(now).collect()
    }
}
