//! The smallest balanced cut through a corridor.
//!
//! **Method.** Dinic's maximum flow between the two sides. If the minimum cut is not balanced, the
//! lighter side takes one more vertex, and the flow goes on from where it was.

use super::Border;
use super::corridor::{Corridor, NOWHERE};
use crate::partition::net::Net;
use crate::partition::refine::Parts;
use std::cmp::Reverse;

impl Corridor {
    /// Looks for a balanced cut that is smaller than the old one and takes it; the fall of
    /// the cut. Where a part is too heavy, a cut as small as the old one is taken too.
    pub(super) fn solve(&mut self, net: &Net, parts: &mut Parts, border: &Border, old: i64) -> i64 {
        let limits = [parts.limits[border.a as usize], parts.limits[border.b as usize]];
        let total = parts.weights[border.a as usize] + parts.weights[border.b as usize];
        let heavy = parts.excess(border.a) + parts.excess(border.b) > 0;
        let mut flow = self.augment(old);
        if flow > old || (flow == old && !heavy) {
            return 0;
        }
        self.restart(net, 0);
        self.restart(net, 1);
        loop {
            let weights = [self.weights[0] + self.fixed[0], self.weights[1] + self.fixed[1]];
            for side in [0, 1] {
                if weights[side] <= limits[side] && total - weights[side] <= limits[1 - side] {
                    self.take(net, parts, border, side);
                    return old - flow;
                }
            }
            let lighter = usize::from(weights[1] * limits[0] < weights[0] * limits[1]);
            let Some(j) = self.pierce(lighter) else { return 0 };
            if self.reached[1 - lighter][j as usize] {
                flow += self.augment_from(j, lighter, old - flow);
                if flow > old || (flow == old && !heavy) {
                    return 0;
                }
                self.restart(net, 1 - lighter);
            }
            // What the side reached before, no path of the new flow has touched.
            self.reached[lighter][j as usize] = true;
            self.queue.clear();
            self.queue.push(j);
            self.weights[lighter] += self.reach(net, lighter);
        }
    }

