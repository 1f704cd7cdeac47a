//! Effective resistances with known values.

use crate::solve::dense;
use crate::solve::inputs::{grounds, made, small};
use palmette_core::Graph;
use palmette_graph::Laplacian;
use palmette_graph::solve::{
    Preconditioner, SolveError, SolveParams, Solver, edge_resistances, projected_resistances,
    resistances,
};

fn precise() -> SolveParams {
    let preconditioner = Preconditioner::Direct;
    SolveParams { preconditioner, tolerance: 1e-10, ..Default::default() }
}

fn all_pairs(n: usize) -> Vec<(u32, u32)> {
    (0..n as u32).flat_map(|a| (0..n as u32).map(move |b| (a, b))).collect()
}

#[test]
fn formulas() {
    // A clique of unit conductances: 2 / n.
    let clique = made("clique:12", "unit");
    let found = resistances(&Laplacian::new(&clique, None), &all_pairs(12), &precise()).unwrap();
    for (&(a, b), r) in all_pairs(12).iter().zip(found) {
        let expected = if a == b { 0.0 } else { 2.0 / 12.0 };
        assert!((r - expected).abs() < 1e-12, "{a} {b} {r}");
    }
    // A cycle: k (n − k) / n.
    let n = 17u32;
    let edges: Vec<(u32, u32, f64)> = (0..n).map(|v| (v, (v + 1) % n, 1.0)).collect();
    let cycle = Graph::from_edges(n as usize, &edges).unwrap();
    let pairs = [(0, 5), (5, 0), (16, 1), (3, 4)];
    let found = resistances(&Laplacian::new(&cycle, None), &pairs, &precise()).unwrap();
    for (&(a, b), r) in pairs.iter().zip(found) {
        let k = f64::from(a.abs_diff(b));
        assert!((r - k * (17.0 - k) / 17.0).abs() < 1e-12, "{a} {b} {r}");
    }
    // Neighbours far from the border of a plane grid: one half.
    let grid = made("grid:201x201", "unit");
    let middle = 100 * 201 + 100;
    let pairs = [(middle, middle + 1)];
    let found = resistances(&Laplacian::new(&grid, None), &pairs, &precise()).unwrap();
    assert!((found[0] - 0.5).abs() < 1e-4, "{found:?}");
}

/// By dense solves; infinity where a current cannot flow.
fn expected(graph: &Graph, ground: Option<&[f64]>, a: u32, b: u32) -> f64 {
    let laplacian = Laplacian::new(graph, ground);
    let of = |v: u32| laplacian.components().of[v as usize];
    let floats = |v: u32| laplacian.floating()[of(v) as usize];
    if of(a) != of(b) && (floats(a) || floats(b)) {
        return f64::INFINITY;
    }
    let mut currents = vec![0.0; graph.len()];
    currents[a as usize] += 1.0;
    currents[b as usize] -= 1.0;
    let x = dense::solve(graph, ground, &currents);
    x[a as usize] - x[b as usize]
}

#[test]
fn all_ways_agree_with_dense_elimination() {
    for (name, graph) in small().into_iter().filter(|(_, graph)| graph.len() <= 60) {
        for ground in grounds(graph.len()) {
            let ground = ground.as_deref();
            let laplacian = Laplacian::new(&graph, ground);
            // All pairs are solved by vertices, a few by pairs.
            let all = all_pairs(graph.len());
            let some: Vec<(u32, u32)> = all.iter().copied().step_by(41).collect();
            let found = resistances(&laplacian, &all, &precise()).unwrap();
            let fewer = resistances(&laplacian, &some, &precise()).unwrap();
            for (k, &(a, b)) in some.iter().enumerate() {
                let expected = expected(&graph, ground, a, b);
                for r in [found[41 * k], fewer[k]] {
                    let same = r == expected || (r - expected).abs() <= 1e-9 * (1.0 + expected);
                    assert!(same, "{name} {ground:?} {a} {b}: {r} {expected}");
                }
            }
        }
    }
}

