//! Improving parts that are already there.
//!
//! **Problem.** A net, a part for each vertex and how heavy each part may be; out come parts
//! whose total cost is not larger, and with no more overweight. Cost is the weight of
//! edges between parts times the distance of the parts ([`Distances`]): 1 for plain cuts,
//! hops for parts that are placed on a machine.

pub(super) mod connectivity;
pub(super) mod flow;
mod further;
pub(super) mod greedy;
pub(super) mod moves;
mod rebalance;
pub(super) mod two_way;
pub(super) mod volume;

pub(super) use rebalance::{drain, rebalance};

use further::Further;

use super::net::Net;

/// How far parts are from each other; symmetric, 0 to itself.
pub(crate) trait Distances: Sync {
    fn between(&self, a: u32, b: u32) -> i64;

    /// Whether every two parts are 1 apart.
    fn is_plain(&self) -> bool {
        false
    }
}

/// Every two parts are 1 apart: cost is the weight of cut edges.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Distances for Plain {
    #[inline(always)]
    fn between(&self, a: u32, b: u32) -> i64 {
        i64::from(a != b)
    }

    fn is_plain(&self) -> bool {
        true
    }
}

/// Parts, their weights and limits.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) part: Vec<u32>,
    pub(super) weights: Vec<i64>,
    pub(super) limits: Vec<i64>,
    /// The number of vertices of each part,
    pub(super) counts: Vec<u32>,
    /// and how many it keeps at least.
    pub(super) least: Vec<u32>,
    /// Where vertices have several weights, all but the first.
    pub(super) further: Option<Box<Further>>,
}

impl Parts {
    /// Parts of vertices that have these weights.
    pub(super) fn new(of: &[i64], part: Vec<u32>, limits: Vec<i64>) -> Parts {
        let (mut weights, mut counts) = (vec![0; limits.len()], vec![0; limits.len()]);
        for (&p, weight) in part.iter().zip(of) {
            weights[p as usize] += weight;
            counts[p as usize] += 1;
        }
        let least = vec![1; limits.len()];
        Parts { part, weights, limits, counts, least, further: None }
    }

    /// The same with the further weights of a net's vertices, by part and kind their limits.
    pub(super) fn with_further(mut self, net: &Net, limits: &[i64]) -> Parts {
        if !net.more.is_empty() {
            self.further = Some(Box::new(Further::new(net, &self.part, limits)));
        }
        self
    }

    /// Whether a part has room for a vertex of this weight.
    #[inline]
    pub(super) fn has_room(&self, v: u32, weight: i64, to: u32) -> bool {
        self.weights[to as usize] + weight <= self.limits[to as usize] && self.further_fit(v, to)
    }

    /// Whether a part has room for the further weights of a vertex, if it has some.
    #[inline]
    pub(super) fn further_fit(&self, v: u32, to: u32) -> bool {
        self.further.as_ref().is_none_or(|further| further.fits(v, to))
    }

    /// By how much less parts are too heavy after a vertex of this weight has moved.
    pub(super) fn relief(&self, v: u32, weight: i64, to: u32) -> i64 {
        let from = self.part[v as usize];
        let over = |p: u32, weight: i64| {
            (self.weights[p as usize] + weight - self.limits[p as usize]).max(0)
        };
        let further = self.further.as_ref().map_or(0, |further| further.relief(v, from, to));
        over(from, 0) + over(to, 0) - over(from, -weight) - over(to, weight) + further
    }

    /// Parts that have too few vertices get light ones of others.
    pub(super) fn fill_up(&mut self, net: &Net) {
        let missing = |p: usize| self.least[p].saturating_sub(self.counts[p]);
        let short: Vec<(u32, u32)> =
            (0..self.limits.len()).map(|p| (p as u32, missing(p))).filter(|m| m.1 > 0).collect();
        if short.is_empty() {
            return;
        }
        let mut free: Vec<u32> = (0..net.len() as u32).filter(|&v| !net.is_fixed(v)).collect();
        free.sort_by_key(|&v| (net.weights[v as usize], v));
        let mut free = free.into_iter();
        for (p, missing) in short {
            for _ in 0..missing {
                let Some(v) = free.find(|&v| self.can_lose(self.part[v as usize])) else { return };
                self.shift(v, p, net.weights[v as usize]);
            }
        }
    }

    /// Whether a part can lose a vertex.
    #[inline]
    pub(super) fn can_lose(&self, p: u32) -> bool {
        self.counts[p as usize] > self.least[p as usize]
    }

    #[inline]
    pub(super) fn shift(&mut self, v: u32, to: u32, weight: i64) {
        let from = std::mem::replace(&mut self.part[v as usize], to);
        self.weights[from as usize] -= weight;
        self.weights[to as usize] += weight;
        self.counts[from as usize] -= 1;
        self.counts[to as usize] += 1;
        if let Some(further) = &mut self.further {
            further.shift(v, from, to);
        }
    }

    /// By how much a part is too heavy.
    #[inline]
    pub(super) fn excess(&self, p: u32) -> i64 {
        let further = self.further.as_ref().map_or(0, |further| further.excess(p));
        (self.weights[p as usize] - self.limits[p as usize]).max(0) + further
    }
}

/// How strongly a vertex is tied to parts, filled for one vertex at a time.
#[derive(Debug, Default)]
pub(super) struct Ties {
    /// By part: the weight of edges to it; 0 between uses.
    weight: Vec<i64>,
    /// The parts with such edges.
    pub(super) parts: Vec<u32>,
}

impl Ties {
    pub(super) fn new(parts: usize) -> Ties {
        Ties { weight: vec![0; parts], parts: Vec::new() }
    }

    #[inline]
    pub(super) fn fill(&mut self, net: &Net, part: &[u32], v: u32) {
        for &p in &self.parts {
            self.weight[p as usize] = 0;
        }
        self.parts.clear();
        for &(w, weight) in net.row(v) {
            let p = part[w as usize];
            if self.weight[p as usize] == 0 {
                self.parts.push(p);
            }
            self.weight[p as usize] += i64::from(weight);
        }
    }

    /// As [`Ties::fill`], only for vertices with neighbours in other parts; whether it is one.
    #[inline]
    pub(super) fn fill_mixed(&mut self, net: &Net, part: &[u32], v: u32) -> bool {
        let own = part[v as usize];
        let mixed = net.row(v).iter().any(|&(w, _)| part[w as usize] != own);
        if mixed {
            self.fill(net, part, v);
        }
        mixed
    }

    #[inline]
    pub(super) fn to(&self, p: u32) -> i64 {
        self.weight[p as usize]
    }

    /// By how much the cost falls when the vertex goes from one part to another.
    #[inline]
    pub(super) fn gain<D: Distances>(&self, distances: &D, from: u32, to: u32) -> i64 {
        let fall = |&q: &u32| self.to(q) * (distances.between(from, q) - distances.between(to, q));
        self.parts.iter().map(fall).sum()
    }
}
