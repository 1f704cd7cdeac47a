//! Experiments against dense algebra on small graphs.

use super::*;
use palmette_core::graph::generate::{Weights, generate};

/// Solves the Laplacian with some vertices at potential 0.
fn dense(graph: &Graph, b: &[f64], zero: &[u32]) -> Vec<f64> {
    let n = graph.len();
    let mut rows = vec![vec![0.0; n + 1]; n];
    for (a, c, w) in graph.edges() {
        let (a, c) = (a as usize, c as usize);
        rows[a][a] += w;
        rows[c][c] += w;
        rows[a][c] -= w;
        rows[c][a] -= w;
    }
    for v in 0..n {
        rows[v][n] = b[v];
        if zero.contains(&(v as u32)) {
            rows[v] = vec![0.0; n + 1];
            rows[v][v] = 1.0;
        }
    }
    for pivot in 0..n {
        let best =
            (pivot..n).max_by(|&i, &j| rows[i][pivot].abs().total_cmp(&rows[j][pivot].abs()));
        rows.swap(pivot, best.unwrap());
        let own = rows[pivot].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            let factor = if k == pivot { 0.0 } else { row[pivot] / own[pivot] };
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    }
    (0..n).map(|v| rows[v][n] / rows[v][v]).collect()
}

fn through(graph: &Graph, x: &[f64]) -> Vec<f64> {
    let mut flows = vec![[0.0f64; 2]; graph.len()];
    for (a, b, w) in graph.edges() {
        let flow = w * (x[a as usize] - x[b as usize]);
        let (from, to) = if flow > 0.0 { (a, b) } else { (b, a) };
        flows[from as usize][0] += flow.abs();
        flows[to as usize][1] += flow.abs();
    }
    flows.iter().map(|[out, into]| out.max(*into)).collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (k, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= 1e-8 * b.abs().max(1.0), "{k}: {a} {b}");
    }
}

fn sample() -> (Graph, Vec<Vec<u32>>) {
    let weights = Weights::LogUniform(0.1, 10.0);
    let graph = generate("grid:6x7".parse().unwrap(), weights, 3).unwrap().graph;
    (graph, vec![vec![0], vec![41], vec![17], vec![30], vec![9]])
}

#[test]
fn pairs_are_as_solved_one_by_one() {
    let (graph, points) = sample();
    let all = focal_currents(&graph, &points, &FocalParams::default()).unwrap();
    let (pairs, alone) = focal_resistances(&graph, &points, &FocalParams::default()).unwrap();
    let mut sum = vec![0.0; graph.len()];
    let mut expected = Vec::new();
    for &(a, b) in &pairs {
        let (a, b) = (points[a as usize][0], points[b as usize][0]);
        let mut currents = vec![0.0; graph.len()];
        currents[b as usize] = 1.0;
        let x = dense(&graph, &currents, &[a]);
        expected.push(x[b as usize]);
        sum.iter_mut().zip(through(&graph, &x)).for_each(|(s, c)| *s += c);
    }
    assert_eq!(pairs.len(), 10);
    close(&alone, &expected);
    close(&all.resistances.unwrap(), &expected);
    close(&all.currents, &sum);
    // The same one by one, by the way that takes lists.
    let pairs = Some(pairs);
    let listed = focal_currents(&graph, &points, &FocalParams { pairs, ..Default::default() });
    close(&listed.unwrap().currents, &sum);
}

