//! The right potentials.

use crate::solve::dense;
use crate::solve::inputs::{NAMED, currents, extreme, grounds, made, small};
use palmette_core::graph::generate::{GraphShape, Weights, generate};
use palmette_core::{Graph, LinOp};
use palmette_graph::Laplacian;
use palmette_graph::solve::{
    Augmented, CgParams, Floating, Forest, Preconditioner, SolveParams, Solver,
    conjugate_gradients, factor_skeleton,
};

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The relative residual, by dense rows and against balanced currents.
fn residual(graph: &Graph, ground: Option<&[f64]>, x: &[f64], b: &[f64]) -> f64 {
    let mut b = b.to_vec();
    Laplacian::new(graph, ground).balance(&mut b);
    let rows = dense::matrix(graph, ground);
    let product = |row: &Vec<f64>| row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>();
    let left: Vec<f64> = rows.iter().zip(&b).map(|(row, b)| b - product(row)).collect();
    if norm(&b) == 0.0 { norm(&left) } else { norm(&left) / norm(&b) }
}

/// Every preconditioner against dense elimination, with every kind of ground.
fn check(name: &str, graph: &Graph) {
    for ground in grounds(graph.len()) {
        let ground = ground.as_deref();
        let laplacian = Laplacian::new(graph, ground);
        let b = currents(graph.len(), 1);
        let expected = dense::solve(graph, ground, &b);
        for preconditioner in NAMED.into_iter().chain([Preconditioner::Auto]) {
            let params = SolveParams { preconditioner, tolerance: 1e-10, ..Default::default() };
            let solver = Solver::new(&laplacian, &params).unwrap();
            let found = solver.solve(&b).unwrap();
            let what = format!("{name} {ground:?} {preconditioner} {:?}", found.history);
            assert!(found.residual <= 1e-10, "{what}");
            assert!(residual(graph, ground, &found.x, &b) <= 2e-10, "{what}");
            assert_eq!(found.history.len(), found.iterations + 1, "{what}");
            // The condition of these matrices is below 10^5.
            let apart: Vec<f64> = found.x.iter().zip(&expected).map(|(x, y)| x - y).collect();
            assert!(norm(&apart) <= 1e-5 * norm(&expected), "{what}");
        }
    }
}

#[test]
fn every_preconditioner_agrees_with_dense_elimination() {
    for (name, graph) in small() {
        check(name, &graph);
    }
}

#[test]
fn random_graphs_of_many_densities() {
    for seed in 0..60 {
        let degree = 0.3 * (1 + seed % 17) as f64;
        let shape = GraphShape::Random { n: 6 + seed as usize % 23, degree };
        let graph = generate(shape, Weights::LogUniform(0.1, 10.0), seed).unwrap().graph;
        check(&format!("{shape} {seed}"), &graph);
    }
}

#[test]
fn a_forest_is_solved_in_one_step() {
    for shape in ["path:5000", "star:5000", "random:3000:0.6"] {
        let graph = made(shape, "log-uniform:0.01:100");
        let forest = graph.edge_count() + graph.components().count() == graph.len();
        // The random graph has a cycle or two: its forest is taken.
        let graph = if forest { graph } else { spanning(&graph) };
        let laplacian = Laplacian::new(&graph, None);
        let params = SolveParams { tolerance: 1e-7, ..Default::default() };
        let solver = Solver::new(&laplacian, &params).unwrap();
        assert_eq!(solver.setup().preconditioner, Preconditioner::Tree);
        assert_eq!(solver.solve(&currents(graph.len(), 2)).unwrap().iterations, 1, "{shape}");
    }
}

/// A spanning forest by walking.
fn spanning(graph: &Graph) -> Graph {
    let mut seen = vec![false; graph.len()];
    let mut edges = Vec::new();
    for start in 0..graph.len() as u32 {
        if seen[start as usize] {
            continue;
        }
        seen[start as usize] = true;
        let mut stack = vec![start];
        while let Some(v) = stack.pop() {
            for &u in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    edges.push((v, u));
                    stack.push(u);
                }
            }
        }
    }
    graph.subgraph(&edges)
}

