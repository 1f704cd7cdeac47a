//! Graphs from lists of edges, components, generated graphs.

use super::generate::{GraphShape, GraphShapeError, Weights, generate};
use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[test]
fn loops_go_and_parallel_edges_add_up() {
    let edges = [(2, 1, 1.0), (1, 1, 9.0), (1, 2, 0.5), (0, 2, 2.0)];
    let (graph, simplified) = Graph::simplify(4, &edges).unwrap();
    assert_eq!(simplified, Simplified { loops: 1, parallel: 1 });
    assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 2, 2.0), (1, 2, 1.5)]);
    assert_eq!((graph.len(), graph.edge_count(), graph.degree(3)), (4, 2, 0));
    assert_eq!((graph.weight(2, 1), graph.weight(0, 1)), (Some(1.5), None));
    assert_eq!(graph.subgraph(&[(2, 1)]).edges().collect::<Vec<_>>(), [(1, 2, 1.5)]);
}

#[test]
fn what_is_no_graph() {
    let weight = |w: f64| Graph::from_edges(2, &[(0, 1, 1.0), (0, 1, w)]).unwrap_err();
    for w in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0] {
        assert!(matches!(weight(w), GraphError::Weight { edge: 1, .. }), "{w}");
    }
    let end = Graph::from_edges(2, &[(0, 2, 1.0)]).unwrap_err();
    assert_eq!(end, GraphError::EndOutOfRange { edge: 0, vertex: 2, vertices: 2 });
    let sum = Graph::from_edges(2, &[(0, 1, f64::MAX), (1, 0, f64::MAX)]).unwrap_err();
    assert_eq!(sum, GraphError::Sum { a: 0, b: 1 });
}

#[test]
fn rows_are_checked() {
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (3, 1, 1.0)];
    let graph = Graph::from_edges(5, &edges).unwrap();
    let rows = || (graph.offsets().to_vec(), graph.all_neighbours().to_vec());
    let (offsets, neighbours) = rows();
    assert_eq!(Graph::from_rows(offsets, neighbours).as_ref(), Ok(&graph));
    for (at, to, vertex) in [(0, 0, 0), (0, 2, 0), (0, 9, 0), (2, 0, 1), (4, 3, 2), (2, 3, 1)] {
        let (offsets, mut neighbours) = rows();
        neighbours[at] = to;
        let error = Graph::from_rows(offsets, neighbours).unwrap_err();
        // A vertex that is no longer listed back is seen first where its number is lower.
        assert!(matches!(error, GraphError::Row { vertex: v, .. } if v <= vertex), "{error}");
    }
}

#[test]
fn components_are_numbered_by_their_lowest_vertex() {
    let graph = Graph::from_edges(6, &[(5, 0, 1.0), (2, 4, 1.0), (4, 1, 1.0)]).unwrap();
    let components = graph.components();
    assert_eq!(components.of, [0, 1, 1, 2, 1, 0]);
    assert_eq!(components.sizes, [2, 3, 1]);
    assert_eq!(Graph::from_edges(0, &[]).unwrap().components().count(), 0);
}

#[test]
fn shapes_have_their_numbers() {
    let make = |text: &str| generate(text.parse().unwrap(), Weights::Unit, 3).unwrap();
    let sizes = |text: &str| (make(text).graph.len(), make(text).graph.edge_count());
    assert_eq!(sizes("grid:5x7"), (35, 58));
    assert_eq!(sizes("grid:3x4x5"), (60, 133));
    assert_eq!(sizes("clique:9"), (9, 36));
    assert_eq!(sizes("star:9"), (9, 8));
    assert_eq!(sizes("path:9"), (9, 8));
    for single in ["grid:1x1", "road:1", "geometric:1:0", "random:1:0", "clique:1"] {
        assert_eq!(make(single).graph.edge_count(), 0, "{single}");
    }
    for empty in ["grid:0x3", "grid:2x0x2", "road:0", "geometric:0:3", "random:0:0", "clique:0"] {
        let made = generate(empty.parse().unwrap(), Weights::Unit, 3);
        assert_eq!(made, Err(GraphShapeError::Empty), "{empty}");
    }
    let (n, m) = sizes("road:10000");
    assert_eq!(n, 10_000);
    assert!((m as f64 / n as f64 - 1.28).abs() < 0.02, "{m}");
    assert_eq!(make("road:10000").graph.components().count(), 1);
    let (_, m) = sizes("random:10000:10");
    assert!((49_800..=50_000).contains(&m), "{m}");
    let (_, m) = sizes("geometric:10000:8");
    assert!((37_000..=41_000).contains(&m), "{m}");
}

