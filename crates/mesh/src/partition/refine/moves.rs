//! Local search by moving vertices.
//!
//! **Method.** Fiduccia and Mattheyses' search among any number of parts, started many times
//! from single vertices at the boundary: the vertex whose move gains most moves, its
//! neighbours become candidates, until the loss since the best state is unlikely to be made
//! good; then everything after that state is undone. A vertex moves at most once a round.
//! On the way parts may be too heavy by a vertex; the states that are kept are not.
//!
//! **Cost.** A round is nearly linear in the size of the boundary.
//!
//! **Reference.** Sanders, Schulz, *Engineering multilevel graph partitioning algorithms*,
//! 2011 (multi-try search); Osipov, Sanders, *n-level graph partitioning*, 2010 (when to
//! stop).

use super::{Distances, Parts, Ties};
use crate::partition::net::Net;
use palmette_core::random::Random;
use std::collections::BinaryHeap;

/// How long a search goes on without success.
#[derive(Debug, Clone, Copy)]
pub(in crate::partition) struct Patience {
    /// Rounds at most; fewer when one gains little.
    pub(in crate::partition) rounds: usize,
    /// Larger: longer searches; in sixteenths.
    pub(in crate::partition) alpha: i64,
}

/// Around a vertex that made its part too heavy, so many are looked at to leave it.
const NEAR: usize = 48;

/// Vertices with more neighbours do not become candidates because one of them moved, nor do their
/// neighbours because of them: gains around hubs change little, and cost much to find.
const HUB: usize = 128;

/// A candidate: its gain, a random number for ties, the vertex.
type Candidate = (i64, u32, u32);

struct Search<'a, D> {
    net: &'a Net,
    distances: &'a D,
    parts: &'a mut Parts,
    ties: Ties,
    /// By vertex: the round in which it moved last.
    moved: Vec<u32>,
    /// By vertex: whether it or a neighbour has a new part since it was last started from.
    stirred: Vec<bool>,
    heap: BinaryHeap<Candidate>,
    trail: Vec<(u32, u32)>,
    near: Vec<u32>,
    /// By vertex: the ejection for which it was last near; and their number.
    seen: Vec<u32>,
    ejections: u32,
    slack: i64,
    alpha: i64,
    beta: i64,
}

/// Rounds of searches; the fall of the cost.
pub(in crate::partition) fn improve<D: Distances>(
    net: &Net,
    parts: &mut Parts,
    distances: &D,
    patience: Patience,
    random: &mut Random,
) -> i64 {
    let n = net.len();
    let count = parts.limits.len();
    let slack = net.weights.iter().copied().max().unwrap_or(0);
    let mut search = Search {
        net,
        distances,
        parts,
        ties: Ties::new(count),
        moved: vec![0; n],
        stirred: vec![true; n],
        heap: BinaryHeap::new(),
        trail: Vec::new(),
        near: Vec::new(),
        seen: vec![0; n],
        ejections: 0,
        slack,
        alpha: patience.alpha,
        // About the natural logarithm.
        beta: i64::from(n.max(2).ilog2() * 45 / 64 + 1),
    };
    let mut total = 0;
    for round in 1..=patience.rounds as u32 {
        let starts = (0..n as u32).filter(|&v| search.stirred[v as usize] && search.is_boundary(v));
        let mut boundary: Vec<u32> = starts.collect();
        search.stirred.fill(false);
        random.shuffle(&mut boundary);
        let mut fall = 0;
        for &v in &boundary {
            if search.moved[v as usize] != round {
                fall += search.run(v, round, random);
            }
        }
        total += fall;
        if fall * 1000 <= total {
            break;
        }
    }
    total
}

