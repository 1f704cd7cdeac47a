//! Moves that gain, among any number of parts.
//!
//! **Method.** In a pass the vertex at a border whose move gains most moves, as long as one
//! gains, or keeps the cut and evens out weights; its neighbours are looked at again. A vertex
//! moves at most once in a pass.
//!
//! **Cost.** Linear in the size of the border, but for its queue.
//!
//! **Reference.** Karypis, Kumar, *Multilevel k-way partitioning scheme for irregular graphs*,
//! 1998.

use super::{Parts, Ties};
use crate::partition::net::Net;
use crate::partition::queue::Queue;
use palmette_core::random::Random;

/// Where less than one in so many vertices is at a border, later passes look only at what changed.
const FEW: usize = 8;

struct Search<'a> {
    net: &'a Net,
    parts: &'a mut Parts,
    ties: Ties,
    queue: Queue,
    /// By vertex: whether it moved in this pass.
    moved: Vec<bool>,
    trail: Vec<u32>,
    /// Vertices whose moves would have kept the cut, or found no room.
    passed: Vec<u32>,
    /// Whether the vertex looked at last would gain where there is no room.
    blocked: bool,
    /// By vertex: whether it is in the list that is being made.
    listed: Vec<bool>,
}

/// At most so many passes from the vertices given, which hold all those at borders; the fall of
/// the cut.
pub(in crate::partition) fn improve(
    net: &Net,
    parts: &mut Parts,
    border: &[u32],
    passes: u32,
    random: &mut Random,
) -> i64 {
    let count = parts.limits.len();
    let mut search = Search {
        net,
        parts,
        ties: Ties::new(count),
        queue: Queue::new(net.len()),
        moved: vec![false; net.len()],
        trail: Vec::new(),
        passed: Vec::new(),
        blocked: false,
        listed: vec![false; net.len()],
    };
    let mut order = border.to_vec();
    let mut total = 0;
    for _ in 0..passes {
        random.shuffle(&mut order);
        let fall = search.pass(&order);
        total += fall;
        if search.trail.is_empty() {
            break;
        }
        if border.len() * FEW < net.len() {
            // The others are as they were: no move is worth it, but for weights of parts.
            order.clear();
        }
        order.append(&mut search.passed);
        order.retain(|&v| !std::mem::replace(&mut search.listed[v as usize], true));
        for &v in &search.trail {
            let around = net.row(v).iter().map(|e| e.0).chain([v]);
            order.extend(
                around.filter(|&w| !std::mem::replace(&mut search.listed[w as usize], true)),
            );
        }
        order.iter().for_each(|&v| search.listed[v as usize] = false);
    }
    total
}

impl Search<'_> {
    fn pass(&mut self, order: &[u32]) -> i64 {
        for v in self.trail.drain(..) {
            self.moved[v as usize] = false;
        }
        self.queue.clear();
        for &v in order {
            match self.best(v, true) {
                Some((gain, _)) => self.queue.set(v, gain),
                None if self.blocked => self.passed.push(v),
                None => {}
            }
        }
        let mut fall = 0;
        let mut count = 0u32;
        while let Some((claimed, v)) = self.queue.pop() {
            count = count.wrapping_add(1);
            let Some((gain, to)) = self.best(v, count.is_multiple_of(2)) else {
                self.passed.push(v);
                continue;
            };
            if gain < claimed {
                self.queue.set(v, gain);
                continue;
            }
            self.parts.shift(v, to, self.net.weights[v as usize]);
            self.moved[v as usize] = true;
            self.trail.push(v);
            fall += gain;
            let net = self.net;
            for &(w, _) in net.row(v) {
                if self.moved[w as usize] {
                    continue;
                }
                match self.best(w, true) {
                    Some((gain, _)) => self.queue.set(w, gain),
                    None if self.queue.contains(w) => self.queue.remove(w),
                    None => {}
                }
            }
        }
        fall
    }

    /// The move of a vertex that gains most and is worth it.
    fn best(&mut self, v: u32, free: bool) -> Option<(i64, u32)> {
        let parts = &*self.parts;
        let from = parts.part[v as usize];
        if self.net.is_fixed(v)
            || !self.ties.fill_mixed(self.net, &parts.part, v)
            || !parts.can_lose(from)
        {
            return None;
        }
        self.blocked = false;
        let weight = self.net.weights[v as usize];
        let own = self.ties.to(from);
        let mut best: Option<(i64, i64, u32)> = None;
        for &to in &self.ties.parts {
            let gain = self.ties.to(to) - own;
            if to == from || gain < 0 || best.is_some_and(|b| gain < b.0) {
                continue;
            }
            let there = parts.weights[to as usize] + weight;
            let room = parts.limits[to as usize] - there;
            let evens = room > parts.limits[from as usize] - parts.weights[from as usize];
            if room < 0 || !parts.further_fit(v, to) {
                self.blocked |= gain > 0;
                continue;
            }
            if gain == 0 && !free && !evens {
                continue;
            }
            if best.is_none_or(|b| (gain, room) > (b.0, b.1)) {
                best = Some((gain, room, to));
            }
        }
        best.map(|(gain, _, to)| (gain, to))
    }
}