#[test]
fn geometric_links_all_that_are_close() {
    let made = generate("geometric:300:9".parse().unwrap(), Weights::Unit, 5).unwrap();
    let points = made.points.unwrap();
    let radius = (9.0 / (std::f64::consts::PI * 300.0)).sqrt();
    for a in 0..300usize {
        for b in 0..a {
            let [dx, dy] = [0, 1].map(|i| points[a][i] - points[b][i]);
            let close = dx * dx + dy * dy <= radius * radius;
            assert_eq!(made.graph.weight(a as u32, b as u32).is_some(), close);
        }
    }
}

#[test]
fn names_round_trip_and_wrong_ones_are_refused() {
    for text in ["grid:3x4", "grid:2x3x4", "random:10:2.5", "road:7", "star:3"] {
        assert_eq!(text.parse::<GraphShape>().unwrap().to_string(), text);
    }
    for text in ["grid", "grid:3", "grid:3x", "random:10", "random:10:-1", "cube:3", "star:-1"] {
        assert!(text.parse::<GraphShape>().is_err(), "{text}");
    }
    for text in ["unit", "uniform:1:2", "log-uniform:0.01:100"] {
        assert_eq!(text.parse::<Weights>().unwrap().to_string(), text);
    }
    for text in ["uniform:2:1", "log-uniform:0:1", "uniform:1", "uniform:1:inf"] {
        assert!(text.parse::<Weights>().is_err(), "{text}");
    }
    let many = generate("random:4:9".parse().unwrap(), Weights::Unit, 1);
    assert!(many.unwrap_err().to_string().contains("at most 3"));
    assert!(generate("grid:99999999x99999999".parse().unwrap(), Weights::Unit, 1).is_err());
}

#[test]
fn weights_lie_in_their_range() {
    let weights = Weights::LogUniform(1e-2, 1e2);
    let made = generate("grid:100x100".parse().unwrap(), weights, 1).unwrap();
    let all = made.graph.all_weights();
    assert!(all.iter().all(|w| (0.00999..100.001).contains(w)));
    let below_one = all.iter().filter(|&&w| w < 1.0).count() as f64 / all.len() as f64;
    assert!((below_one - 0.5).abs() < 0.03, "{below_one}");
}

proptest! {
    #[test]
    fn rows_are_the_sums_of_the_list(
        edges in prop::collection::vec((0u32..20, 0u32..20, 1u32..9), 0..200)
    ) {
        let edges: Vec<(u32, u32, f64)> =
            edges.into_iter().map(|(a, b, w)| (a, b, f64::from(w))).collect();
        let (graph, simplified) = Graph::simplify(20, &edges).unwrap();
        let mut sums: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        for &(a, b, w) in edges.iter().filter(|e| e.0 != e.1) {
            *sums.entry((a.max(b), a.min(b))).or_default() += w;
        }
        let expected: Vec<_> = sums.iter().map(|(&(b, a), &w)| (a, b, w)).collect();
        prop_assert_eq!(graph.edges().collect::<Vec<_>>(), expected);
        let kept = simplified.loops + simplified.parallel + graph.edge_count();
        prop_assert_eq!(kept, edges.len());
        for v in 0..20 {
            prop_assert!(graph.neighbours(v).is_sorted());
            for (&u, &w) in graph.neighbours(v).iter().zip(graph.weights(v)) {
                prop_assert_eq!(graph.weight(u, v), Some(w));
            }
        }
    }
}
