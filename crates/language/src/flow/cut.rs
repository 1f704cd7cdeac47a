//! Minimum cuts of small networks.
//!
//! **Method.** Dinic's algorithm: augment along shortest paths, level by level.
//!
//! **Cost.** `O(n² m)` at most; networks here have a few nodes per statement.

/// More than any cut that is finite.
pub(super) const INFINITE: u128 = u128::MAX / 4;

/// A network from node 0, the source, to node 1, the sink.
#[derive(Debug)]
pub(super) struct Network {
    /// By node, its arcs; an arc's reverse is its number with the last bit flipped.
    arcs: Vec<Vec<u32>>,
    ends: Vec<u32>,
    room: Vec<u128>,
}

pub(super) const SOURCE: usize = 0;
pub(super) const SINK: usize = 1;

impl Network {
    pub(super) fn new(nodes: usize) -> Network {
        Network { arcs: vec![Vec::new(); nodes], ends: Vec::new(), room: Vec::new() }
    }

    pub(super) fn arc(&mut self, from: usize, to: usize, capacity: u128) {
        for (from, to, room) in [(from, to, capacity), (to, from, 0)] {
            self.arcs[from].push(self.ends.len() as u32);
            self.ends.push(to as u32);
            self.room.push(room);
        }
    }

    /// The capacity of the smallest cut, and which nodes are on the source's side of the
    /// smallest cut that is nearest to the sink.
    pub(super) fn smallest_cut(mut self) -> (u128, Vec<bool>) {
        let mut flow = 0;
        loop {
            let depths = self.depths();
            if depths[SINK] == u32::MAX {
                break;
            }
            let mut next = vec![0; self.arcs.len()];
            while let Some(more) = self.push(&depths, &mut next) {
                flow += more;
            }
        }
        (flow, self.cannot_reach_sink())
    }

    /// Distances from the source over arcs with room.
    fn depths(&self) -> Vec<u32> {
        let mut depths = vec![u32::MAX; self.arcs.len()];
        depths[SOURCE] = 0;
        let mut queue = std::collections::VecDeque::from([SOURCE]);
        while let Some(node) = queue.pop_front() {
            for &arc in &self.arcs[node] {
                let end = self.ends[arc as usize] as usize;
                if self.room[arc as usize] > 0 && depths[end] == u32::MAX {
                    depths[end] = depths[node] + 1;
                    queue.push_back(end);
                }
            }
        }
        depths
    }

    /// Sends flow along one path that goes deeper with each arc.
    fn push(&mut self, depths: &[u32], next: &mut [usize]) -> Option<u128> {
        let mut path: Vec<usize> = Vec::new();
        let mut node = SOURCE;
        while node != SINK {
            let fits = |arc: usize| {
                self.room[arc] > 0 && depths[self.ends[arc] as usize] == depths[node] + 1
            };
            match self.arcs[node].get(next[node]) {
                Some(&arc) if fits(arc as usize) => {
                    path.push(arc as usize);
                    node = self.ends[arc as usize] as usize;
                }
                Some(_) => next[node] += 1,
                None => {
                    // A dead end: back over the last arc, and not again.
                    let arc = path.pop()?;
                    node = self.ends[arc ^ 1] as usize;
                    next[node] += 1;
                }
            }
        }
        let more = path.iter().map(|&arc| self.room[arc]).min()?;
        for arc in path {
            self.room[arc] -= more;
            self.room[arc ^ 1] += more;
        }
        Some(more)
    }

    fn cannot_reach_sink(&self) -> Vec<bool> {
        let mut cannot = vec![true; self.arcs.len()];
        cannot[SINK] = false;
        let mut waiting = vec![SINK];
        while let Some(node) = waiting.pop() {
            for &arc in &self.arcs[node] {
                let end = self.ends[arc as usize] as usize;
                if self.room[arc as usize ^ 1] > 0 && cannot[end] {
                    cannot[end] = false;
                    waiting.push(end);
                }
            }
        }
        cannot
    }
}
