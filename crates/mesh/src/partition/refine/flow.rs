//! Better borders between two parts at a time, by smallest cuts.
//!
//! **Method.** Around the border of two parts a corridor is freed; what is left of each
//! part is a terminal. The smallest cut between them replaces the border if it leaves
//! neither part too heavy. If it does, the lighter side takes all it can reach and one
//! vertex more, and the flow goes on from where it is, until a cut is balanced or as
//! large as the border was.
//!
//! **Cost.** For a pair: the size of the corridor times the number of vertices taken.
//!
//! **Reference.** Hamann, Strasser, *Graph bisection with Pareto optimization*, 2018;
//! Gottesbüren et al., *Advanced flow-based multilevel hypergraph partitioning*, 2020.

use super::Parts;
use crate::partition::net::Net;
use palmette_core::random::Random;
use std::cmp::Reverse;

const NOWHERE: u32 = u32::MAX;

/// Improves the borders of all pairs of parts that touch, until none changes or `rounds` are
/// done. `reach` is the most vertices of a part that are freed at once. The fall of the cut.
pub(in crate::partition) fn improve(
    net: &Net,
    parts: &mut Parts,
    reach: usize,
    rounds: usize,
    random: &mut Random,
) -> i64 {
    let count = parts.limits.len();
    let mut changed = vec![true; count];
    let mut corridor = Corridor::new(net.len());
    let mut total = 0;
    for _ in 0..rounds {
        let mut borders = borders(net, parts);
        borders.retain(|b| changed[b.a as usize] || changed[b.b as usize]);
        changed.fill(false);
        random.shuffle(&mut borders);
        let mut fall = 0;
        for border in &borders {
            let gain = corridor.improve(net, parts, border, reach);
            if gain > 0 {
                changed[border.a as usize] = true;
                changed[border.b as usize] = true;
            }
            fall += gain;
        }
        total += fall;
        if fall == 0 {
            break;
        }
    }
    total
}

/// Two parts and the vertices at their border when it was looked for.
struct Border {
    a: u32,
    b: u32,
    vertices: Vec<u32>,
}

