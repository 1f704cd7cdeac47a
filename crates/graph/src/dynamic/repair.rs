//! A forest that has lost an edge: the best other edge between the two sides.
//!
//! **Method.** Breadth-first searches of the forest from both ends take turns, a vertex at a time, until
//! one is exhausted. Edges off the forest from its vertices to others cross; the best of them has the
//! least resistance around: its own, that of the forest from the end of the lost edge to its end, and
//! that of the projection on the other side.
//!
//! **Cost.** The smaller side, with the edges there.

use super::network::Network;
use super::refresh::Projection;

/// Marks and queues of searches.
#[derive(Debug, Clone)]
pub(super) struct Search {
    /// By vertex, the search that saw it last.
    seen: Vec<u64>,
    searches: u64,
    /// Vertices found from either end, with the resistance from there.
    found: [Vec<(u32, f64)>; 2],
}

impl Search {
    pub(super) fn new(n: usize) -> Search {
        Search { seen: vec![0; n], searches: 0, found: [Vec::new(), Vec::new()] }
    }

    /// Searches the forest from two vertices until one side is exhausted; returns which. Nothing when
    /// they meet.
    fn smaller(&mut self, network: &Network, starts: [u32; 2]) -> Option<usize> {
        let token = self.searches + 1;
        self.searches += 2;
        for (k, start) in starts.into_iter().enumerate() {
            self.found[k].clear();
            self.found[k].push((start, 0.0));
            self.seen[start as usize] = token + k as u64;
        }
        for next in 0.. {
            for k in 0..2 {
                let Some(&(v, above)) = self.found[k].get(next) else { return Some(k) };
                for (edge, u) in network.at(v, true) {
                    let seen = &mut self.seen[u as usize];
                    if *seen == token + (1 - k) as u64 {
                        return None;
                    }
                    if *seen != token + k as u64 {
                        *seen = token + k as u64;
                        self.found[k].push((u, above + 1.0 / network.edge(edge).2));
                    }
                }
            }
        }
        None
    }

    /// Whether two vertices are in one tree.
    pub(super) fn joined(&mut self, network: &Network, a: u32, b: u32) -> bool {
        self.smaller(network, [a, b]).is_none()
    }

    /// The best edge between the sides of an edge that the forest has lost.
    pub(super) fn crossing(
        &mut self,
        network: &Network,
        a: u32,
        b: u32,
        projection: &Projection,
    ) -> Option<u32> {
        let ends = [a, b];
        let side = self.smaller(network, ends)?;
        let (token, far) = (self.searches - 1 + side as u64, ends[1 - side]);
        let mut best: Option<(f64, u32)> = None;
        for &(v, above) in &self.found[side] {
            for (edge, u) in network.at(v, false) {
                if self.seen[u as usize] == token {
                    continue;
                }
                let around = 1.0 / network.edge(edge).2 + above + projection.resistance(u, far);
                if best.is_none_or(|(least, number)| (around, edge) < (least, number)) {
                    best = Some((around, edge));
                }
            }
        }
        best.map(|(_, edge)| edge)
    }
}