#[test]
fn one_against_all_and_all_against_one() {
    let (graph, points) = sample();
    let n = graph.len();
    for mode in [FocalMode::OneToAll, FocalMode::AllToOne] {
        let mut sum = vec![0.0; n];
        let mut found = Vec::new();
        for (k, point) in points.iter().enumerate() {
            let others: Vec<u32> =
                points.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, p)| p[0]).collect();
            let mut b = vec![0.0; n];
            let x = match mode {
                FocalMode::OneToAll => {
                    b[point[0] as usize] = 1.0;
                    dense(&graph, &b, &others)
                }
                _ => {
                    others.iter().for_each(|&v| b[v as usize] = 1.0);
                    dense(&graph, &b, point)
                }
            };
            found.push(x[point[0] as usize]);
            sum.iter_mut().zip(through(&graph, &x)).for_each(|(s, c)| *s += c);
            let only = Some(vec![k as u32]);
            let one = FocalParams { mode, only, ..Default::default() };
            let one = focal_currents(&graph, &points, &one).unwrap();
            close(&one.potentials.unwrap(), &x);
        }
        let params = FocalParams { mode, ..Default::default() };
        let all = focal_currents(&graph, &points, &params).unwrap();
        close(&all.currents, &sum);
        match mode {
            FocalMode::OneToAll => close(&all.resistances.unwrap(), &found),
            _ => assert_eq!(all.resistances, None),
        }
    }
}

#[test]
fn regions_components_and_twins() {
    // Two paths, with a region that joins them.
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (3, 4, 1.0), (4, 5, 1.0)];
    let graph = Graph::from_edges(7, &edges).unwrap();
    let points = [vec![0], vec![2], vec![5], vec![2, 3], vec![0], vec![]];
    let (pairs, found) = focal_resistances(&graph, &points, &FocalParams::default()).unwrap();
    let of = |a, b| found[pairs.iter().position(|&p| p == (a, b)).unwrap()];
    let infinite = f64::INFINITY;
    assert_eq!([of(0, 1), of(0, 2), of(0, 4), of(0, 5)], [2.0, infinite, 0.0, infinite]);
    // Region 3 is vertices 2 and 3, and holds region 1.
    assert_eq!([of(0, 3), of(2, 3), of(1, 3)], [2.0, 2.0, 0.0]);
    let all = focal_currents(&graph, &points, &FocalParams::default()).unwrap();
    close(&[all.resistances.unwrap()[2]], &[2.0]);
    // 0–1, 0–3, and the same from the twin of 0; 2–3 on the other side.
    assert_eq!(all.currents[1], 4.0);
    assert_eq!(all.currents[4], 1.0);
    let one = FocalParams { mode: FocalMode::OneToAll, ..Default::default() };
    let one = focal_currents(&graph, &points[..3], &one).unwrap();
    assert_eq!(one.resistances.unwrap(), [2.0, 2.0, infinite]);
    let wrong = focal_currents(&graph, &[vec![7]], &FocalParams::default());
    assert!(matches!(wrong, Err(SolveError::Vertex { vertex: 7, vertices: 7 })));
}

#[test]
fn currents_that_are_given() {
    let (graph, _) = sample();
    let n = graph.len();
    let (mut entering, mut ground) = (vec![0.0; n], vec![0.0; n]);
    (entering[3], entering[20]) = (2.0, -0.5);
    (ground[41], ground[7]) = (f64::INFINITY, 0.25);
    let params = SolveParams { tolerance: 1e-12, ..Default::default() };
    let found = driven_currents(&graph, &entering, &ground, &params).unwrap();
    // The finite ground as one more vertex, which is fixed.
    let edges: Vec<_> = graph.edges().chain([(7, n as u32, 0.25)]).collect();
    let more = Graph::from_edges(n + 1, &edges).unwrap();
    let b: Vec<f64> = entering.iter().copied().chain([0.0]).collect();
    let x = dense(&more, &b, &[41, n as u32]);
    close(&found.potentials, &x[..n]);
    close(&found.currents[..1], &through(&more, &x)[..1]);
    // All that goes in goes to ground.
    close(&[found.currents[41] + 0.25 * x[7]], &[1.5]);
    close(&[found.currents[3]], &[through(&more, &x)[3]]);
    ground.fill(0.0);
    let none = driven_currents(&graph, &entering, &ground, &params);
    assert!(matches!(none, Err(DrivenError::NoGround { vertex: 3, size: 42, .. })));
}
