//! Moves that count values instead of edges.
//!
//! **Problem.** As in [`moves`](super::moves), but the cost is what a product sends: the value
//! of a vertex goes once to every part that a neighbour of it is in, over the distance
//! of the two parts. Several edges from a vertex into a part count once.
//!
//! **Method.** Annealing: in each sweep every vertex with neighbours in other parts may join
//! one of these, drawn at random, by Metropolis's rule; then sweeps that take the best move
//! of each vertex, while they gain.
//!
//! **Cost.** `O(degree · parts around)` per vertex and sweep; 8 bytes for each vertex and part
//! around it.

use super::{Distances, Parts};
use crate::partition::net::Net;
use palmette_core::random::Random;

/// How long and how hot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::partition) struct Heat {
    /// Sweeps at falling temperature.
    pub(in crate::partition) sweeps: u32,
    /// The first temperature, in units of cost.
    pub(in crate::partition) first: f64,
}

/// At most so many sweeps without heat.
const COLD_SWEEPS: u32 = 20;

/// Improves parts of a net whose edges and vertices are single ones.
pub(in crate::partition) fn improve<D: Distances>(
    net: &Net,
    parts: &mut Parts,
    distances: &D,
    heat: Heat,
    random: &mut Random,
) {
    let mut search = Search { net, distances, around: around(net, &parts.part), parts };
    let mut order: Vec<u32> = (0..net.len() as u32).collect();
    for sweep in 0..heat.sweeps {
        let temperature = heat.first * f64::from(heat.sweeps - sweep) / f64::from(heat.sweeps);
        random.shuffle(&mut order);
        for &v in &order {
            search.try_random(v, temperature, random);
        }
    }
    for _ in 0..COLD_SWEEPS {
        random.shuffle(&mut order);
        if order.iter().filter(|&&v| search.take_best(v)).count() == 0 {
            break;
        }
    }
}

/// By vertex: the parts of its neighbours, and how many are in each.
fn around(net: &Net, part: &[u32]) -> Vec<Vec<(u32, u32)>> {
    let list = |v: u32| {
        let mut list: Vec<(u32, u32)> = Vec::new();
        for &(w, _) in net.row(v) {
            add(&mut list, part[w as usize]);
        }
        list
    };
    (0..net.len() as u32).map(list).collect()
}

/// Counts a part in a list of parts and numbers.
pub(in crate::partition) fn add(list: &mut Vec<(u32, u32)>, part: u32) {
    match list.iter_mut().find(|entry| entry.0 == part) {
        Some(entry) => entry.1 += 1,
        None => list.push((part, 1)),
    }
}

fn count(list: &[(u32, u32)], part: u32) -> u32 {
    list.iter().find(|entry| entry.0 == part).map_or(0, |entry| entry.1)
}

struct Search<'a, D> {
    net: &'a Net,
    distances: &'a D,
    around: Vec<Vec<(u32, u32)>>,
    parts: &'a mut Parts,
}

impl<D: Distances> Search<'_, D> {
    /// By how much the cost falls when a vertex joins another part.
    fn gain(&self, v: u32, from: u32, to: u32) -> i64 {
        let between = |a: u32, b: u32| self.distances.between(a, b);
        let sends = |own: u32| -> i64 {
            self.around[v as usize].iter().map(|&(p, _)| between(own, p)).sum()
        };
        let mut gain = sends(from) - sends(to);
        for &(w, _) in self.net.row(v) {
            let (own, list) = (self.parts.part[w as usize], &self.around[w as usize]);
            if count(list, from) == 1 {
                gain += between(own, from);
            }
            if count(list, to) == 0 {
                gain -= between(own, to);
            }
        }
        gain
    }

    fn fits(&self, v: u32, from: u32, to: u32) -> bool {
        let weight = self.net.weights[v as usize];
        self.parts.can_lose(from) && self.parts.has_room(v, weight, to) && !self.net.is_fixed(v)
    }

    fn join(&mut self, v: u32, to: u32) {
        let from = self.parts.part[v as usize];
        self.parts.shift(v, to, self.net.weights[v as usize]);
        for &(w, _) in self.net.row(v) {
            let list = &mut self.around[w as usize];
            if let Some(k) = list.iter().position(|entry| entry.0 == from) {
                list[k].1 -= 1;
                if list[k].1 == 0 {
                    list.swap_remove(k);
                }
            }
            add(list, to);
        }
    }

    /// Proposes one of the parts around a vertex.
    fn try_random(&mut self, v: u32, temperature: f64, random: &mut Random) {
        let (from, list) = (self.parts.part[v as usize], &self.around[v as usize]);
        if list.is_empty() || list.len() == 1 && list[0].0 == from {
            return;
        }
        let to = list[random.below(list.len() as u32) as usize].0;
        if to == from || !self.fits(v, from, to) {
            return;
        }
        let gain = self.gain(v, from, to);
        if gain >= 0 || gain as f64 + temperature * random.exponential() >= 0.0 {
            self.join(v, to);
        }
    }

    /// Takes the move that gains most, if one does.
    fn take_best(&mut self, v: u32) -> bool {
        let from = self.parts.part[v as usize];
        let others = self.around[v as usize].iter().map(|entry| entry.0);
        let best = others
            .filter(|&to| to != from && self.fits(v, from, to))
            .map(|to| (self.gain(v, from, to), to))
            .max_by_key(|&(gain, to)| (gain, std::cmp::Reverse(to)));
        match best {
            Some((gain, to)) if gain > 0 => {
                self.join(v, to);
                true
            }
            _ => false,
        }
    }
}
