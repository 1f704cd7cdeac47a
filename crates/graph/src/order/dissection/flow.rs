//! The lightest separator in a band around another one.
//!
//! **Problem.** Sides with a separator, and how heavy a side may be; out comes a separator that is not
//! heavier, and the lightest of all those in a band: on both sides the vertices nearest to the old
//! one, as many as a side may lose.
//!
//! **Method.** A largest flow through vertices from what is left of one side to what is left of the other
//! (Dinic): a vertex takes as much flow as it weighs, an edge any. The vertices that it fills up
//! have lightest separators among them (Menger); of those the one with the most even sides is taken.
//!
//! **Cost.** Some breadth-first searches of the band, tens as a rule.
//!
//! **Reference.** Menger, 1927; Dinic, *Algorithm for solution of a problem of maximum flow in networks
//! with power estimation*, 1970; Ashcraft, Liu, *Applications of the Dulmage–Mendelsohn decomposition and
//! network flow to graph bisection improvement*, 1998.

use super::net::Net;
use super::sides::{BETWEEN, Sides};
use palmette_core::NONE;

/// As a level: on the sink's side.
const SINK: u32 = NONE - 1;

/// A vertex of the band is two nodes of the flow, `2 i` where flow comes in and `2 i + 1` where it
/// goes out. The next two are the ends.
#[derive(Debug, Default)]
pub(super) struct Band {
    /// By vertex of the net: its place in the band.
    place: Vec<u32>,
    vertices: Vec<u32>,
    /// By node: where its arcs begin.
    offsets: Vec<u32>,
    /// The node that an arc leads to, what it can take, and its place in the other direction.
    heads: Vec<u32>,
    spare: Vec<u32>,
    backs: Vec<u32>,
    level: Vec<u32>,
    next: Vec<u32>,
    queue: Vec<u32>,
    trail: Vec<u32>,
}

impl Band {
    pub(super) fn new(vertices: usize) -> Band {
        Band { place: vec![NONE; vertices], ..Band::default() }
    }

    /// Takes a better separator, if the band has one.
    pub(super) fn improve(
        &mut self,
        net: &Net,
        sides: &mut Sides,
        limit: u64,
        most: usize,
    ) -> bool {
        let [a, b, between] = sides.weights;
        if a.max(b) > limit || a == 0 || b == 0 {
            return false;
        }
        let better = self.free(net, sides, limit, most) && {
            self.connect(net, sides);
            let flow = self.fill();
            debug_assert!(flow <= between);
            self.take(net, sides, limit, flow)
        };
        self.vertices.iter().for_each(|&v| self.place[v as usize] = NONE);
        better
    }

    /// The vertices of the band; `false` if a side would be all in it.
    fn free(&mut self, net: &Net, sides: &Sides, limit: u64, most: usize) -> bool {
        self.vertices.clear();
        self.vertices.extend_from_slice(&sides.separator);
        for (i, &v) in self.vertices.iter().enumerate() {
            self.place[v as usize] = i as u32;
        }
        for side in [0, 1] {
            // What one side loses, the other side may get, and all of the separator with it.
            let other = sides.weights[1 - side] + sides.weights[2];
            let room = limit.saturating_sub(other).min(sides.weights[side] / 2);
            let (mut left, mut count) = (room, most);
            let (separator, start) = (sides.separator.len(), self.vertices.len());
            let mut take = |this: &mut Band, v: u32| {
                for &w in net.row(v) {
                    let weight = u64::from(net.weights[w as usize]);
                    if sides.of[w as usize] == side as u8
                        && this.place[w as usize] == NONE
                        && weight <= left
                        && count > 0
                    {
                        left -= weight;
                        count -= 1;
                        this.place[w as usize] = this.vertices.len() as u32;
                        this.vertices.push(w);
                    }
                }
            };
            for i in 0..separator {
                take(self, self.vertices[i]);
            }
            let mut next = start;
            while let Some(&v) = self.vertices.get(next) {
                next += 1;
                take(self, v);
            }
        }
        self.vertices.len() > sides.separator.len()
    }

