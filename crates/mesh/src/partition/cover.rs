//! Vertex separators from cut edges.
//!
//! **Problem.** A graph whose vertices are in parts; out comes a smallest set of vertices
//! that touches every edge between parts. Without it, no edge joins two parts.
//!
//! **Method.** Between two parts the cut edges form a bipartite graph: a largest matching
//! (Hopcroft and Karp) gives a smallest cover (Kőnig). With more than two parts a cover
//! is made for each pair of parts, without what earlier pairs have covered already.
//!
//! **Cost.** `O(edges · √vertices)` of the cut.
//!
//! **Reference.** Hopcroft, Karp, *An n^(5/2) algorithm for maximum matchings in bipartite
//! graphs*, 1973.

use palmette_core::{Graph, Lists};
use std::collections::BTreeMap;

const FREE: u32 = u32::MAX;

/// Vertices that touch every edge between different parts, in ascending order; as few as
/// possible for two parts.
///
/// # Panics
/// When there is not a part for each vertex.
pub fn vertex_separator(graph: &Graph, part: &[u32]) -> Vec<u32> {
    assert_eq!(graph.len(), part.len(), "a part per vertex");
    let mut pairs: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
    for (a, b, _) in graph.edges() {
        let (p, q) = (part[a as usize], part[b as usize]);
        if p < q {
            pairs.entry((p, q)).or_default().push((a, b));
        } else if q < p {
            pairs.entry((q, p)).or_default().push((b, a));
        }
    }
    let mut taken = vec![false; graph.len()];
    for (_, mut edges) in pairs {
        edges.retain(|&(a, b)| !taken[a as usize] && !taken[b as usize]);
        for v in Bipartite::new(&edges).cover() {
            taken[v as usize] = true;
        }
    }
    (0..graph.len() as u32).filter(|&v| taken[v as usize]).collect()
}

/// Cut edges between two parts, with local numbers on both sides.
struct Bipartite {
    vertices: [Vec<u32>; 2],
    /// Neighbours of vertices of the first side.
    neighbours: Lists,
    mates: [Vec<u32>; 2],
}

impl Bipartite {
    fn new(edges: &[(u32, u32)]) -> Bipartite {
        let side = |pick: fn(&(u32, u32)) -> u32| {
            let mut vertices: Vec<u32> = edges.iter().map(pick).collect();
            vertices.sort_unstable();
            vertices.dedup();
            vertices
        };
        let vertices = [side(|e| e.0), side(|e| e.1)];
        let place = |s: usize, v: u32| vertices[s].partition_point(|&w| w < v) as u32;
        let mut local: Vec<(u32, u32)> =
            edges.iter().map(|&(a, b)| (place(0, a), place(1, b))).collect();
        local.sort_unstable();
        let mates = [vec![FREE; vertices[0].len()], vec![FREE; vertices[1].len()]];
        let neighbours = Lists::by_key(vertices[0].len(), local.into_iter());
        Bipartite { vertices, neighbours, mates }
    }

    /// A smallest cover: of the first side what free vertices do not reach by alternating
    /// paths, of the second what they do.
    fn cover(mut self) -> Vec<u32> {
        while let Some(levels) = self.levels() {
            self.augment(levels);
        }
        let mut reached = [vec![false; self.mates[0].len()], vec![false; self.mates[1].len()]];
        let mut stack: Vec<u32> = Vec::new();
        for a in 0..self.mates[0].len() as u32 {
            if self.mates[0][a as usize] == FREE {
                reached[0][a as usize] = true;
                stack.push(a);
            }
        }
        while let Some(a) = stack.pop() {
            for &b in self.neighbours.of(a) {
                let b = b as usize;
                let mate = self.mates[1][b];
                if !reached[1][b] {
                    reached[1][b] = true;
                    if mate != FREE && !reached[0][mate as usize] {
                        reached[0][mate as usize] = true;
                        stack.push(mate);
                    }
                }
            }
        }
        let first = self.vertices[0].iter().zip(&reached[0]).filter(|(_, reached)| !**reached);
        let second = self.vertices[1].iter().zip(&reached[1]).filter(|(_, reached)| **reached);
        first.chain(second).map(|(&v, _)| v).collect()
    }

    /// Steps of alternating paths from free vertices of the first side; `None` when they
    /// reach no free vertex of the second.
    fn levels(&self) -> Option<Vec<u32>> {
        let free = |a: &u32| self.mates[0][*a as usize] == FREE;
        let mut queue: Vec<u32> = (0..self.mates[0].len() as u32).filter(free).collect();
        let mut levels = vec![FREE; self.mates[0].len()];
        queue.iter().for_each(|&a| levels[a as usize] = 0);
        let mut found = false;
        let mut head = 0;
        while let Some(&a) = queue.get(head) {
            head += 1;
            for &b in self.neighbours.of(a) {
                let mate = self.mates[1][b as usize];
                if mate == FREE {
                    found = true;
                } else if levels[mate as usize] == FREE {
                    levels[mate as usize] = levels[a as usize] + 1;
                    queue.push(mate);
                }
            }
        }
        found.then_some(levels)
    }

    /// Matches along disjoint shortest paths.
    fn augment(&mut self, levels: Vec<u32>) {
        let mut next = vec![0; self.mates[0].len()];
        for start in 0..self.mates[0].len() as u32 {
            if self.mates[0][start as usize] != FREE {
                continue;
            }
            let mut path = vec![start];
            while let Some(&a) = path.last() {
                let Some(&b) = self.neighbours.of(a).get(next[a as usize]) else {
                    path.pop();
                    continue;
                };
                next[a as usize] += 1;
                let mate = self.mates[1][b as usize];
                if mate == FREE {
                    self.flip(&path, b);
                    break;
                }
                if levels[mate as usize] == levels[a as usize] + 1 {
                    path.push(mate);
                }
            }
        }
    }

    /// Matches the vertices of a path with the next ones of the second side, the last with
    /// `end`.
    fn flip(&mut self, path: &[u32], end: u32) {
        let mut b = end;
        for &a in path.iter().rev() {
            self.mates[1][b as usize] = a;
            b = std::mem::replace(&mut self.mates[0][a as usize], b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn covers(graph: &Graph, part: &[u32], chosen: u32) -> bool {
        let has = |v: u32| chosen >> v & 1 == 1;
        graph.edges().all(|(a, b, _)| part[a as usize] == part[b as usize] || has(a) || has(b))
    }

    proptest! {
        #[test]
        fn a_smallest_cover_of_two_parts(
            edges in prop::collection::vec((0u32..12, 0u32..12), 0..40),
            sides in prop::collection::vec(0u32..2, 12),
        ) {
            let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
            let graph = Graph::from_edges(12, &edges).unwrap();
            let found = vertex_separator(&graph, &sides);
            let chosen = found.iter().fold(0, |set, v| set | 1 << v);
            prop_assert!(covers(&graph, &sides, chosen));
            let smallest = (0u32..1 << 12).filter(|&set| covers(&graph, &sides, set));
            prop_assert_eq!(found.len() as u32, smallest.map(u32::count_ones).min().unwrap());
        }

        #[test]
        fn every_edge_between_many_parts_is_covered(
            edges in prop::collection::vec((0u32..20, 0u32..20), 0..80),
            parts in prop::collection::vec(0u32..5, 20),
        ) {
            let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
            let graph = Graph::from_edges(20, &edges).unwrap();
            let chosen = vertex_separator(&graph, &parts).iter().fold(0, |set, v| set | 1 << v);
            prop_assert!(covers(&graph, &parts, chosen));
        }
    }
}
