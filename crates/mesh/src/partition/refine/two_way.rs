//! Fiduccia and Mattheyses' search between two sides.
//!
//! **Method.** In a pass the vertex whose move gains most moves, from either side, as long as the
//! other has room, also when that loses; every vertex moves at most once. What came after the
//! best state is undone. From a side that is too heavy vertices go first.
//!
//! **Cost.** A pass is nearly linear in the size of the border; making the books is linear in
//! that of the net.
//!
//! **Reference.** Fiduccia, Mattheyses, *A linear-time heuristic for improving network
//! partitions*, 1982.

use super::Parts;
use crate::partition::net::Net;
use crate::partition::queue::Queue;

/// Without success, a pass ends after so many moves at least and at most; between them, after
/// this share of the vertices.
const PATIENCE: (usize, usize) = (25, 150);
const PATIENCE_SHARE: usize = 50;

struct Search<'a> {
    net: &'a Net,
    sides: &'a mut Parts,
    /// By vertex: the weight of edges to the other side, and of all edges.
    out: Vec<i64>,
    all: Vec<i64>,
    queues: [Queue; 2],
    /// By vertex: the pass in which it moved last.
    moved: Vec<u32>,
    trail: Vec<u32>,
}

/// At most so many passes; the weight of the edges between the sides at the end.
pub(in crate::partition) fn improve(net: &Net, sides: &mut Parts, passes: u32) -> i64 {
    let n = net.len();
    let mut search = Search {
        net,
        sides,
        out: vec![0; n],
        all: vec![0; n],
        queues: [Queue::new(n), Queue::new(n)],
        moved: vec![0; n],
        trail: Vec::new(),
    };
    let mut cut = search.fill();
    for pass in 1..=passes {
        let over = search.over();
        let fall = search.pass(pass);
        cut -= fall;
        if fall <= 0 && search.over() >= over {
            break;
        }
    }
    cut
}

impl Search<'_> {
    fn over(&self) -> i64 {
        self.sides.excess(0) + self.sides.excess(1)
    }

    fn fill(&mut self) -> i64 {
        let part = &self.sides.part;
        let mut twice = 0;
        for v in 0..self.net.len() {
            for &(w, weight) in self.net.row(v as u32) {
                self.all[v] += i64::from(weight);
                self.out[v] += if part[w as usize] == part[v] { 0 } else { i64::from(weight) };
            }
            twice += self.out[v];
        }
        twice / 2
    }

    fn gain(&self, v: u32) -> i64 {
        2 * self.out[v as usize] - self.all[v as usize]
    }

    /// One pass; the fall of the cut.
    fn pass(&mut self, pass: u32) -> i64 {
        self.queues.iter_mut().for_each(Queue::clear);
        self.trail.clear();
        let too_heavy = [0, 1].map(|side| self.sides.excess(side) > 0);
        for v in 0..self.net.len() as u32 {
            let side = self.sides.part[v as usize] as usize;
            if (self.out[v as usize] > 0 || too_heavy[side]) && !self.net.is_fixed(v) {
                self.queues[side].set(v, self.gain(v));
            }
        }
        let patience = (self.net.len() / PATIENCE_SHARE).clamp(PATIENCE.0, PATIENCE.1);
        let (mut fall, mut best, mut kept) = (0, (self.over(), 0, self.uneven()), 0);
        while let Some((gain, v)) = self.next() {
            self.shift(v, pass);
            fall += gain;
            self.trail.push(v);
            let state = (self.over(), -fall, self.uneven());
            if state < best {
                (best, kept) = (state, self.trail.len());
            } else if self.trail.len() - kept > patience {
                break;
            }
        }
        for v in self.trail.split_off(kept) {
            self.shift(v, 0);
        }
        -best.1
    }

    /// How far the fuller side is above the other, for its limit.
    fn uneven(&self) -> i64 {
        let room = |side: usize| self.sides.limits[side] - self.sides.weights[side];
        (room(0) - room(1)).abs()
    }

    /// The next move: its gain and vertex, taken from its queue.
    fn next(&mut self) -> Option<(i64, u32)> {
        loop {
            let heavy = [0, 1].map(|side| self.sides.excess(side as u32) > 0);
            let tops = [self.queues[0].peek(), self.queues[1].peek()];
            let side = match (heavy, tops) {
                (_, [None, None]) => return None,
                ([true, true], [Some(_), Some(_)]) if self.sides.further.is_some() => {
                    usize::from(self.sides.excess(1) > self.sides.excess(0))
                }
                ([true, _], [Some(_), _]) => 0,
                ([_, true], [_, Some(_)]) => 1,
                (_, [Some(_), None]) => 0,
                (_, [None, Some(_)]) => 1,
                (_, [Some(a), Some(b)]) if a.0 != b.0 => usize::from(b.0 > a.0),
                _ => {
                    let room = |side: usize| self.sides.limits[side] - self.sides.weights[side];
                    usize::from(room(1) < room(0))
                }
            };
            let (gain, v) = self.queues[side].pop()?;
            let weight = self.net.weights[v as usize];
            let there = self.sides.weights[1 - side] + weight;
            let other = 1 - side as u32;
            let fits = self.sides.has_room(v, weight, other)
                || heavy[side]
                    && match self.sides.further {
                        None => {
                            there - self.sides.limits[1 - side] < self.sides.excess(side as u32)
                        }
                        Some(_) => self.sides.relief(v, weight, other) > 0,
                    };
            if fits && self.sides.can_lose(side as u32) {
                return Some((gain, v));
            }
        }
    }

    fn shift(&mut self, v: u32, pass: u32) {
        let from = self.sides.part[v as usize];
        self.sides.shift(v, 1 - from, self.net.weights[v as usize]);
        self.out[v as usize] = self.all[v as usize] - self.out[v as usize];
        if pass > 0 {
            self.moved[v as usize] = pass;
        }
        for &(w, weight) in self.net.row(v) {
            let side = self.sides.part[w as usize];
            let change = if side == from { 1 } else { -1 };
            self.out[w as usize] += change * i64::from(weight);
            if pass > 0 && self.moved[w as usize] != pass && !self.net.is_fixed(w) {
                if self.out[w as usize] > 0 {
                    self.queues[side as usize].set(w, self.gain(w));
                } else if self.queues[side as usize].contains(w) {
                    self.queues[side as usize].remove(w);
                }
            }
        }
    }
}