#[test]
fn a_pair_must_exist() {
    let graph = made("grid:3x3", "unit");
    let found = resistances(&Laplacian::new(&graph, None), &[(0, 1), (9, 2)], &precise());
    assert_eq!(found.unwrap_err(), SolveError::Vertex { vertex: 9, vertices: 9 });
    assert_eq!(resistances(&Laplacian::new(&graph, None), &[], &precise()), Ok(vec![]));
}

#[test]
fn many_pairs_where_rounding_forbids_the_smaller_tolerance() {
    let graph = made("grid:6x6", "log-uniform:0.000001:1000000");
    let laplacian = Laplacian::new(&graph, None);
    let params = SolveParams { tolerance: 1e-6, ..precise() };
    let smaller = SolveParams { tolerance: 1e-9, ..params.clone() };
    let solver = Solver::new(&laplacian, &smaller).unwrap();
    let fails = |v: usize| {
        let mut currents = vec![0.0; 36];
        currents[v] = 1.0;
        solver.solve(&currents).is_err()
    };
    assert!((0..36).any(fails), "so that a vertex's potentials are out of reach");
    let found = resistances(&laplacian, &all_pairs(36), &params).unwrap();
    for (pair, r) in all_pairs(36).into_iter().zip(found) {
        assert_eq!(resistances(&laplacian, &[pair], &params).unwrap(), [r], "{pair:?}");
    }
}

#[test]
fn all_edges_at_once_are_as_one_by_one() {
    let mut shapes = Vec::new();
    for (shape, weights) in [
        ("grid:30x40", "log-uniform:0.01:100"),
        ("geometric:900:9", "uniform:1:2"),
        ("grid:7x8x9", "unit"),
        ("path:50", "log-uniform:0.01:100"),
        ("star:40", "unit"),
        ("clique:90", "uniform:1:2"),
        ("random:300:1.5", "unit"),
    ] {
        shapes.push(made(shape, weights));
    }
    for graph in &shapes {
        for ground in [None, Some(vec![0.25; graph.len()])] {
            let laplacian = Laplacian::new(graph, ground.as_deref());
            let found = edge_resistances(&laplacian, &Default::default()).unwrap();
            assert!(found.error < 1e-11, "{}", found.error);
            let pairs: Vec<(u32, u32)> = graph.edges().map(|(a, b, _)| (a, b)).collect();
            let step = pairs.len().div_ceil(60).max(1);
            let some: Vec<(u32, u32)> = pairs.iter().copied().step_by(step).collect();
            let one_by_one = resistances(&laplacian, &some, &precise()).unwrap();
            for (all, one) in found.values.iter().step_by(step).zip(one_by_one) {
                assert!((all - one).abs() < 1e-8 * one, "{all} {one}");
            }
        }
    }
    let refused = SolveParams { memory: Some(1000), ..Default::default() };
    let laplacian = Laplacian::new(&shapes[0], None);
    assert!(matches!(edge_resistances(&laplacian, &refused), Err(SolveError::Memory { .. })));
}

#[test]
fn projections_come_near_and_say_how_near() {
    for ground in [None, Some(vec![0.5; 1600])] {
        let graph = made("grid:40x40", "log-uniform:0.1:10");
        let laplacian = Laplacian::new(&graph, ground.as_deref());
        let exact = edge_resistances(&laplacian, &Default::default()).unwrap().values;
        for count in [32, 128] {
            let found = projected_resistances(&laplacian, count, &Default::default()).unwrap();
            let squares = found.values.iter().zip(&exact).map(|(a, b)| (a / b - 1.0).powi(2));
            let root = (squares.sum::<f64>() / exact.len() as f64).sqrt();
            let expected = (2.0 / count as f64).sqrt();
            assert!(root < 1.2 * expected && root > 0.5 * expected, "{root} {expected}");
            // Twenty edges say it roughly.
            assert!(found.error < 2.5 * root && found.error > root / 2.5, "{}", found.error);
        }
    }
}
