//! The corridor: the vertices around the border of two parts that a flow may move, as a flow
//! network.

use super::Border;
use crate::partition::net::Net;
use crate::partition::refine::Parts;

pub(super) const NOWHERE: u32 = u32::MAX;

/// The freed vertices of two parts, with the flow between the terminals. Local vertex 0 is
/// what is left of the first part, 1 what is left of the second.
#[derive(Default)]
pub(super) struct Corridor {
    /// By vertex of the net: its local number.
    pub(super) local: Vec<u32>,
    pub(super) vertices: Vec<u32>,
    /// By local vertex: its steps from the border, negative in the first part.
    pub(super) depth: Vec<i32>,
    pub(super) offsets: Vec<u32>,
    /// Neighbour, residual capacity, and the entry of the other direction.
    pub(super) arcs: Vec<(u32, i64, u32)>,
    /// By local vertex: the side it belongs to for good; 2 for none.
    pub(super) terminal: Vec<u8>,
    pub(super) reached: [Vec<bool>; 2],
    /// By side: vertices next to those it reaches, and some that it reaches by now.
    pub(super) frontier: [Vec<u32>; 2],
    /// By side: vertices that it reaches, but not for good.
    pub(super) fresh: [Vec<u32>; 2],
    /// By side: the weight of freed vertices that it reaches, and of what is not free.
    pub(super) weights: [i64; 2],
    pub(super) fixed: [i64; 2],
    pub(super) level: Vec<u32>,
    pub(super) next: Vec<u32>,
    pub(super) trail: Vec<u32>,
    pub(super) queue: Vec<u32>,
    /// Where in the queue terminals with arcs left begin.
    pub(super) first: usize,
}

impl Corridor {
    pub(super) fn new(n: usize) -> Corridor {
        Corridor { local: vec![NOWHERE; n], ..Corridor::default() }
    }

    /// Replaces the border by a better one, if there is one. The fall of the cut.
    pub(super) fn improve(
        &mut self,
        net: &Net,
        parts: &mut Parts,
        border: &Border,
        reach: usize,
    ) -> i64 {
        let old = self.free(net, parts, border, reach);
        let gain = if old == 0 { 0 } else { self.solve(net, parts, border, old) };
        self.vertices.drain(..).skip(2).for_each(|v| self.local[v as usize] = NOWHERE);
        gain
    }

    /// Frees vertices around the border and makes the arcs; the weight of the border.
    fn free(&mut self, net: &Net, parts: &Parts, border: &Border, reach: usize) -> i64 {
        let sides = [border.a, border.b];
        let mut left = [reach; 2];
        for (side, left) in sides.iter().zip(&mut left) {
            // Something of each part stays.
            let count = parts.counts[*side as usize];
            let stays = count.div_ceil(8).max(parts.least[*side as usize]).min(count);
            *left = (*left).min((count - stays) as usize);
        }
        self.vertices.clear();
        self.vertices.extend([NOWHERE; 2]);
        self.depth.clear();
        self.depth.extend([0; 2]);
        let mut take = |this: &mut Self, v: u32, depth: i32| {
            let side = usize::from(parts.part[v as usize] == border.b);
            if left[side] > 0 && this.local[v as usize] == NOWHERE && !net.is_fixed(v) {
                left[side] -= 1;
                this.local[v as usize] = this.vertices.len() as u32;
                this.vertices.push(v);
                this.depth.push(if side == 0 { -depth } else { depth });
            }
        };
        for &v in &border.vertices {
            let own = parts.part[v as usize];
            let other = if own == border.a { border.b } else { border.a };
            let touches = |&(w, _): &(u32, u32)| parts.part[w as usize] == other;
            if sides.contains(&own) && net.row(v).iter().any(touches) {
                take(self, v, 1);
            }
        }
        let mut next = 2;
        while next < self.vertices.len() {
            let (v, depth) = (self.vertices[next], self.depth[next].abs() + 1);
            let own = parts.part[v as usize];
            for &(w, _) in net.row(v) {
                if parts.part[w as usize] == own {
                    take(self, w, depth);
                }
            }
            next += 1;
        }
        self.connect(net, parts, border)
    }

    /// Makes the arcs of the corridor; the weight of the border.
    fn connect(&mut self, net: &Net, parts: &Parts, border: &Border) -> i64 {
        let n = self.vertices.len();
        self.offsets.clear();
        self.offsets.resize(n + 1, 0);
        let mut links: Vec<(u32, u32, i64)> = Vec::new();
        let mut old = 0;
        for i in 2..n as u32 {
            let v = self.vertices[i as usize];
            let own = parts.part[v as usize];
            let mut rest = [0; 2];
            for &(w, weight) in net.row(v) {
                let other = parts.part[w as usize];
                if other != border.a && other != border.b {
                    continue;
                }
                let j = self.local[w as usize];
                let weight = i64::from(weight);
                if j == NOWHERE {
                    rest[usize::from(other == border.b)] += weight;
                    old += if other == own { 0 } else { weight };
                } else if i < j {
                    links.push((i, j, weight));
                    old += if other == own { 0 } else { weight };
                }
            }
            let terminals = rest.into_iter().zip([0, 1]).filter(|r| r.0 > 0);
            links.extend(terminals.map(|(weight, terminal)| (terminal, i, weight)));
        }
        // Not `lists::offsets`: four bytes each, in a buffer that all corridors share.
        for &(i, j, _) in &links {
            self.offsets[i as usize + 1] += 1;
            self.offsets[j as usize + 1] += 1;
        }
        (0..n).for_each(|i| self.offsets[i + 1] += self.offsets[i]);
        let mut free = self.offsets.clone();
        self.arcs.clear();
        self.arcs.resize(2 * links.len(), (0, 0, 0));
        for (i, j, weight) in links {
            let (there, back) = (free[i as usize], free[j as usize]);
            self.arcs[there as usize] = (j, weight, back);
            self.arcs[back as usize] = (i, weight, there);
            free[i as usize] += 1;
            free[j as usize] += 1;
        }
        self.terminal.clear();
        self.terminal.resize(n, 2);
        (self.terminal[0], self.terminal[1]) = (0, 1);
        self.fixed = [parts.weights[border.a as usize], parts.weights[border.b as usize]];
        for &v in &self.vertices[2..] {
            let side = usize::from(parts.part[v as usize] == border.b);
            self.fixed[side] -= net.weights[v as usize];
        }
        old
    }
}