fn borders(net: &Net, parts: &Parts) -> Vec<Border> {
    let mut found: Vec<(u32, u32, u32)> = Vec::new();
    for v in 0..net.len() as u32 {
        let own = parts.part[v as usize];
        for &(w, _) in net.row(v) {
            let other = parts.part[w as usize];
            if own != other {
                found.push((own.min(other), own.max(other), v));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let pairs = found.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1));
    let border = |pair: &[(u32, u32, u32)]| Border {
        a: pair[0].0,
        b: pair[0].1,
        vertices: pair.iter().map(|x| x.2).collect(),
    };
    pairs.map(border).collect()
}

/// The freed vertices of two parts, with the flow between the terminals. Local vertex 0 is
/// what is left of the first part, 1 what is left of the second.
struct Corridor {
    /// By vertex of the net: its local number.
    local: Vec<u32>,
    vertices: Vec<u32>,
    /// By local vertex: its steps from the border, negative in the first part.
    depth: Vec<i32>,
    offsets: Vec<u32>,
    /// Neighbour, residual capacity, and the entry of the other direction.
    arcs: Vec<(u32, i64, u32)>,
    /// By local vertex: the side it belongs to for good; 2 for none.
    terminal: Vec<u8>,
    reached: [Vec<bool>; 2],
    /// By side: vertices next to those it reaches, and some that it reaches by now.
    frontier: [Vec<u32>; 2],
    /// By side: vertices that it reaches, but not for good.
    fresh: [Vec<u32>; 2],
    /// By side: the weight of freed vertices that it reaches, and of what is not free.
    weights: [i64; 2],
    fixed: [i64; 2],
    level: Vec<u32>,
    next: Vec<u32>,
    trail: Vec<u32>,
    queue: Vec<u32>,
    /// Where in the queue terminals with arcs left begin.
    first: usize,
}

impl Corridor {
    fn new(n: usize) -> Corridor {
        Corridor {
            local: vec![NOWHERE; n],
            vertices: Vec::new(),
            depth: Vec::new(),
            offsets: Vec::new(),
            arcs: Vec::new(),
            terminal: Vec::new(),
            reached: [Vec::new(), Vec::new()],
            frontier: [Vec::new(), Vec::new()],
            fresh: [Vec::new(), Vec::new()],
            weights: [0; 2],
            fixed: [0; 2],
            level: Vec::new(),
            next: Vec::new(),
            trail: Vec::new(),
            queue: Vec::new(),
            first: 0,
        }
    }

    /// Replaces the border by a better one, if there is one. The fall of the cut.
    fn improve(&mut self, net: &Net, parts: &mut Parts, border: &Border, reach: usize) -> i64 {
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
            if left[side] > 0 && this.local[v as usize] == NOWHERE {
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

    /// Looks for a balanced cut that is smaller than the old one and takes it; the fall of
    /// the cut. Where a part is too heavy, a cut as small as the old one is taken too.
    fn solve(&mut self, net: &Net, parts: &mut Parts, border: &Border, old: i64) -> i64 {
        let limits = [parts.limits[border.a as usize], parts.limits[border.b as usize]];
        let total = parts.weights[border.a as usize] + parts.weights[border.b as usize];
        let heavy = parts.excess(border.a) + parts.excess(border.b) > 0;
        let mut flow = 0;
        let mut moved = true;
        loop {
            if moved {
                flow += self.augment(old - flow);
                if flow > old || (flow == old && !heavy) {
                    return 0;
                }
                self.restart(0);
                self.restart(1);
                self.weights = [0; 2];
                for (i, &v) in self.vertices.iter().enumerate().skip(2) {
                    let weight = net.weights[v as usize];
                    (0..2).for_each(|s| {
                        self.weights[s] += if self.reached[s][i] { weight } else { 0 }
                    });
                }
            }
            let weights = [self.weights[0] + self.fixed[0], self.weights[1] + self.fixed[1]];
            for side in [0, 1] {
                if weights[side] <= limits[side] && total - weights[side] <= limits[1 - side] {
                    self.take(net, parts, border, side);
                    return old - flow;
                }
            }
            let lighter = usize::from(weights[1] * limits[0] < weights[0] * limits[1]);
            match self.pierce(net, lighter) {
                Some(joined) => moved = joined,
                None => return 0,
            }
        }
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

    /// Finds anew what a side's terminals reach.
    fn restart(&mut self, side: usize) {
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
        self.reach(side);
    }

    /// Adds all that vertices of the queue reach with capacity to spare: along arcs from the
    /// first side, against them from the second. The queue then has all that was added.
    fn reach(&mut self, side: usize) {
        let mut head = 0;
        while let Some(&i) = self.queue.get(head) {
            head += 1;
            for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                let (j, capacity, back) = self.arcs[arc as usize];
                let spare = if side == 0 { capacity } else { self.arcs[back as usize].1 };
                if self.reached[side][j as usize] {
                    continue;
                }
                if spare > 0 {
                    self.reached[side][j as usize] = true;
                    self.fresh[side].push(j);
                    self.queue.push(j);
                } else {
                    self.frontier[side].push(j);
                }
            }
        }
    }

    /// A side keeps what it reaches, and one vertex beyond: if possible one that the other
    /// side does not reach, so that the cut grows no larger, else the one that was deepest in
    /// this side's part. Whether it now reaches the other side's terminals; `None` when there
    /// is no such vertex.
    fn pierce(&mut self, net: &Net, side: usize) -> Option<bool> {
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
        self.reached[side][j as usize] = true;
        if self.reached[other][j as usize] {
            return Some(true);
        }
        self.queue.clear();
        self.queue.push(j);
        self.reach(side);
        let added = self.queue.iter().map(|&i| net.weights[self.vertices[i as usize] as usize]);
        self.weights[side] += added.sum::<i64>();
        Some(false)
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