    /// Flow through a vertex that has joined a side, along shortest paths to the other side's
    /// terminals, until it is more than `most`.
    fn augment_from(&mut self, start: u32, side: usize, most: i64) -> i64 {
        let mut flow = 0;
        while flow <= most {
            // By vertex: the arc by which it was found.
            self.level.clear();
            self.level.resize(self.vertices.len(), NOWHERE);
            self.level[start as usize] = 0;
            self.queue.clear();
            self.queue.push(start);
            let mut head = 0;
            let mut end = None;
            'search: while let Some(&i) = self.queue.get(head) {
                head += 1;
                for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                    let (j, capacity, back) = self.arcs[arc as usize];
                    let spare = if side == 0 { capacity } else { self.arcs[back as usize].1 };
                    let new = self.level[j as usize] == NOWHERE
                        && self.terminal[j as usize] != side as u8;
                    if spare > 0 && new {
                        self.level[j as usize] = if side == 0 { arc } else { back };
                        if self.terminal[j as usize] == 1 - side as u8 {
                            end = Some(j);
                            break 'search;
                        }
                        self.queue.push(j);
                    }
                }
            }
            let Some(mut at) = end else { return flow };
            self.trail.clear();
            while at != start {
                let arc = self.level[at as usize];
                self.trail.push(arc);
                let back = self.arcs[arc as usize].2;
                at = self.arcs[if side == 0 { back } else { arc } as usize].0;
            }
            flow += self.push();
        }
        flow
    }

    /// More flow between the terminals (Dinic), until it is more than `most`.
    fn augment(&mut self, most: i64) -> i64 {
        let mut flow = 0;
        while flow <= most && self.levels() {
            self.next.clear();
            self.next.extend_from_slice(&self.offsets);
            self.first = 0;
            while flow <= most {
                match self.path() {
                    0 => break,
                    pushed => flow += pushed,
                }
            }
        }
        flow
    }

    /// Steps from the first side's terminals along arcs with capacity; whether the second
    /// side's are reached.
    fn levels(&mut self) -> bool {
        let n = self.vertices.len();
        self.level.clear();
        self.level.resize(n, NOWHERE);
        self.queue.clear();
        for i in 0..n as u32 {
            if self.terminal[i as usize] == 0 {
                self.level[i as usize] = 0;
                self.queue.push(i);
            }
        }
        let mut found = false;
        let mut head = 0;
        let mut last = NOWHERE;
        while let Some(&i) = self.queue.get(head) {
            head += 1;
            let level = self.level[i as usize] + 1;
            if level > last {
                break;
            }
            for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                let (j, capacity, _) = self.arcs[arc as usize];
                if capacity > 0 && self.level[j as usize] == NOWHERE {
                    self.level[j as usize] = level;
                    if self.terminal[j as usize] == 1 {
                        (found, last) = (true, level);
                    }
                    self.queue.push(j);
                }
            }
        }
        found
    }

    /// Pushes along one path of rising levels; 0 when there is none left. Arcs that lead
    /// nowhere are not looked at again.
    fn path(&mut self) -> i64 {
        while let Some(start) = self.start() {
            self.trail.clear();
            let mut at = start;
            loop {
                if self.terminal[at as usize] == 1 {
                    return self.push();
                }
                match self.step(at) {
                    Some(arc) => {
                        self.trail.push(arc);
                        at = self.arcs[arc as usize].0;
                    }
                    None => match self.trail.pop() {
                        Some(arc) => {
                            let back = self.arcs[arc as usize].2;
                            at = self.arcs[back as usize].0;
                            self.next[at as usize] += 1;
                        }
                        None => break,
                    },
                }
            }
        }
        0
    }

    /// A terminal of the first side with arcs left.
    fn start(&mut self) -> Option<u32> {
        while let Some(&i) = self.queue.get(self.first) {
            if self.level[i as usize] != 0 {
                break;
            }
            if self.step(i).is_some() {
                return Some(i);
            }
            self.first += 1;
        }
        None
    }

    /// The next useful arc of a vertex.
    fn step(&mut self, i: u32) -> Option<u32> {
        let end = self.offsets[i as usize + 1];
        while self.next[i as usize] < end {
            let arc = self.next[i as usize];
            let (j, capacity, _) = self.arcs[arc as usize];
            if capacity > 0 && self.level[j as usize] == self.level[i as usize] + 1 {
                return Some(arc);
            }
            self.next[i as usize] += 1;
        }
        None
    }

    /// Pushes all that the path of the trail takes.
    fn push(&mut self) -> i64 {
        let most = self.trail.iter().map(|&arc| self.arcs[arc as usize].1).min().unwrap_or(0);
        for &arc in &self.trail {
            let back = self.arcs[arc as usize].2;
            self.arcs[arc as usize].1 -= most;
            self.arcs[back as usize].1 += most;
        }
        most
    }

    /// Finds anew what a side's terminals reach, and its weight.
    fn restart(&mut self, net: &Net, side: usize) {
        let n = self.vertices.len();
        self.reached[side].clear();
        self.reached[side].resize(n, false);
        self.frontier[side].clear();
        self.fresh[side].clear();
        self.queue.clear();
        for i in 0..n as u32 {
            if self.terminal[i as usize] == side as u8 {
                self.reached[side][i as usize] = true;
                self.queue.push(i);
            }
        }
        self.weights[side] = self.reach(net, side);
    }

    /// Adds all that vertices of the queue reach with capacity to spare: along arcs from the
    /// first side, against them from the second. The weight of all that is in the queue then.
    fn reach(&mut self, net: &Net, side: usize) -> i64 {
        let mut head = 0;
        let mut weight = 0;
        while let Some(&i) = self.queue.get(head) {
            head += 1;
            weight += if i < 2 { 0 } else { net.weights[self.vertices[i as usize] as usize] };
            for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                let (j, capacity, back) = self.arcs[arc as usize];
                if self.reached[side][j as usize] {
                    continue;
                }
                let spare = if side == 0 { capacity } else { self.arcs[back as usize].1 };
                if spare > 0 {
                    self.reached[side][j as usize] = true;
                    self.fresh[side].push(j);
                    self.queue.push(j);
                } else {
                    self.frontier[side].push(j);
                }
            }
        }
        weight
    }

    /// A side keeps what it reaches, and one vertex beyond: if possible one that the other
    /// side does not reach, so that the cut grows no larger, else the one that was deepest in
    /// this side's part. `None` when there is no such vertex.
    fn pierce(&mut self, side: usize) -> Option<u32> {
        let other = 1 - side;
        for i in self.fresh[side].drain(..) {
            self.terminal[i as usize] = side as u8;
        }
        let mut best: Option<((bool, i32), Reverse<u32>)> = None;
        let mut frontier = std::mem::take(&mut self.frontier[side]);
        frontier.retain(|&j| {
            let keep = !self.reached[side][j as usize] && self.terminal[j as usize] != other as u8;
            if keep {
                let depth = self.depth[j as usize];
                let inwards = if side == 0 { -depth } else { depth };
                best = best.max(Some(((!self.reached[other][j as usize], inwards), Reverse(j))));
            }
            keep
        });
        self.frontier[side] = frontier;
        let (_, Reverse(j)) = best?;
        self.terminal[j as usize] = side as u8;
        Some(j)
    }

    /// The side gets what it reaches, the other side the rest.
    fn take(&self, net: &Net, parts: &mut Parts, border: &Border, side: usize) {
        let sides = [border.a, border.b];
        for (i, &v) in self.vertices.iter().enumerate().skip(2) {
            let to = if self.reached[side][i] { sides[side] } else { sides[1 - side] };
            if parts.part[v as usize] != to {
                parts.shift(v, to, net.weights[v as usize]);
            }
        }
    }
}