    fn connect(&mut self, net: &Net, sides: &Sides) {
        let count = self.vertices.len() as u32;
        let ends = [2 * count, 2 * count + 1];
        // Arcs from the node that is written first.
        let mut arcs: Vec<(u32, u32, u32)> = Vec::new();
        for (i, &v) in (0..).zip(&self.vertices) {
            arcs.push((2 * i, 2 * i + 1, net.weights[v as usize]));
            let mut beyond = [false; 2];
            for &w in net.row(v) {
                match self.place[w as usize] {
                    NONE => beyond[sides.of[w as usize] as usize & 1] = true,
                    j => arcs.push((2 * i + 1, 2 * j, u32::MAX / 2)),
                }
            }
            if beyond[0] {
                arcs.push((ends[0], 2 * i, u32::MAX / 2));
            }
            if beyond[1] {
                arcs.push((2 * i + 1, ends[1], u32::MAX / 2));
            }
        }
        let nodes = 2 * count as usize + 2;
        self.offsets.clear();
        self.offsets.resize(nodes + 1, 0);
        for &(from, to, _) in &arcs {
            self.offsets[from as usize + 1] += 1;
            self.offsets[to as usize + 1] += 1;
        }
        (0..nodes).for_each(|i| self.offsets[i + 1] += self.offsets[i]);
        let mut free = self.offsets.clone();
        for list in [&mut self.heads, &mut self.spare, &mut self.backs] {
            list.clear();
            list.resize(2 * arcs.len(), 0);
        }
        for (from, to, most) in arcs {
            let (there, back) = (free[from as usize], free[to as usize]);
            free[from as usize] += 1;
            free[to as usize] += 1;
            (self.heads[there as usize], self.heads[back as usize]) = (to, from);
            self.spare[there as usize] = most;
            (self.backs[there as usize], self.backs[back as usize]) = (back, there);
        }
    }

    fn source(&self) -> u32 {
        2 * self.vertices.len() as u32
    }

    /// The largest flow.
    fn fill(&mut self) -> u64 {
        let mut flow = 0;
        while self.levels() {
            self.next.clear();
            self.next.extend_from_slice(&self.offsets);
            loop {
                match self.path() {
                    0 => break,
                    pushed => flow += u64::from(pushed),
                }
            }
        }
        flow
    }

