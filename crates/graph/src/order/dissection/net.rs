//! The graph as nested dissection sees it: compact rows with whole weights.
//!
//! **Form.** 8 bytes per entry, two entries per edge; 8 bytes per vertex.

use crate::order::elimination::Pattern;
use palmette_core::NONE;

#[derive(Debug, Clone, Default)]
pub(super) struct Net {
    /// By vertex: where its neighbours begin; one more for the end.
    pub(super) offsets: Vec<u32>,
    pub(super) neighbours: Vec<u32>,
    /// By entry: how many edges of the whole graph it stands for.
    pub(super) ties: Vec<u32>,
    /// By vertex: how many rows it stands for.
    pub(super) weights: Vec<u32>,
}

impl Net {
    pub(super) fn new(pattern: &impl Pattern) -> Net {
        let mut net = Net { offsets: vec![0], ..Net::default() };
        for row in 0..pattern.size() as u32 {
            net.neighbours.extend(pattern.neighbours(row).filter(|&other| other != NONE));
            net.offsets.push(net.neighbours.len() as u32);
        }
        net.ties = vec![1; net.neighbours.len()];
        net.weights = vec![1; pattern.size()];
        net
    }

    pub(super) fn len(&self) -> usize {
        self.weights.len()
    }

    #[inline]
    pub(super) fn row(&self, v: u32) -> &[u32] {
        &self.neighbours[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    #[inline]
    pub(super) fn ties(&self, v: u32) -> &[u32] {
        &self.ties[self.offsets[v as usize] as usize..self.offsets[v as usize + 1] as usize]
    }

    pub(super) fn weight(&self) -> u64 {
        self.weights.iter().map(|&w| u64::from(w)).sum()
    }

    /// The graph on some vertices; `place` has room for a number for each vertex of this one, and
    /// says afterwards where those are.
    pub(super) fn induced(&self, vertices: &[u32], place: &mut [u32]) -> Net {
        for (i, &v) in vertices.iter().enumerate() {
            place[v as usize] = i as u32;
        }
        let mut net = Net { offsets: Vec::with_capacity(vertices.len() + 1), ..Net::default() };
        net.offsets.push(0);
        let entries = vertices.iter().map(|&v| self.row(v).len()).sum();
        net.neighbours.reserve(entries);
        net.ties.reserve(entries);
        for &v in vertices {
            for (&w, &tie) in self.row(v).iter().zip(self.ties(v)) {
                let i = place[w as usize];
                if vertices.get(i as usize) == Some(&w) {
                    net.neighbours.push(i);
                    net.ties.push(tie);
                }
            }
            net.offsets.push(net.neighbours.len() as u32);
        }
        net.weights = vertices.iter().map(|&v| self.weights[v as usize]).collect();
        net
    }

    /// The vertices of each connected component, one after another, and where each ends.
    pub(super) fn components(&self) -> (Vec<u32>, Vec<u32>) {
        let mut order: Vec<u32> = Vec::with_capacity(self.len());
        let mut seen = vec![false; self.len()];
        let mut ends = Vec::new();
        let mut next = 0;
        for start in 0..self.len() as u32 {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            order.push(start);
            while let Some(&v) = order.get(next) {
                next += 1;
                for &w in self.row(v) {
                    if !std::mem::replace(&mut seen[w as usize], true) {
                        order.push(w);
                    }
                }
            }
            ends.push(order.len() as u32);
        }
        (order, ends)
    }
}
