//! Connected components.

use super::Graph;
use crate::NONE;

/// Which component each vertex is in. Components are numbered by their lowest vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// By vertex, its component.
    pub of: Vec<u32>,
    /// By component, the number of its vertices.
    pub sizes: Vec<u32>,
}

impl Components {
    /// The number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The heaviest vertex of each component, the lowest among equals.
    pub fn heaviest(&self, weight: impl Fn(u32) -> f64) -> Vec<u32> {
        let mut best = vec![NONE; self.count()];
        for (v, &c) in (0..).zip(&self.of) {
            let best = &mut best[c as usize];
            if *best == NONE || weight(v) > weight(*best) {
                *best = v;
            }
        }
        best
    }
}

impl Graph {
    /// The connected components, by breadth-first search: linear work, 8 bytes per vertex.
    pub fn components(&self) -> Components {
        let mut of = vec![NONE; self.len()];
        let mut sizes = Vec::new();
        let mut queue: Vec<u32> = Vec::new();
        for start in 0..self.len() {
            if of[start] != NONE {
                continue;
            }
            let component = sizes.len() as u32;
            of[start] = component;
            queue.clear();
            queue.push(start as u32);
            let mut reached = 0;
            while let Some(&v) = queue.get(reached) {
                reached += 1;
                for &u in self.neighbours(v) {
                    if of[u as usize] == NONE {
                        of[u as usize] = component;
                        queue.push(u);
                    }
                }
            }
            sizes.push(reached as u32);
        }
        Components { of, sizes }
    }
}
