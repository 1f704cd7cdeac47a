//! A graph whose vertices are groups of vertices of another one.
//!
//! **Problem.** Vertices that no better cut separates become one: contraction, with the weights
//! of parallel edges added.
//!
//! **Cost.** Linear. 24 bytes per edge and 24 per vertex, twice while contracting.

use palmette_core::Lists;
use palmette_core::graph::Sets;

/// Rows of neighbours in any order, each neighbour once.
#[derive(Debug, Clone)]
pub(super) struct Kernel {
    offsets: Vec<usize>,
    heads: Vec<u32>,
    weights: Vec<u64>,
    /// By vertex, the weight of its edges.
    degrees: Vec<u64>,
    /// By vertex of the graph, its vertex here.
    groups: Vec<u32>,
}

impl Kernel {
    /// The kernel that is the graph itself.
    pub(super) fn new(offsets: &[usize], heads: &[u32], weights: Vec<u64>) -> Kernel {
        let n = offsets.len() - 1;
        let degree = |v: usize| weights[offsets[v]..offsets[v + 1]].iter().sum();
        let degrees = (0..n).map(degree).collect();
        let groups = (0..n as u32).collect();
        Kernel { offsets: offsets.to_vec(), heads: heads.to_vec(), weights, degrees, groups }
    }

    pub(super) fn len(&self) -> usize {
        self.degrees.len()
    }

    pub(super) fn edge_count(&self) -> usize {
        self.heads.len() / 2
    }

    pub(super) fn degrees(&self) -> &[u64] {
        &self.degrees
    }

    pub(super) fn groups(&self) -> &[u32] {
        &self.groups
    }

    #[inline]
    pub(super) fn arcs(&self, v: u32) -> std::ops::Range<usize> {
        self.offsets[v as usize]..self.offsets[v as usize + 1]
    }

    #[inline]
    pub(super) fn row(&self, v: u32) -> impl Iterator<Item = (u32, u64)> + Clone + '_ {
        let arcs = self.arcs(v);
        self.heads[arcs.clone()].iter().copied().zip(self.weights[arcs].iter().copied())
    }

    /// Each edge once.
    pub(super) fn edges(&self) -> impl Iterator<Item = (u32, u32, u64)> + '_ {
        (0..self.len() as u32)
            .flat_map(|v| self.row(v).filter(move |&(u, _)| v < u).map(move |(u, w)| (v, u, w)))
    }

    /// The vertex of least degree, the first of several.
    pub(super) fn least(&self) -> Option<(u64, u32)> {
        let each = self.degrees.iter().zip(0..).map(|(&degree, v)| (degree, v));
        if self.len() < 2 { None } else { each.min() }
    }

    /// Makes each set one vertex.
    pub(super) fn contract(&self, sets: &mut Sets) -> Kernel {
        let top = sets.settled();
        // Sets count in the order of their first vertices.
        let mut into = vec![0; self.len()];
        let mut count = 0;
        for v in 0..self.len() {
            if top[v] as usize == v {
                into[v] = count;
                count += 1;
            } else {
                into[v] = into[top[v] as usize];
            }
        }
        let members = Lists::by_key(count as usize, into.iter().copied().zip(0..));
        let mut offsets = Vec::with_capacity(count as usize + 1);
        offsets.push(0);
        let (mut heads, mut weights) = (Vec::<u32>::new(), Vec::<u64>::new());
        let mut degrees = Vec::with_capacity(count as usize);
        // By vertex, one more than where it was put last: beyond the row's beginning if in this row.
        let mut place = vec![0usize; count as usize];
        for group in 0..count {
            let begin = heads.len();
            for &v in members.of(group) {
                for (u, w) in self.row(v) {
                    let u = into[u as usize];
                    if u == group {
                        continue;
                    }
                    let at = place[u as usize];
                    if at > begin {
                        weights[at - 1] += w;
                    } else {
                        heads.push(u);
                        weights.push(w);
                        place[u as usize] = heads.len();
                    }
                }
            }
            offsets.push(heads.len());
            degrees.push(weights[begin..].iter().sum());
        }
        let groups = self.groups.iter().map(|&v| into[v as usize]).collect();
        Kernel { offsets, heads, weights, degrees, groups }
    }
}
