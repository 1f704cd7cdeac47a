//! The most that flows from one vertex to another.
//!
//! **Problem.** Edges carry up to their weight either way; the largest flow from `s` to `t`, which
//! is the least weight that separates them, and the side of `s`.
//!
//! **Method.** Dinic's: layers by breadth-first search, then ways along them without recursion.
//!
//! **Cost.** O(n² m) at worst, O(m √m) with unit weights; 16 bytes per arc.
//!
//! **Reference.** Dinic, *Algorithm for solution of a problem of maximum flow in networks*, 1970.

use super::units::Units;
use palmette_core::Graph;

/// A graph whose arcs know the arcs back.
pub(super) struct Network<'a> {
    graph: &'a Graph,
    weights: Vec<u64>,
    /// By arc, the arc back.
    back: Vec<usize>,
}

impl<'a> Network<'a> {
    pub(super) fn of(graph: &'a Graph) -> Network<'a> {
        let offsets = graph.offsets();
        let mut next = offsets[..graph.len()].to_vec();
        // Neighbours rise, so each row is come back to in its own order.
        let back = graph.all_neighbours().iter().map(|&u| {
            next[u as usize] += 1;
            next[u as usize] - 1
        });
        let back = back.collect();
        Network { graph, weights: Units::of(graph, f64::INFINITY).weights, back }
    }

    pub(super) fn flow(&self) -> Flow<'_> {
        let n = self.graph.len();
        Flow {
            network: self,
            left: self.weights.clone(),
            layer: vec![0; n],
            next: vec![0; n],
            queue: Vec::with_capacity(n),
        }
    }
}

/// One flow after another.
pub(super) struct Flow<'a> {
    network: &'a Network<'a>,
    /// By arc, what it can still carry.
    left: Vec<u64>,
    /// By vertex, its layer, from 1; 0 if it cannot be reached.
    layer: Vec<u32>,
    /// By vertex, the next arc to try.
    next: Vec<usize>,
    queue: Vec<u32>,
}

impl Flow<'_> {
    /// The largest flow between two different vertices.
    pub(super) fn maximum(&mut self, s: u32, t: u32) -> u64 {
        self.left.copy_from_slice(&self.network.weights);
        let mut flow = 0;
        while self.reach(s, t) {
            self.next.copy_from_slice(&self.network.graph.offsets()[..self.layer.len()]);
            flow += self.block(s, t);
        }
        flow
    }

    /// By vertex, whether it is on the side of `s`, after [`Flow::maximum`].
    pub(super) fn side(&self) -> Vec<bool> {
        self.layer.iter().map(|&layer| layer > 0).collect()
    }

    /// Layers; whether `t` is in one.
    fn reach(&mut self, s: u32, t: u32) -> bool {
        let graph = self.network.graph;
        self.layer.fill(0);
        self.queue.clear();
        self.queue.push(s);
        self.layer[s as usize] = 1;
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            at += 1;
            for arc in graph.offsets()[v as usize]..graph.offsets()[v as usize + 1] {
                let u = graph.all_neighbours()[arc];
                if self.left[arc] > 0 && self.layer[u as usize] == 0 {
                    self.layer[u as usize] = self.layer[v as usize] + 1;
                    if u == t {
                        return true;
                    }
                    self.queue.push(u);
                }
            }
        }
        false
    }

    /// Flows along layers until none is left.
    fn block(&mut self, s: u32, t: u32) -> u64 {
        let graph = self.network.graph;
        let mut total = 0;
        // The arcs from `s` to where we are.
        let mut way: Vec<usize> = Vec::new();
        let mut v = s;
        loop {
            if v == t {
                let most = way.iter().map(|&arc| self.left[arc]).min().expect("s is not t");
                for &arc in &way {
                    self.left[arc] -= most;
                    self.left[self.network.back[arc]] += most;
                }
                total += most;
                let full = way.iter().position(|&arc| self.left[arc] == 0).expect("the least");
                v = graph.all_neighbours()[self.network.back[way[full]]];
                way.truncate(full);
                continue;
            }
            let end = graph.offsets()[v as usize + 1];
            let deeper = (self.next[v as usize]..end).find(|&arc| {
                let u = graph.all_neighbours()[arc] as usize;
                self.left[arc] > 0 && self.layer[u] == self.layer[v as usize] + 1
            });
            self.next[v as usize] = deeper.unwrap_or(end);
            match deeper {
                Some(arc) => {
                    way.push(arc);
                    v = graph.all_neighbours()[arc];
                }
                None => {
                    let Some(arc) = way.pop() else { return total };
                    v = graph.all_neighbours()[self.network.back[arc]];
                    self.next[v as usize] += 1;
                }
            }
        }
    }
}