#[test]
fn the_forest_is_as_heavy_as_can_be() {
    let graph = made("geometric:300:7", "uniform:1:2");
    let forest = Forest::new(&Laplacian::new(&graph, None)).unwrap();
    let weight: f64 = forest.resistances().iter().filter(|r| **r > 0.0).map(|r| 1.0 / r).sum();
    // Prim, from every component.
    let mut best = 0.0;
    let mut reach: Vec<Option<f64>> = vec![None; graph.len()];
    let mut left: Vec<u32> = (0..graph.len() as u32).collect();
    while !left.is_empty() {
        let key = |v: u32| reach[v as usize].unwrap_or(0.0);
        let at = (0..left.len()).max_by(|&i, &j| key(left[i]).total_cmp(&key(left[j]))).unwrap();
        let v = left.swap_remove(at);
        best += key(v);
        for (&u, &w) in graph.neighbours(v).iter().zip(graph.weights(v)) {
            let reach = &mut reach[u as usize];
            *reach = Some(reach.map_or(w, |before| before.max(w)));
        }
    }
    assert!((weight - best).abs() < 1e-9 * best, "{weight} {best}");
}

#[test]
fn a_skeleton_preconditions_with_and_without_ground() {
    let graph = made("grid:30x30", "log-uniform:0.01:100");
    for ground in grounds(graph.len()) {
        let laplacian = Laplacian::new(&graph, ground.as_deref());
        let augmented = Augmented::new(&laplacian).unwrap();
        // A spanning tree and every tenth edge.
        let tree: Vec<(u32, u32)> =
            spanning(augmented.graph()).edges().map(|(a, b, _)| (a, b)).collect();
        let more = augmented.graph().edges().step_by(10).map(|(a, b, _)| (a, b));
        let mut edges: Vec<(u32, u32)> = tree.into_iter().chain(more).collect();
        edges.sort_unstable();
        edges.dedup();
        let skeleton = augmented.graph().subgraph(&edges);
        let factor = factor_skeleton(&augmented, &skeleton, None, None).unwrap();
        let mut b = currents(graph.len(), 3);
        laplacian.balance(&mut b);
        let params = CgParams { tolerance: 1e-8, max_iterations: 5000, cancel: None };
        let floating = Floating::of(&laplacian);
        let found = conjugate_gradients(&laplacian, &factor, floating, &b, &params).unwrap();
        assert!(residual(&graph, ground.as_deref(), &found.x, &b) <= 2e-8);

        // The factor of the whole graph is the inverse.
        let whole = factor_skeleton(&augmented, augmented.graph(), None, None).unwrap();
        let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        whole.apply(&b, &mut x);
        laplacian.apply(&x, &mut y);
        let apart: Vec<f64> = y.iter().zip(&b).map(|(y, b)| y - b).collect();
        assert!(norm(&apart) <= 1e-10 * norm(&b));

        let lacking = augmented.graph().subgraph(&edges[1..edges.len() / 2]);
        assert!(factor_skeleton(&augmented, &lacking, None, None).is_err());
    }
}

#[test]
fn weights_over_sixteen_decades() {
    let graph = extreme();
    // Rounding of potentials alone makes residuals of weight · potential · 2^-53.
    for ground in [None, Some(vec![1.0; graph.len()])] {
        let laplacian = Laplacian::new(&graph, ground.as_deref());
        let b = currents(graph.len(), 4);
        for preconditioner in
            [Preconditioner::IncompleteCholesky, Preconditioner::Tree, Preconditioner::Direct]
        {
            let params = SolveParams { preconditioner, tolerance: 1e-3, ..Default::default() };
            let found = Solver::new(&laplacian, &params).unwrap().solve(&b).unwrap();
            assert!(residual(&graph, ground.as_deref(), &found.x, &b) <= 2e-3, "{preconditioner}");
        }
    }
}

#[test]
fn currents_of_any_size() {
    let graph = made("grid:9x9", "unit");
    let laplacian = Laplacian::new(&graph, None);
    let b = currents(81, 5);
    for preconditioner in NAMED {
        let params = SolveParams { preconditioner, ..Default::default() };
        let solver = Solver::new(&laplacian, &params).unwrap();
        let plain = solver.solve(&b).unwrap();
        for power in [-900, -60, 80, 900] {
            let scale = 2f64.powi(power);
            let scaled: Vec<f64> = b.iter().map(|b| b * scale).collect();
            let found = solver.solve(&scaled).unwrap();
            let expected: Vec<f64> = plain.x.iter().map(|x| x * scale).collect();
            assert_eq!((found.x, found.imbalance), (expected, plain.imbalance * scale));
        }
    }
}