    /// Steps from the source along arcs with something to spare; whether the sink is reached.
    fn levels(&mut self) -> bool {
        let (source, sink) = (self.source(), self.source() + 1);
        self.level.clear();
        self.level.resize(sink as usize + 1, NONE);
        self.level[source as usize] = 0;
        self.queue.clear();
        self.queue.push(source);
        let mut head = 0;
        while let Some(&i) = self.queue.get(head) {
            head += 1;
            let level = self.level[i as usize] + 1;
            for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                let j = self.heads[arc as usize];
                if self.spare[arc as usize] > 0 && self.level[j as usize] == NONE {
                    self.level[j as usize] = level;
                    if j == sink {
                        return true;
                    }
                    self.queue.push(j);
                }
            }
        }
        false
    }

    /// Pushes along one path of rising levels; 0 when there is none left.
    fn path(&mut self) -> u32 {
        let (source, sink) = (self.source(), self.source() + 1);
        self.trail.clear();
        let mut at = source;
        while at != sink {
            let end = self.offsets[at as usize + 1];
            let next = &mut self.next[at as usize];
            while *next < end {
                let arc = *next as usize;
                let up = self.level[self.heads[arc] as usize] == self.level[at as usize] + 1;
                if up && self.spare[arc] > 0 {
                    break;
                }
                *next += 1;
            }
            if *next < end {
                self.trail.push(*next);
                at = self.heads[*next as usize];
            } else {
                let Some(arc) = self.trail.pop() else { return 0 };
                at = self.heads[self.backs[arc as usize] as usize];
                self.next[at as usize] += 1;
            }
        }
        let spare = |&arc: &u32| self.spare[arc as usize];
        let most = self.trail.iter().map(spare).min().unwrap_or(0);
        for &arc in &self.trail {
            self.spare[arc as usize] -= most;
            self.spare[self.backs[arc as usize] as usize] += most;
        }
        most
    }

    /// Marks the nodes from which flow could still get to the sink.
    fn mark_sink_side(&mut self) {
        let sink = self.source() + 1;
        self.level.clear();
        self.level.resize(sink as usize + 1, NONE);
        self.level[sink as usize] = SINK;
        self.queue.clear();
        self.queue.push(sink);
        let mut head = 0;
        while let Some(&i) = self.queue.get(head) {
            head += 1;
            for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                let j = self.heads[arc as usize];
                let along = self.backs[arc as usize];
                if self.spare[along as usize] > 0 && self.level[j as usize] == NONE {
                    self.level[j as usize] = SINK;
                    self.queue.push(j);
                }
            }
        }
    }

    /// Takes the best of the lightest separators that it sees, if it is better than the old one. Sides
    /// of the source are closed sets of nodes: the smallest is what the flow still reaches; a vertex of
    /// the separator that leads to no node of the sink's side joins it, with all that it reaches.
    fn take(&mut self, net: &Net, sides: &mut Sides, limit: u64, flow: u64) -> bool {
        self.mark_sink_side();
        let source = self.source();
        let total: u64 = sides.weights.iter().sum();
        let inside = |v: &u32| sides.of[*v as usize] == 0;
        let freed = self.vertices.iter().filter(|v| inside(v));
        let freed: u64 = freed.map(|&v| u64::from(net.weights[v as usize])).sum();
        let mut first = sides.weights[0] - freed;
        let old = sides.score(limit);
        let mut best = (old, 0);
        // Nodes of the source's side, and vertices of which only the first node is among them.
        self.queue.clear();
        self.queue.push(source);
        self.level[source as usize] = 0;
        self.trail.clear();
        let (mut head, mut next) = (0, 0);
        loop {
            while let Some(&i) = self.queue.get(head) {
                head += 1;
                if i % 2 == 1 {
                    first += u64::from(net.weights[self.vertices[i as usize / 2] as usize]);
                } else if i != source && self.level[i as usize + 1] != 0 {
                    self.trail.push(i + 1);
                }
                for arc in self.offsets[i as usize]..self.offsets[i as usize + 1] {
                    let j = self.heads[arc as usize];
                    if self.spare[arc as usize] > 0 && self.level[j as usize] == NONE {
                        self.level[j as usize] = 0;
                        self.queue.push(j);
                    }
                }
            }
            let weights = [first, total - first - flow, flow];
            let score = Sides::score_of(weights, limit);
            if score < best.0 {
                best = (score, head);
            } else if first > total / 2 {
                break;
            }
            let open = |out: &&u32| self.level[**out as usize] == NONE;
            match self.trail[next..].iter().position(|out| open(&out)) {
                None => break,
                Some(skipped) => {
                    next += skipped + 1;
                    let out = self.trail[next - 1];
                    self.level[out as usize] = 0;
                    self.queue.push(out);
                }
            }
        }
        if best.1 == 0 {
            return false;
        }
        self.level.fill(NONE);
        self.queue[..best.1].iter().for_each(|&i| self.level[i as usize] = 0);
        let is_in = |node: usize| self.level[node] == 0;
        sides.separator.clear();
        for (i, &v) in self.vertices.iter().enumerate() {
            let side = match (is_in(2 * i), is_in(2 * i + 1)) {
                (_, true) => 0,
                (true, false) => BETWEEN,
                (false, false) => 1,
            };
            let weight = u64::from(net.weights[v as usize]);
            sides.weights[sides.of[v as usize] as usize] -= weight;
            sides.weights[side as usize] += weight;
            sides.of[v as usize] = side;
            if side == BETWEEN {
                sides.separator.push(v);
            }
        }
        true
    }
}
