//! Sparsifiers of known quality.

use crate::solve::inputs::made;
use palmette_core::Graph;
use palmette_graph::{QualityParams, quality};

#[test]
fn a_graph_is_its_own_best_sparsifier() {
    let graph = made("grid:20x20", "log-uniform:0.1:10");
    let found = quality(&graph, &graph, &QualityParams::default()).unwrap();
    for value in [found.largest, found.smallest, found.resistance_mean, found.resistance_max] {
        assert!((value - 1.0).abs() < 1e-9, "{found:?}");
    }
    // Twice the weights: half the eigenvalues, half the resistances.
    let edges: Vec<_> = graph.edges().map(|(a, b, w)| (a, b, 2.0 * w)).collect();
    let double = Graph::from_edges(400, &edges).unwrap();
    let found = quality(&graph, &double, &QualityParams::default()).unwrap();
    for value in [found.largest, found.smallest, found.resistance_mean, found.resistance_max] {
        assert!((value - 0.5).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn a_cycle_and_its_path() {
    // The path lacks one edge: all eigenvalues are 1 but one, which is the stretch of that
    // edge, n − 1, plus 1.
    let n = 50u32;
    let edges: Vec<(u32, u32, f64)> = (0..n).map(|v| (v, (v + 1) % n, 1.0)).collect();
    let cycle = Graph::from_edges(n as usize, &edges).unwrap();
    let path = Graph::from_edges(n as usize, &edges[..n as usize - 1]).unwrap();
    let found = quality(&cycle, &path, &QualityParams::default()).unwrap();
    assert!((found.largest - 50.0).abs() < 1e-6, "{found:?}");
    assert!((found.smallest - 1.0).abs() < 1e-6, "{found:?}");
    // The missing edge: 49 against 49 / 50; any other: 1 against 49 / 50.
    assert!((found.resistance_max - 50.0).abs() < 1e-6, "{found:?}");
    assert!((found.resistance_mean - (50.0 + 50.0 / 49.0 * 49.0) / 50.0).abs() < 1e-6);
    assert_eq!(found.samples, 50);
    let few = QualityParams { samples: 9, ..Default::default() };
    let found = quality(&cycle, &path, &few).unwrap();
    assert!(found.samples == 9 && found.resistance_mean >= 50.0 / 49.0 - 1e-6);
}

#[test]
fn what_cannot_be_compared() {
    let graph = made("grid:4x4", "unit");
    let lacking = graph.subgraph(&[(0, 1)]);
    assert!(quality(&graph, &lacking, &QualityParams::default()).is_err());
    assert!(quality(&graph, &made("grid:5x5", "unit"), &QualityParams::default()).is_err());
    let empty = Graph::from_edges(0, &[]).unwrap();
    assert_eq!(quality(&empty, &empty, &QualityParams::default()).unwrap().condition, 1.0);
}
