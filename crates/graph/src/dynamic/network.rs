//! A graph whose edges come and go: lists of edges by vertex, and edges by their ends.
//!
//! **Method.** An edge has two sides, one at each end, in a doubly linked list of that end: one list for
//! the forest and one for the rest, so that a search of the forest sees nothing else. A table finds
//! edges by their ends. Numbers of deleted edges are used again.
//!
//! **Cost.** Constant per change; 60 bytes per edge.

use crate::sparsify::Sparsifier;
use palmette_core::{Graph, NONE};
use rustc_hash::FxHashMap;

/// What an edge is to the skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tree = 0,
    Recovered = 1,
    Off = 2,
    /// Not an edge.
    Gone = 3,
}

#[derive(Debug, Clone)]
pub(super) struct Network {
    ends: Vec<[u32; 2]>,
    weights: Vec<f64>,
    kinds: Vec<Kind>,
    /// By vertex, the first side of the forest and of the rest.
    heads: Vec<[u32; 2]>,
    /// By side, those before and after it.
    links: Vec<[u32; 2]>,
    table: FxHashMap<u64, u32>,
    free: Vec<u32>,
    counts: [usize; 4],
}

fn key(a: u32, b: u32) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Which list of a vertex.
fn list(kind: Kind) -> usize {
    usize::from(kind != Kind::Tree)
}

impl Network {
    pub(super) fn new(graph: &Graph, skeleton: &Sparsifier) -> Network {
        let m = graph.edge_count();
        let mut table = FxHashMap::default();
        table.reserve(m);
        let mut network = Network {
            ends: Vec::with_capacity(m),
            weights: Vec::with_capacity(m),
            kinds: Vec::with_capacity(m),
            heads: vec![[NONE; 2]; graph.len()],
            links: Vec::with_capacity(2 * m),
            table,
            free: Vec::new(),
            counts: [0; 4],
        };
        for (a, b, weight) in graph.edges() {
            network.insert(a, b, weight, Kind::Off);
        }
        for (kept, kind) in [(&skeleton.tree, Kind::Tree), (&skeleton.recovered, Kind::Recovered)] {
            for &(a, b) in kept {
                let edge = network.find(a, b).expect("a skeleton is part of its graph");
                network.set_kind(edge, kind);
            }
        }
        network
    }

    pub(super) fn vertices(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.counts[..3].iter().sum()
    }

    pub(super) fn count(&self, kind: Kind) -> usize {
        self.counts[kind as usize]
    }

    pub(super) fn find(&self, a: u32, b: u32) -> Option<u32> {
        self.table.get(&key(a, b)).copied()
    }

    /// Numbers that edges may have.
    pub(super) fn numbers(&self) -> std::ops::Range<u32> {
        0..self.ends.len() as u32
    }

    pub(super) fn kind(&self, edge: u32) -> Kind {
        self.kinds[edge as usize]
    }

    pub(super) fn edge(&self, edge: u32) -> (u32, u32, f64) {
        let [a, b] = self.ends[edge as usize];
        (a, b, self.weights[edge as usize])
    }

    pub(super) fn set_weight(&mut self, edge: u32, weight: f64) {
        self.weights[edge as usize] = weight;
    }

    pub(super) fn insert(&mut self, a: u32, b: u32, weight: f64, kind: Kind) -> u32 {
        let ends = [a.min(b), a.max(b)];
        let edge = match self.free.pop() {
            Some(edge) => {
                self.ends[edge as usize] = ends;
                self.weights[edge as usize] = weight;
                self.kinds[edge as usize] = kind;
                edge
            }
            None => {
                self.ends.push(ends);
                self.weights.push(weight);
                self.kinds.push(kind);
                self.links.extend([[NONE; 2]; 2]);
                self.ends.len() as u32 - 1
            }
        };
        self.table.insert(key(a, b), edge);
        self.enter(edge);
        edge
    }

    pub(super) fn remove(&mut self, edge: u32) {
        self.leave(edge);
        let [a, b] = self.ends[edge as usize];
        self.table.remove(&key(a, b));
        self.kinds[edge as usize] = Kind::Gone;
        self.free.push(edge);
    }

    pub(super) fn set_kind(&mut self, edge: u32, kind: Kind) {
        self.leave(edge);
        self.kinds[edge as usize] = kind;
        self.enter(edge);
    }

    fn enter(&mut self, edge: u32) {
        let kind = self.kinds[edge as usize];
        self.counts[kind as usize] += 1;
        for side in [2 * edge, 2 * edge + 1] {
            let end = self.ends[edge as usize][(side & 1) as usize];
            let head = &mut self.heads[end as usize][list(kind)];
            let next = std::mem::replace(head, side);
            self.links[side as usize] = [NONE, next];
            if next != NONE {
                self.links[next as usize][0] = side;
            }
        }
    }

    fn leave(&mut self, edge: u32) {
        let kind = self.kinds[edge as usize];
        self.counts[kind as usize] -= 1;
        for side in [2 * edge, 2 * edge + 1] {
            let [before, next] = self.links[side as usize];
            let end = self.ends[edge as usize][(side & 1) as usize];
            match before {
                NONE => self.heads[end as usize][list(kind)] = next,
                before => self.links[before as usize][1] = next,
            }
            if next != NONE {
                self.links[next as usize][0] = before;
            }
        }
    }

    /// Edges at a vertex with their other ends: of the forest, or the rest.
    pub(super) fn at(&self, v: u32, of_forest: bool) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut side = self.heads[v as usize][usize::from(!of_forest)];
        std::iter::from_fn(move || {
            let now = (side != NONE).then_some(side)?;
            side = self.links[now as usize][1];
            Some((now / 2, self.ends[now as usize / 2][(now & 1 ^ 1) as usize]))
        })
    }

    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (u32, u32)> + '_ {
        let some = self.ends.iter().zip(&self.kinds).filter(move |(_, of)| **of == kind);
        some.map(|([a, b], _)| (*a, *b))
    }

    /// Edges of some kinds, in the order of their numbers.
    pub(super) fn edges(&self, wanted: impl Fn(Kind) -> bool) -> Vec<(u32, u32, f64)> {
        let there = |&edge: &u32| self.kind(edge) != Kind::Gone && wanted(self.kind(edge));
        self.numbers().filter(there).map(|edge| self.edge(edge)).collect()
    }

    pub(super) fn graph(&self, wanted: impl Fn(Kind) -> bool) -> Graph {
        Graph::from_edges(self.vertices(), &self.edges(wanted)).expect("edges were checked")
    }
}
