//! A separator made lighter by moving its vertices to the sides.
//!
//! **Method.** A vertex of the separator that joins a side pulls its neighbours on the other side into the
//! separator. A pass moves to one side only: it makes the move that gains most, even if it loses, each vertex
//! once; in the end all moves after the best state are taken back (Fiduccia and Mattheyses, for separators).
//! Passes to both sides take turns. Moves to either side in one pass undo each other, and are much worse.
//!
//! **Cost.** A pass looks at the rows of the separator and of what is moved; it ends when
//! a number of moves in a row have not helped.
//!
//! **Reference.** Ashcraft, Liu, *Robust ordering of sparse matrices using multisection*, 1998;
//! Karypis, Kumar, *A fast and high quality multilevel scheme for partitioning irregular graphs*, 1998.

use super::net::Net;
use super::sides::{BETWEEN, Sides};
use std::collections::BinaryHeap;

/// Moves in a row without a better state: as many as the separator has vertices, within these.
const PATIENCE: (usize, usize) = (12, 100);

/// What searches on one net share.
pub(super) struct Search {
    /// By vertex of the separator: the weight of its neighbours on the other side.
    pull: Vec<i64>,
    /// The side that this pass moves to.
    to: u8,
    /// Moves by gain, of which only those that are still true count; the last ones first among
    /// equals.
    queue: BinaryHeap<(i64, u32, u32)>,
    serial: u32,
    /// Vertices that were moved, and where what they pulled begins.
    log: Vec<(u32, u32)>,
    pulled: Vec<u32>,
}

impl Search {
    pub(super) fn new(vertices: usize) -> Search {
        Search {
            pull: vec![0; vertices],
            to: 0,
            queue: BinaryHeap::new(),
            serial: 0,
            log: Vec::new(),
            pulled: Vec::new(),
        }
    }

    /// Passes until none to either side helps, or so many.
    pub(super) fn improve(&mut self, net: &Net, sides: &mut Sides, limit: u64, passes: u32) {
        self.to = u8::from(sides.weights[1] < sides.weights[0]);
        let mut failed = 0;
        for _ in 0..passes {
            failed = if self.pass(net, sides, limit) { 0 } else { failed + 1 };
            if failed == 2 {
                break;
            }
            self.to = 1 - self.to;
        }
    }

    fn pass(&mut self, net: &Net, sides: &mut Sides, limit: u64) -> bool {
        self.serial = 0;
        self.log.clear();
        self.pulled.clear();
        self.queue.clear();
        for &v in &sides.separator {
            self.enter(net, &sides.of, v);
        }
        let start = sides.score(limit);
        let mut best = (start, 0);
        let patience = sides.separator.len().clamp(PATIENCE.0, PATIENCE.1);
        while self.log.len() - best.1 < patience {
            let Some(v) = self.choose(net, sides, limit) else { break };
            self.shift(net, sides, v);
            let score = sides.score(limit);
            if score < best.0 {
                best = (score, self.log.len());
            }
        }
        self.take_back(net, sides, best.1);
        let Sides { of, separator, .. } = sides;
        separator.retain(|&v| of[v as usize] == BETWEEN);
        separator.extend(self.pulled.iter().filter(|&&v| of[v as usize] == BETWEEN));
        best.0 < start
    }

    /// Notes a vertex that is in the separator now.
    fn enter(&mut self, net: &Net, of: &[u8], v: u32) {
        let other = 1 - self.to;
        let there = net.row(v).iter().filter(|&&w| of[w as usize] == other);
        self.pull[v as usize] = there.map(|&w| i64::from(net.weights[w as usize])).sum();
        self.offer(net, v);
    }

    #[inline]
    fn gain(&self, net: &Net, v: u32) -> i64 {
        i64::from(net.weights[v as usize]) - self.pull[v as usize]
    }

    #[inline]
    fn offer(&mut self, net: &Net, v: u32) {
        self.serial = self.serial.wrapping_add(1);
        self.queue.push((self.gain(net, v), self.serial, v));
    }

    /// The move that gains most and that the side has room for.
    fn choose(&mut self, net: &Net, sides: &Sides, limit: u64) -> Option<u32> {
        while let Some((gain, _, v)) = self.queue.pop() {
            let weight = u64::from(net.weights[v as usize]);
            let is_true = sides.of[v as usize] == BETWEEN && gain == self.gain(net, v);
            if is_true && sides.weights[self.to as usize] + weight <= limit {
                return Some(v);
            }
        }
        None
    }

    fn shift(&mut self, net: &Net, sides: &mut Sides, v: u32) {
        self.log.push((v, self.pulled.len() as u32));
        let (to, other) = (self.to, 1 - self.to);
        sides.of[v as usize] = to;
        let own = u64::from(net.weights[v as usize]);
        sides.weights[2] -= own;
        sides.weights[to as usize] += own;
        for &w in net.row(v) {
            if sides.of[w as usize] != other {
                continue;
            }
            sides.of[w as usize] = BETWEEN;
            let weight = net.weights[w as usize];
            sides.weights[other as usize] -= u64::from(weight);
            sides.weights[2] += u64::from(weight);
            self.pulled.push(w);
            for &u in net.row(w) {
                if sides.of[u as usize] == BETWEEN {
                    self.pull[u as usize] -= i64::from(weight);
                    self.offer(net, u);
                }
            }
            self.enter(net, &sides.of, w);
        }
    }

    /// Takes back all moves but the first ones.
    fn take_back(&mut self, net: &Net, sides: &mut Sides, kept: usize) {
        let (to, other) = (self.to, 1 - self.to);
        while self.log.len() > kept {
            let Some((v, first)) = self.log.pop() else { break };
            for w in self.pulled.drain(first as usize..) {
                let weight = u64::from(net.weights[w as usize]);
                sides.of[w as usize] = other;
                sides.weights[2] -= weight;
                sides.weights[other as usize] += weight;
            }
            let own = u64::from(net.weights[v as usize]);
            sides.of[v as usize] = BETWEEN;
            sides.weights[to as usize] -= own;
            sides.weights[2] += own;
        }
    }
}