impl<D: Distances> Search<'_, D> {
    fn is_boundary(&self, v: u32) -> bool {
        let own = self.parts.part[v as usize];
        self.net.row(v).iter().any(|&(w, _)| self.parts.part[w as usize] != own)
    }

    /// The part where a vertex gains most, and the gain. Among equal gains the lightest.
    fn best_move(&mut self, v: u32) -> Option<(i64, u32)> {
        let parts = &*self.parts;
        let from = parts.part[v as usize];
        if self.net.is_fixed(v) || !parts.can_lose(from) {
            return None;
        }
        let weight = self.net.weights[v as usize];
        self.ties.fill(self.net, &parts.part, v);
        let mut best: Option<(i64, i64, u32)> = None;
        for &to in self.ties.parts.iter().filter(|&&p| p != from) {
            let over = parts.weights[to as usize] + weight - parts.limits[to as usize];
            // A part that is already too heavy takes nothing.
            if over > self.slack.max(0) || (over > 0 && parts.excess(to) > 0) {
                continue;
            }
            if !parts.further_fit(v, to) {
                continue;
            }
            let gain = self.ties.gain(self.distances, from, to);
            let room = parts.limits[to as usize] - parts.weights[to as usize];
            if best.is_none_or(|b| (gain, room) > (b.0, b.1)) {
                best = Some((gain, room, to));
            }
        }
        best.map(|(gain, _, to)| (gain, to))
    }

    fn push(&mut self, v: u32, round: u32, random: &mut Random) {
        if self.moved[v as usize] != round
            && let Some((gain, _)) = self.best_move(v)
        {
            self.heap.push((gain, random.below(u32::MAX), v));
        }
    }

    /// One search; the fall of the cost that it leaves.
    fn run(&mut self, start: u32, round: u32, random: &mut Random) -> i64 {
        self.heap.clear();
        self.trail.clear();
        self.push(start, round, random);
        let mut over = 0;
        let (mut fall, mut best, mut best_over, mut kept) = (0, 0, 0, 0);
        // Steps since the best state, and their mean and variance.
        let mut steps = Steps::default();
        let mut forced = None;
        while let Some((v, gain, to)) = forced.take().or_else(|| self.next(round)) {
            let from = self.parts.part[v as usize];
            let before = self.parts.excess(from) + self.parts.excess(to);
            self.parts.shift(v, to, self.net.weights[v as usize]);
            over += self.parts.excess(from) + self.parts.excess(to) - before;
            self.moved[v as usize] = round;
            self.trail.push((v, from));
            fall += gain;
            steps.add(gain);
            if (over, -fall) < (best_over, -best)
                || (fall == best && over == best_over && random.below(2) == 0)
            {
                (best, best_over, kept) = (fall, over, self.trail.len());
                steps = Steps::default();
            } else if steps.hopeless(self.alpha, self.beta) {
                break;
            }
            self.refresh(v, round, random);
            if self.parts.excess(to) > 0 {
                forced = self.ejected(v, round);
                if forced.is_none() {
                    break;
                }
            }
        }
        while self.trail.len() > kept {
            let Some((v, from)) = self.trail.pop() else { break };
            self.parts.shift(v, from, self.net.weights[v as usize]);
        }
        for &(v, _) in &self.trail {
            self.stirred[v as usize] = true;
            self.net.row(v).iter().for_each(|&(w, _)| self.stirred[w as usize] = true);
        }
        best
    }

    /// The candidate with the largest gain, its gain now and where it goes.
    fn next(&mut self, round: u32) -> Option<(u32, i64, u32)> {
        while let Some((claimed, tie, v)) = self.heap.pop() {
            if self.moved[v as usize] == round {
                continue;
            }
            match self.best_move(v) {
                Some((gain, _)) if gain < claimed => self.heap.push((gain, tie, v)),
                Some((gain, to)) => return Some((v, gain, to)),
                None => {}
            }
        }
        None
    }

    /// After a vertex has made its part too heavy: which one near it leaves at the least
    /// cost.
    fn ejected(&mut self, v: u32, round: u32) -> Option<(u32, i64, u32)> {
        let net = self.net;
        let full = self.parts.part[v as usize];
        self.near.clear();
        self.near.push(v);
        self.ejections += 1;
        self.seen[v as usize] = self.ejections;
        let mut best: Option<(i64, u32, u32)> = None;
        let mut next = 0;
        while let Some(&u) = self.near.get(next) {
            next += 1;
            for &(w, _) in net.row(u) {
                let inside = self.parts.part[w as usize] == full && !net.is_fixed(w);
                if inside && self.near.len() < NEAR && self.seen[w as usize] != self.ejections {
                    self.near.push(w);
                    self.seen[w as usize] = self.ejections;
                    if self.moved[w as usize] != round
                        && let Some((gain, to)) = self.best_move(w)
                        && best.is_none_or(|b| gain > b.0)
                    {
                        best = Some((gain, w, to));
                    }
                }
            }
        }
        best.map(|(gain, w, to)| (w, gain, to))
    }

    /// Neighbours of a vertex that moved become candidates, with their new gains.
    fn refresh(&mut self, v: u32, round: u32, random: &mut Random) {
        let net = self.net;
        if net.row(v).len() > HUB {
            return;
        }
        for &(w, _) in net.row(v) {
            if net.row(w).len() <= HUB {
                self.push(w, round, random);
            }
        }
    }
}

/// Gains since the best state.
#[derive(Default)]
struct Steps {
    count: i64,
    sum: i64,
    squares: i128,
}

impl Steps {
    fn add(&mut self, gain: i64) {
        self.count += 1;
        self.sum += gain;
        self.squares += i128::from(gain) * i128::from(gain);
    }

    /// Whether a random walk with these steps would rarely come back: with their mean `m` and
    /// variance `s²`, `count m² > alpha s² + beta`. In whole numbers, times `count²`.
    fn hopeless(&self, alpha: i64, beta: i64) -> bool {
        let (count, square) = (i128::from(self.count), i128::from(self.sum) * i128::from(self.sum));
        let spread = self.squares * count - square;
        self.sum < 0
            && 16 * square * count
                > i128::from(alpha) * spread + 16 * i128::from(beta) * count * count
            || self.sum == 0 && self.count > 3 * beta
    }
}
