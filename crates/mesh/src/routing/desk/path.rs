//! Costs of links and processors for a message, and its cheapest path.
//!
//! **Method.** An A* search; the number of hops that remain is the estimate. Costs rise with the
//! load of links and processors, and with conflicts of earlier rounds.

use super::{Desk, Goal};
use crate::machine::Wires;
use crate::routing::Message;
use palmette_core::NONE;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The cost of one hop without congestion.
pub(super) const HOP: u64 = 256;

/// Arrays of the search for a path, cleared after each.
#[derive(Clone)]
pub(super) struct Scratch {
    cost: Vec<u64>,
    by: Vec<u32>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Desk<'_> {
    /// What a processor costs a path that comes to it; `None` when it may not.
    #[inline]
    fn processor_cost(
        &self,
        processor: u32,
        phase: u32,
        goal: Goal,
        pressure: Option<u64>,
    ) -> Option<u64> {
        let place = phase as usize * self.wires.points() + processor as usize;
        let beyond = u64::from((self.channels[place] + 1).saturating_sub(goal.channels));
        match pressure {
            None => (beyond == 0).then_some(0),
            Some(pressure) => Some(self.channel_past[place] + pressure * beyond * HOP / 2),
        }
    }

    /// The same for a link; the emptier of two is a little cheaper.
    #[inline]
    fn link_cost(&self, link: u32, values: u64, goal: Goal, pressure: Option<u64>) -> Option<u64> {
        let load = self.loads[link as usize];
        let values = values * self.wires.burden(link);
        let beyond = (load + values).saturating_sub(goal.load);
        let bound = goal.load.max(1);
        let even = HOP + (load.min(bound) as u128 * HOP as u128 / 32 / bound as u128) as u64;
        match pressure {
            None => (beyond == 0).then_some(even),
            Some(_) if beyond == 0 => Some(even + self.link_past[link as usize]),
            Some(pressure) => {
                let push = pressure * (HOP / 2 + HOP * beyond / bound);
                Some(even + self.link_past[link as usize] + push)
            }
        }
    }

    /// The cost of a given path in a phase.
    pub(super) fn price(
        &self,
        i: usize,
        path: &[u32],
        phase: u32,
        goal: Goal,
        pressure: u64,
    ) -> u64 {
        let Message { from, values, .. } = self.messages[i];
        let at = |processor| self.processor_cost(processor, phase, goal, Some(pressure));
        let mut sum = at(from).unwrap_or(0);
        for &link in path {
            sum += at(self.wires.end(link)).unwrap_or(0);
            sum += self.link_cost(link, values, goal, Some(pressure)).unwrap_or(0);
        }
        sum
    }

    /// The cheapest path of a message in a phase; without pressure only one that keeps the
    /// bounds.
    pub(super) fn path(
        &mut self,
        i: usize,
        phase: u32,
        goal: Goal,
        pressure: Option<u64>,
    ) -> Option<(u64, Vec<u32>)> {
        let Message { from, to, values } = self.messages[i];
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::new(0));
        let estimate = |processor| u64::from(self.wires.hops(processor, to)) * HOP;
        if let Some(start) = self.processor_cost(from, phase, goal, pressure) {
            scratch.reach(from, NONE, start, estimate(from));
        }
        while let Some(Reverse((guess, processor))) = scratch.heap.pop() {
            let cost = scratch.cost[processor as usize];
            if guess > cost + estimate(processor) {
                continue;
            }
            if processor == to {
                break;
            }
            for (link, next) in self.wires.links_of(processor) {
                let Some(over) = self.link_cost(link, values, goal, pressure) else { continue };
                let Some(at) = self.processor_cost(next, phase, goal, pressure) else { continue };
                scratch.reach(next, link, cost + over + at, estimate(next));
            }
        }
        let found = scratch.trace(self.wires, from, to);
        scratch.clear();
        self.scratch = scratch;
        found
    }
}

impl Scratch {
    pub(super) fn new(processors: usize) -> Scratch {
        Scratch {
            cost: vec![u64::MAX; processors],
            by: vec![NONE; processors],
            touched: Vec::new(),
            heap: BinaryHeap::new(),
        }
    }

    fn reach(&mut self, processor: u32, link: u32, cost: u64, estimate: u64) {
        let known = &mut self.cost[processor as usize];
        if cost < *known {
            if *known == u64::MAX {
                self.touched.push(processor);
            }
            *known = cost;
            self.by[processor as usize] = link;
            self.heap.push(Reverse((cost + estimate, processor)));
        }
    }

    fn trace(&self, wires: &Wires, from: u32, to: u32) -> Option<(u64, Vec<u32>)> {
        let cost = self.cost[to as usize];
        if cost == u64::MAX {
            return None;
        }
        let (mut path, mut at) = (Vec::new(), to);
        while at != from {
            let link = self.by[at as usize];
            path.push(link);
            at = wires.start(link);
        }
        path.reverse();
        Some((cost, path))
    }

    fn clear(&mut self) {
        for processor in self.touched.drain(..) {
            self.cost[processor as usize] = u64::MAX;
            self.by[processor as usize] = NONE;
        }
        self.heap.clear();
    }
}
