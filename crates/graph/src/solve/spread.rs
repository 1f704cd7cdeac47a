//! Whether a graph spreads out fast.
//!
//! **Problem.** Tell expanders (random graphs, networks of people) from meshes, roads and other
//! graphs in the plane or in space, in far less time than it takes to solve anything.
//!
//! **Method.** Balls grow around some vertices until they have a thousand. Where `b(r)` vertices
//! lie within `r` steps, `b(R) / b(R/2)` is `2^d` in `d` dimensions, but grows with the ball on
//! an expander. What most balls say counts; those in small components say nothing.
//!
//! **Cost.** A few thousand vertices with their neighbours for each ball; 4 bytes per vertex.
//!
//! **Determinism.** The balls start at fixed vertices.
//!
//! **When not to use.** As a proof: long edges that are few, or a graph that spreads in some
//! places only, go unnoticed.

use palmette_core::Graph;

/// Balls that are grown, vertices that one needs, and how many end it in the middle of a step.
const BALLS: usize = 9;
const ENOUGH: usize = 1_000;
const TOO_MANY: usize = 16 * ENOUGH;

/// More dimensions than space has.
const DIMENSIONS: f64 = 3.5;

/// Whether most balls grow faster than those in space.
pub(crate) fn spreads(graph: &Graph) -> bool {
    let n = graph.len();
    // By vertex, the last ball that it was in, from 1.
    let mut seen = vec![0u8; n];
    let start = |ball: usize| ((2 * ball + 1) * n / (2 * BALLS)) as u32;
    let found: Vec<f64> = (0..BALLS.min(n))
        .filter_map(|ball| dimensions(graph, start(ball), &mut seen, ball as u8 + 1))
        .collect();
    let fast = found.iter().filter(|dimensions| **dimensions > DIMENSIONS).count();
    2 * fast > found.len()
}

/// In how many dimensions the ball around a vertex grows; nothing when it stays small.
fn dimensions(graph: &Graph, start: u32, seen: &mut [u8], ball: u8) -> Option<f64> {
    seen[start as usize] = ball;
    let mut inside = vec![start];
    // By radius, the vertices in the ball.
    let mut sizes = vec![1];
    let mut next = 0;
    while inside.len() < ENOUGH {
        let end = inside.len();
        while next < end && inside.len() < TOO_MANY {
            for &v in graph.neighbours(inside[next]) {
                if seen[v as usize] != ball && inside.len() < TOO_MANY {
                    seen[v as usize] = ball;
                    inside.push(v);
                }
            }
            next += 1;
        }
        if inside.len() == end {
            return None;
        }
        sizes.push(inside.len());
    }
    let radius = sizes.len() - 1;
    let half = radius / 2;
    if half == 0 {
        // One step from a vertex to a thousand.
        return Some(f64::INFINITY);
    }
    let growth = inside.len() as f64 / sizes[half] as f64;
    Some(growth.ln() / (radius as f64 / half as f64).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::graph::generate::{Weights, generate};

    #[test]
    fn expanders_spread_and_meshes_do_not() {
        for (shape, expected) in [
            ("random:20000:4", true),
            ("random:20000:6", true),
            ("random:20000:10", true),
            ("random:20000:40", true),
            ("clique:2000", true),
            ("path:5000", false),
            ("road:20000", false),
            ("grid:100x100", false),
            ("grid:30x30x30", false),
            ("geometric:20000:10", false),
            ("geometric:20000:40", false),
        ] {
            let graph = generate(shape.parse().unwrap(), Weights::Unit, 1).unwrap().graph;
            assert_eq!(spreads(&graph), expected, "{shape}");
        }
        let empty = Graph::from_edges(0, &[]).unwrap();
        let apart = Graph::from_edges(5000, &[(0, 1, 1.0)]).unwrap();
        assert!(!spreads(&empty) && !spreads(&apart));
    }
}
