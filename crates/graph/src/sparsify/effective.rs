//! Effective weights: how much an edge matters before any resistance is known.
//!
//! **Problem.** For an edge of weight `w` between `a` and `b`,
//! `w · ln(max(degree(a), degree(b))) / (d(a) + d(b))`, where `d` is the number of edges on
//! a shortest way from the root of the component. The root is the vertex of largest volume
//! (sum of weights) or of largest degree; the lowest index on ties.
//!
//! **Method.** Breadth-first search level by level; a level with much to do runs on all
//! threads, which claim vertices by compare-and-swap. The first search starts from the
//! best vertex of all and does for a connected graph; what it leaves is looked at
//! component by component.
//!
//! **Cost.** Linear work, 16 bytes per vertex.
//!
//! **Determinism.** Distances do not depend on who claims a vertex.

use palmette_core::{Graph, NONE};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What makes a vertex a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootBy {
    /// The largest sum of weights.
    Volume,
    /// The most neighbours.
    Degree,
}

/// What an edge needs to know of its ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct End {
    /// The logarithm of the degree.
    log_degree: f64,
    /// Edges to the root.
    distance: u32,
}

pub(super) struct Effective {
    ends: Vec<End>,
    /// The root of each component.
    pub(super) roots: Vec<u32>,
}

impl Effective {
    pub(super) fn new(graph: &Graph, by: RootBy) -> Effective {
        let importance: Vec<f64> = match by {
            RootBy::Volume => vertices(graph).map(|v| graph.weights(v).iter().sum()).collect(),
            RootBy::Degree => vertices(graph).map(|v| graph.degree(v) as f64).collect(),
        };
        let (distance, roots) = distances(graph, &importance);
        let end = |v: u32| End {
            log_degree: (graph.degree(v) as f64).ln(),
            distance: distance[v as usize].load(Relaxed),
        };
        Effective { ends: vertices(graph).map(end).collect(), roots }
    }

    /// The effective weight of an edge.
    #[inline]
    pub(super) fn weight(&self, a: u32, b: u32, w: f64) -> f64 {
        let (a, b) = (self.ends[a as usize], self.ends[b as usize]);
        // The logarithm rises, so the larger one belongs to the larger degree.
        w * a.log_degree.max(b.log_degree) / f64::from(a.distance + b.distance)
    }
}

fn vertices(graph: &Graph) -> impl IndexedParallelIterator<Item = u32> + '_ {
    (0..graph.len()).into_par_iter().with_min_len(1 << 12).map(|v| v as u32)
}

/// Of two vertices the better root: the lower index when they are equal.
fn better(importance: &[f64], a: u32, b: u32) -> u32 {
    let (x, y) = (importance[a as usize], importance[b as usize]);
    if x > y || (x == y && a < b) { a } else { b }
}

fn distances(graph: &Graph, importance: &[f64]) -> (Vec<AtomicU32>, Vec<u32>) {
    let distance: Vec<AtomicU32> = vertices(graph).map(|_| AtomicU32::new(NONE)).collect();
    let mut roots = Vec::new();
    let Some(best) = vertices(graph).reduce_with(|a, b| better(importance, a, b)) else {
        return (distance, roots);
    };
    roots.push(best);
    if search(graph, &distance, best) == graph.len() {
        return (distance, roots);
    }
    let mut component = Vec::new();
    let mut seen = vec![false; graph.len()];
    for start in 0..graph.len() as u32 {
        if distance[start as usize].load(Relaxed) != NONE {
            continue;
        }
        component.clear();
        component.push(start);
        seen[start as usize] = true;
        let mut next = 0;
        let mut root = start;
        while let Some(&v) = component.get(next) {
            next += 1;
            root = better(importance, root, v);
            for &u in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    component.push(u);
                }
            }
        }
        roots.push(root);
        search(graph, &distance, root);
    }
    (distance, roots)
}

/// Sets the distances in a component; returns the number of its vertices.
fn search(graph: &Graph, distance: &[AtomicU32], root: u32) -> usize {
    /// Vertices of a level from which on threads share it.
    const MANY: usize = 1 << 10;
    /// Vertices that a thread takes at once.
    const FEW: usize = 1 << 7;
    distance[root as usize].store(0, Relaxed);
    let mut level = vec![root];
    let mut reached = 0;
    let mut depth = 0;
    let parallel = rayon::current_num_threads() > 1;
    while !level.is_empty() {
        reached += level.len();
        depth += 1;
        if parallel && level.len() >= MANY {
            let claim = |mut found: Vec<u32>, some: &[u32]| {
                for &v in some {
                    for &u in graph.neighbours(v) {
                        let cell = &distance[u as usize];
                        // Most neighbours have a distance already: look before claiming.
                        if cell.load(Relaxed) == NONE
                            && cell.compare_exchange(NONE, depth, Relaxed, Relaxed).is_ok()
                        {
                            found.push(u);
                        }
                    }
                }
                found
            };
            let found: Vec<Vec<u32>> = level.par_chunks(FEW).fold(Vec::new, claim).collect();
            level = found.concat();
        } else {
            let mut found = Vec::new();
            for &v in &level {
                for &u in graph.neighbours(v) {
                    let cell = &distance[u as usize];
                    if cell.load(Relaxed) == NONE {
                        cell.store(depth, Relaxed);
                        found.push(u);
                    }
                }
            }
            level = found;
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::graph::generate::{Weights, generate};

    #[test]
    fn roots_and_weights_by_hand() {
        // Two components; in the second, vertices 4 and 5 tie.
        let edges = [(0, 1, 1.0), (1, 2, 3.0), (0, 2, 2.0), (2, 3, 0.5), (4, 5, 1.0)];
        let graph = Graph::from_edges(7, &edges).unwrap();
        let effective = Effective::new(&graph, RootBy::Volume);
        assert_eq!(effective.roots, [2, 4, 6]);
        assert_eq!(effective.weight(0, 1, 1.0), 2f64.ln() / 2.0);
        assert_eq!(effective.weight(2, 3, 0.5), 0.5 * 3f64.ln());
        assert_eq!(effective.weight(4, 5, 1.0), 0.0);
    }

    #[test]
    fn threads_find_the_same_distances() {
        let graph = generate("random:30000:4".parse().unwrap(), Weights::Unit, 1).unwrap().graph;
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let effective = pool.install(|| Effective::new(&graph, RootBy::Degree));
            let distances: Vec<u32> = effective.ends.iter().map(|e| e.distance).collect();
            (effective.roots, distances)
        };
        let (roots, distances) = run(1);
        assert!(roots.len() > 300, "{} components", roots.len());
        assert_eq!((roots, distances.clone()), run(3));
        for (a, b, _) in graph.edges() {
            assert!(distances[a as usize].abs_diff(distances[b as usize]) <= 1);
        }
    }
}
