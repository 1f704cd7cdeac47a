//! Further weights of vertices: every part keeps a limit for each of them too.
//!
//! What is too heavy is counted in units of the first weight: by as large a share of all of it.

use crate::partition::net::Net;

#[derive(Debug, Clone)]
pub(in crate::partition) struct Further {
    kinds: usize,
    /// By vertex and kind.
    of: Vec<i64>,
    /// By part and kind.
    weights: Vec<i64>,
    limits: Vec<i64>,
    /// The sum of first weights, and by kind of the others.
    total: i64,
    totals: Vec<i64>,
}

impl Further {
    pub(super) fn new(net: &Net, part: &[u32], limits: &[i64]) -> Further {
        let kinds = net.kinds();
        let mut further = Further {
            kinds,
            of: net.more.clone(),
            weights: vec![0; limits.len()],
            limits: limits.to_vec(),
            total: net.weight().max(1),
            totals: net.further_totals(),
        };
        for (v, &p) in part.iter().enumerate() {
            for kind in 0..kinds {
                further.weights[p as usize * kinds + kind] += further.of[v * kinds + kind];
            }
        }
        further
    }

    fn of(&self, v: u32) -> &[i64] {
        &self.of[v as usize * self.kinds..][..self.kinds]
    }

    pub(super) fn fits(&self, v: u32, to: u32) -> bool {
        let at = to as usize * self.kinds;
        let fits = |(kind, weight): (usize, &i64)| {
            self.weights[at + kind] + weight <= self.limits[at + kind] || *weight == 0
        };
        self.of(v).iter().enumerate().all(fits)
    }

    pub(super) fn shift(&mut self, v: u32, from: u32, to: u32) {
        for kind in 0..self.kinds {
            let weight = self.of[v as usize * self.kinds + kind];
            self.weights[from as usize * self.kinds + kind] -= weight;
            self.weights[to as usize * self.kinds + kind] += weight;
        }
    }

    /// By how much a part is too heavy when this is added to a kind of its weights.
    fn over(&self, p: u32, kind: usize, added: i64) -> i64 {
        let at = p as usize * self.kinds + kind;
        let over = (self.weights[at] + added - self.limits[at]).max(0);
        let (total, all) = (i128::from(self.total), i128::from(self.totals[kind].max(1)));
        ((i128::from(over) * total + all - 1) / all) as i64
    }

    pub(super) fn excess(&self, p: u32) -> i64 {
        (0..self.kinds).map(|kind| self.over(p, kind, 0)).sum()
    }

    /// By how much less parts are too heavy after a vertex has moved.
    pub(super) fn relief(&self, v: u32, from: u32, to: u32) -> i64 {
        let of_kind = |(kind, &weight): (usize, &i64)| {
            self.over(from, kind, 0) + self.over(to, kind, 0)
                - self.over(from, kind, -weight)
                - self.over(to, kind, weight)
        };
        self.of(v).iter().enumerate().map(of_kind).sum()
    }
}
