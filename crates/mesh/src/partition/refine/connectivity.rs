//! Moves that save values, in all or of the part that sends most.
//!
//! **Problem.** Groups of things that share a value: a vertex of a graph and its neighbours, or the
//! elements around a node. A group in `λ` parts costs `λ − 1` values. Given parts, make the sum
//! of that small (volume), or the most that one part sends (bottleneck). A vertex's value is
//! sent by its own part; a node's by every part that has it, to all others.
//!
//! **Method.** Sweeps that take the best move of each, while they gain. Then annealing: in each sweep
//! everything at a border may join a part around it, drawn at random, by Metropolis's rule, and the
//! first sweeps again. For the bottleneck these are followed by sweeps for the sum of the eighth powers of what parts send,
//! which the largest rule. The best state is kept, the beginning too.
//!
//! **Cost.** `O(groups around · parts around)` per thing and sweep; 8 bytes per group and part in it.
//!
//! **Determinism.** One thread; fractions are added and multiplied in a fixed order.
//!
//! **When not to use.** Where the cut counts: it grows by some percent.

use super::Parts;
use super::volume::add;
use crate::partition::Objective;
use crate::partition::net::Net;
use palmette_core::random::Random;

/// Sweeps at falling temperature, the first temperature in values, and most sweeps without.
const SWEEPS: u32 = 10;
const HEAT: f64 = 0.5;
const COLD_SWEEPS: u32 = 20;

/// Which groups things are in.
pub(in crate::partition) trait Groups {
    /// The number of groups.
    fn count(&self) -> usize;
    /// Calls for the groups of a thing.
    fn each(&self, v: u32, take: &mut dyn FnMut(u32));
    /// Whether group `v` is the value of thing `v`, or every part with one of its things sends it.
    fn owned(&self) -> bool;
}

/// A vertex with its neighbours.
pub(in crate::partition) struct Neighbours<'a>(pub(in crate::partition) &'a Net);

impl Groups for Neighbours<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn each(&self, v: u32, take: &mut dyn FnMut(u32)) {
        take(v);
        self.0.row(v).iter().for_each(|&(w, _)| take(w));
    }

    fn owned(&self) -> bool {
        true
    }
}

/// Improves parts; `net` says what is fixed and what things weigh.
pub(in crate::partition) fn improve(
    net: &Net,
    groups: &dyn Groups,
    parts: Parts,
    objective: Objective,
    random: &mut Random,
) -> Parts {
    let mut search = Search::new(net, groups, parts);
    let mut best = (search.rank(objective), search.parts.clone());
    let mut order: Vec<u32> = (0..net.len() as u32).filter(|&v| !net.is_fixed(v)).collect();
    search.settle(&mut order, objective, random, &mut best);
    for sweep in 0..SWEEPS {
        let temperature = HEAT * f64::from(SWEEPS - sweep) / f64::from(SWEEPS);
        random.shuffle(&mut order);
        order.iter().for_each(|&v| search.try_random(v, temperature, random));
    }
    search.settle(&mut order, objective, random, &mut best);
    best.1
}

struct Search<'a> {
    net: &'a Net,
    groups: &'a dyn Groups,
    parts: Parts,
    /// By group: parts and the number of its things in each.
    holders: Vec<Vec<(u32, u32)>>,
    /// By part: values that it sends.
    loads: Vec<i64>,
    /// The groups and the parts around what is looked at, and changes of loads.
    around: Vec<u32>,
    near: Vec<u32>,
    changes: Vec<(u32, i64)>,
}

fn count(list: &[(u32, u32)], part: u32) -> u32 {
    list.iter().find(|holder| holder.0 == part).map_or(0, |holder| holder.1)
}

impl<'a> Search<'a> {
    fn new(net: &'a Net, groups: &'a dyn Groups, parts: Parts) -> Search<'a> {
        let mut holders = vec![Vec::new(); groups.count()];
        for (v, &p) in parts.part.iter().enumerate() {
            groups.each(v as u32, &mut |group| add(&mut holders[group as usize], p));
        }
        let mut loads = vec![0; parts.limits.len()];
        for (group, holders) in holders.iter().enumerate() {
            let values = holders.len().saturating_sub(1) as i64;
            match groups.owned() {
                true => loads[parts.part[group] as usize] += values,
                false => holders.iter().for_each(|holder| loads[holder.0 as usize] += values),
            }
        }
        let (around, near, changes) = (Vec::new(), Vec::new(), Vec::new());
        Search { net, groups, parts, holders, loads, around, near, changes }
    }

    /// What shall be small.
    fn rank(&self, objective: Objective) -> (i64, i64) {
        let volume = self.holders.iter().map(|h| h.len().saturating_sub(1) as i64).sum();
        match objective {
            Objective::Bottleneck => (self.loads.iter().copied().max().unwrap_or(0), volume),
            _ => (volume, 0),
        }
    }

    /// Notes the groups of something and the parts around it; whether there are other parts.
    fn look(&mut self, v: u32) -> bool {
        let from = self.parts.part[v as usize];
        self.around.clear();
        self.near.clear();
        let (around, near, holders) = (&mut self.around, &mut self.near, &self.holders);
        self.groups.each(v, &mut |group| {
            around.push(group);
            for &(p, _) in &holders[group as usize] {
                if p != from && !near.contains(&p) {
                    near.push(p);
                }
            }
        });
        !self.near.is_empty() && self.parts.can_lose(from)
    }

    fn fits(&self, v: u32, to: u32) -> bool {
        self.parts.has_room(v, self.net.weights[v as usize], to)
    }

    /// Values saved when what was looked at joins another part.
    fn saved(&self, v: u32, to: u32) -> i64 {
        let from = self.parts.part[v as usize];
        let of_group = |&group: &u32| {
            let holders = &self.holders[group as usize];
            i64::from(count(holders, from) == 1) - i64::from(count(holders, to) == 0)
        };
        self.around.iter().map(of_group).sum()
    }

    /// Changes of loads when what was looked at joins another part.
    fn change(&mut self, v: u32, to: u32) {
        let from = self.parts.part[v as usize];
        let mut changes = std::mem::take(&mut self.changes);
        changes.clear();
        let mut note = |p: u32, values: i64| {
            if values != 0 {
                match changes.iter_mut().find(|change| change.0 == p) {
                    Some(change) => change.1 += values,
                    None => changes.push((p, values)),
                }
            }
        };
        for &group in &self.around {
            let holders = &self.holders[group as usize];
            let before = holders.len() as i64 - 1;
            let (leaves, joins) = (count(holders, from) == 1, count(holders, to) == 0);
            let after = before - i64::from(leaves) + i64::from(joins);
            if self.groups.owned() {
                let owner = self.parts.part[group as usize];
                note(owner, -before);
                note(if group == v { to } else { owner }, after);
                continue;
            }
            for &(p, _) in holders {
                note(p, if p == from && leaves { -before } else { after - before });
            }
            if joins {
                note(to, after);
            }
        }
        self.changes = changes;
    }

    fn join(&mut self, v: u32, to: u32) {
        self.change(v, to);
        self.changes.iter().for_each(|&(p, values)| self.loads[p as usize] += values);
        let from = self.parts.part[v as usize];
        self.parts.shift(v, to, self.net.weights[v as usize]);
        for &group in &self.around {
            let holders = &mut self.holders[group as usize];
            if let Some(k) = holders.iter().position(|holder| holder.0 == from) {
                holders[k].1 -= 1;
                if holders[k].1 == 0 {
                    holders.swap_remove(k);
                }
            }
            add(holders, to);
        }
    }

    /// Proposes one of the parts around.
    fn try_random(&mut self, v: u32, temperature: f64, random: &mut Random) {
        if !self.look(v) {
            return;
        }
        let to = self.near[random.below(self.near.len() as u32) as usize];
        if !self.fits(v, to) {
            return;
        }
        let saved = self.saved(v, to);
        if saved >= 0 || saved as f64 + temperature * random.exponential() >= 0.0 {
            self.join(v, to);
        }
    }

    /// Sweeps without heat; what comes out is kept if it is the best so far.
    fn settle(
        &mut self,
        order: &mut [u32],
        objective: Objective,
        random: &mut Random,
        best: &mut ((i64, i64), Parts),
    ) {
        self.cold(order, random, Search::fewer);
        if objective == Objective::Bottleneck {
            self.cold(order, random, Search::flatter);
        }
        let rank = self.rank(objective);
        if rank < best.0 {
            *best = (rank, self.parts.clone());
        }
    }

    /// Sweeps that take the best move of each, while there is one.
    fn cold(
        &mut self,
        order: &mut [u32],
        random: &mut Random,
        gain: impl Fn(&mut Search<'a>, u32, u32) -> f64,
    ) {
        for _ in 0..COLD_SWEEPS {
            random.shuffle(order);
            let mut moved = false;
            for &v in order.iter() {
                if !self.look(v) {
                    continue;
                }
                let mut best = (0.0, u32::MAX);
                for i in 0..self.near.len() {
                    let to = self.near[i];
                    if !self.fits(v, to) {
                        continue;
                    }
                    let gain = gain(self, v, to);
                    if gain > best.0 || gain == best.0 && gain > 0.0 && to < best.1 {
                        best = (gain, to);
                    }
                }
                if best.0 > 0.0 {
                    self.join(v, best.1);
                    moved = true;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn fewer(&mut self, v: u32, to: u32) -> f64 {
        self.saved(v, to) as f64
    }

    /// The fall of the sum of eighth powers, for that of the largest load.
    fn flatter(&mut self, v: u32, to: u32) -> f64 {
        self.change(v, to);
        let largest = self.loads.iter().copied().max().unwrap_or(0).max(1) as f64;
        let power = |load: i64| {
            let square = (load as f64 / largest) * (load as f64 / largest);
            let fourth = square * square;
            fourth * fourth
        };
        let fall = |&(p, values): &(u32, i64)| {
            power(self.loads[p as usize]) - power(self.loads[p as usize] + values)
        };
        let fall: f64 = self.changes.iter().map(fall).sum();
        // Less than what rounding makes of nothing is nothing.
        if fall > 1e-12 { fall } else { 0.0 }
    }
}
