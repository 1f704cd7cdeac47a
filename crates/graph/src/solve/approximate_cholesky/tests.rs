//! Factors as conjugate gradients see them.

use super::*;
use palmette_core::graph::generate::{Weights, generate};
use palmette_core::random::{Purpose, Random};
use palmette_core::{Cancel, Graph, LinOp};

const UNIT: Weights = Weights::Unit;
const WIDE: Weights = Weights::LogUniform(1e-2, 1e2);

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let blocks = a.par_chunks(1 << 14).zip(b.par_chunks(1 << 14));
    let sums: Vec<f64> = blocks.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum()).collect();
    sums.iter().sum()
}

/// `y ← a x + b y`.
fn combine(y: &mut [f64], a: f64, x: &[f64], b: f64) {
    y.par_chunks_mut(1 << 14).zip(x.par_chunks(1 << 14)).for_each(|(y, x)| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x + b * *y);
    });
}

/// Preconditioned conjugate gradients; the answer and the number of iterations.
fn solve(matrix: &dyn LinOp, inverse: &dyn LinOp, b: &[f64], tolerance: f64) -> (Vec<f64>, usize) {
    let n = b.len();
    let (mut x, mut r, mut z, mut q) = (vec![0.0; n], b.to_vec(), vec![0.0; n], vec![0.0; n]);
    let enough = tolerance * dot(b, b).sqrt();
    inverse.apply(&r, &mut z);
    let mut p = z.clone();
    let mut rz = dot(&r, &z);
    let mut iterations = 0;
    while dot(&r, &r).sqrt() > enough && iterations < 1000 {
        matrix.apply(&p, &mut q);
        let step = rz / dot(&p, &q);
        combine(&mut x, step, &p, 1.0);
        combine(&mut r, -step, &q, 1.0);
        inverse.apply(&r, &mut z);
        let next = dot(&r, &z);
        combine(&mut p, 1.0, &z, next / rz);
        rz = next;
        iterations += 1;
    }
    (x, iterations)
}

fn vector(n: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed, Purpose::Vectors);
    (0..n).map(|_| 2.0 * random.unit() - 1.0).collect()
}

fn graph(shape: &str, weights: Weights) -> Graph {
    generate(shape.parse().unwrap(), weights, 1).unwrap().graph
}

/// Whether these are the potentials for currents `b`, by the true residual.
fn check(laplacian: &Laplacian<'_>, x: &[f64], b: &[f64]) {
    let mut residual = vec![0.0; b.len()];
    laplacian.apply(x, &mut residual);
    combine(&mut residual, 1.0, b, -1.0);
    let (off, size) = (dot(&residual, &residual).sqrt(), dot(b, b).sqrt());
    assert!(off <= 1e-5 * size, "residual {off} of {size}");
}

/// Solves for a random right-hand side and checks the true residual; the iterations and
/// the entries of the factor per edge.
fn run(graph: &Graph, ground: Option<&[f64]>, params: &ApproximateCholeskyParams) -> (usize, f64) {
    let laplacian = Laplacian::new(graph, ground);
    let mut b = vector(graph.len(), 1);
    laplacian.balance(&mut b);
    let factor = ApproximateCholesky::new(&laplacian, params);
    let (x, iterations) = solve(&laplacian, &factor, &b, 1e-6);
    check(&laplacian, &x, &b);
    (iterations, factor.entries() as f64 / graph.edge_count() as f64)
}

/// The inverse of a small matrix, by Gauss and Jordan.
fn invert(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(i == j)));
    }
    for i in 0..n {
        let pivot = (i..n).max_by(|&p, &q| a[p][i].abs().total_cmp(&a[q][i].abs())).unwrap();
        a.swap(i, pivot);
        let scale = a[i][i];
        a[i].iter_mut().for_each(|x| *x /= scale);
        let row = a[i].clone();
        for (_, other) in a.iter_mut().enumerate().filter(|o| o.0 != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    a.into_iter().map(|row| row[n..].to_vec()).collect()
}

fn matrix(operator: &dyn LinOp) -> Vec<Vec<f64>> {
    let n = operator.size();
    let column = |i: usize| {
        let (mut unit, mut y) = (vec![0.0; n], vec![0.0; n]);
        unit[i] = 1.0;
        operator.apply(&unit, &mut y);
        y
    };
    (0..n).map(column).collect()
}

#[test]
fn the_expectation_of_the_factor_is_the_matrix() {
    let graph = graph("clique:7", WIDE);
    let ground = [0.0, 3.0, 0.0, 0.0, 0.2, 0.0, 0.0];
    for (ground, split, merge) in [(None, 1, 1), (Some(&ground[..]), 1, 1), (None, 2, 2)] {
        let laplacian = Laplacian::new(&graph, ground);
        // Adds the matrix of ones to a floating matrix, so that it can be inverted.
        let lift = if ground.is_some() { 0.0 } else { 1.0 / 7.0 };
        let exact = matrix(&laplacian);
        let draws = 3000;
        let (mut sum, mut squares) = ([[0.0; 7]; 7], [[0.0; 7]; 7]);
        for seed in 0..draws {
            let params = ApproximateCholeskyParams { seed, split, merge, parts: 1 };
            let mut inverse = matrix(&ApproximateCholesky::new(&laplacian, &params));
            inverse.iter_mut().flatten().for_each(|x| *x += lift);
            let found = invert(inverse);
            for i in 0..7 {
                for j in 0..7 {
                    let off = found[i][j] - lift - exact[i][j];
                    sum[i][j] += off;
                    squares[i][j] += off * off;
                }
            }
        }
        let size = laplacian.diagonal().iter().copied().fold(0.0, f64::max);
        let mut varied = 0;
        for i in 0..7 {
            for j in 0..7 {
                // Five standard deviations of the mean, and rounding to 32 bits.
                let bound = 5.0 * squares[i][j].sqrt() / draws as f64 + 1e-5 * size;
                let mean = sum[i][j] / draws as f64;
                assert!(mean.abs() < bound, "{i} {j}: {mean} beyond {bound}");
                varied += usize::from(squares[i][j] / draws as f64 > 1e-4 * size);
            }
        }
        assert!(varied > 10, "the factor hardly depends on the seed");
    }
}

#[test]
fn trees_are_solved_at_once() {
    let mut random = Random::new(1, Purpose::Shape);
    let edges: Vec<(u32, u32, f64)> =
        (1..30_000).map(|v| (random.below(v), v, 10f64.powf(4.0 * random.unit()))).collect();
    let tree = Graph::from_edges(30_000, &edges).unwrap();
    for graph in [tree, graph("path:20000", WIDE), graph("star:20000", WIDE)] {
        let (iterations, entries) = run(&graph, None, &ApproximateCholeskyParams::default());
        assert!(iterations <= 2, "{iterations}");
        // Inside a part, a path has no ends to start from.
        assert!(entries <= 1.5, "{entries}");
    }
}

#[test]
fn symmetric_and_positive() {
    // Cut into parts, with components, floating ones and others.
    let mut edges: Vec<(u32, u32, f64)> = graph("grid:150x150", WIDE).edges().collect();
    edges.extend(graph("grid:20x30", UNIT).edges().map(|(a, b, w)| (a + 22_501, b + 22_501, w)));
    let graph = Graph::from_edges(23_200, &edges).unwrap();
    let mut ground = vec![0.0; graph.len()];
    ground[22_700] = 2.0;
    for ground in [None, Some(&ground[..])] {
        let laplacian = Laplacian::new(&graph, ground);
        let factor = ApproximateCholesky::new(&laplacian, &ApproximateCholeskyParams::default());
        assert!(factor.parts.len() > 2);
        let (x, y) = (vector(graph.len(), 2), vector(graph.len(), 3));
        let (mut mx, mut my) = (x.clone(), y.clone());
        factor.apply(&x, &mut mx);
        factor.apply(&y, &mut my);
        let (xx, xy, yx) = (dot(&x, &mx), dot(&x, &my), dot(&y, &mx));
        assert!(xx > 0.0 && dot(&y, &my) > 0.0);
        assert!((xy - yx).abs() <= 1e-9 * xx, "{xy} {yx} {xx}");
        let mut balanced = mx.clone();
        assert!(laplacian.balance(&mut balanced) <= 1e-9 * dot(&mx, &mx).sqrt());
    }
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let graph = graph("grid:200x200", WIDE);
    let laplacian = Laplacian::new(&graph, None);
    let b = vector(graph.len(), 4);
    let product = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let params = ApproximateCholeskyParams { seed, ..Default::default() };
            let factor = ApproximateCholesky::new(&laplacian, &params);
            assert!(factor.parts.len() > 3);
            let mut z = vec![0.0; b.len()];
            factor.apply(&b, &mut z);
            // A used work vector must not show.
            factor.apply(&b, &mut z);
            z
        })
    };
    let one = product(1, 5);
    assert_eq!(product(2, 5), one);
    assert_eq!(product(3, 5), one);
    assert_ne!(product(2, 6), one);
}

#[test]
fn few_iterations_and_entries() {
    let extreme = Weights::LogUniform(1e-8, 1e8);
    for (shape, weights, most, entries) in [
        ("grid:200x200", UNIT, 36, 2.3),
        ("grid:200x200", WIDE, 36, 2.3),
        ("grid:200x200", extreme, 45, 2.3),
        ("grid:30x30x30", WIDE, 32, 3.0),
        ("road:30000", UNIT, 40, 2.2),
        ("geometric:30000:10", WIDE, 40, 1.6),
        ("random:20000:6", WIDE, 30, 6.0),
        ("random:20000:2", WIDE, 24, 2.3),
        ("clique:300", WIDE, 36, 1.0),
        ("star:30000", WIDE, 2, 1.0),
    ] {
        let (iterations, filled) = run(&graph(shape, weights), None, &Default::default());
        println!("{shape} {weights}: {iterations} iterations, {filled:.2} entries per edge");
        assert!(iterations <= most, "{shape} {weights}: {iterations} iterations");
        assert!(filled <= entries, "{shape} {weights}: {filled} entries per edge");
    }
}

#[test]
fn copies_of_edges_save_iterations() {
    let graph = graph("grid:200x200", WIDE);
    let with = |split, merge| {
        run(&graph, None, &ApproximateCholeskyParams { split, merge, ..Default::default() })
    };
    let (plain, split, more) = (with(1, 1), with(2, 2), with(4, 4));
    assert!(split.0 < plain.0 && more.0 < split.0, "{plain:?} {split:?} {more:?}");
    assert!(split.1 > plain.1 && more.1 > split.1, "{plain:?} {split:?} {more:?}");
    // Numbers that make no sense are taken for the nearest that do.
    assert_eq!(with(0, 0), plain);
}

#[test]
fn grounded_networks() {
    let graph = graph("grid:150x200", WIDE);
    let everywhere = vector(graph.len(), 5).iter().map(|x| x.abs() * 1e-3).collect::<Vec<f64>>();
    let mut corner = vec![0.0; graph.len()];
    corner[0] = 1.0;
    for ground in [&everywhere, &corner] {
        let (iterations, entries) = run(&graph, Some(ground), &Default::default());
        assert!(iterations <= 36 && entries <= 2.4, "{iterations} {entries}");
    }
    // One conductance to ground carries all current.
    let laplacian = Laplacian::new(&graph, Some(&corner));
    let factor = ApproximateCholesky::new(&laplacian, &Default::default());
    let (x, _) = solve(&laplacian, &factor, &vec![1.0; graph.len()], 1e-10);
    assert!((x[0] / graph.len() as f64 - 1.0).abs() < 1e-6, "{}", x[0]);
}

#[test]
fn a_raised_flag_ends_it() {
    let graph = graph("grid:60x60", WIDE);
    let (laplacian, cancel) = (Laplacian::new(&graph, None), Cancel::new());
    cancel.raise();
    let factor = ApproximateCholesky::until(Some(&cancel), &laplacian, &Default::default());
    assert_eq!(factor.entries(), 0);
}

#[test]
fn nothing_much() {
    for n in [0, 1, 2, 5000, 50_000] {
        let graph = Graph::from_edges(n, &[]).unwrap();
        let mut z = vec![9.0; n];
        let floating = Laplacian::new(&graph, None);
        let factor = ApproximateCholesky::new(&floating, &Default::default());
        factor.apply(&vector(n, 1), &mut z);
        assert!(z.iter().all(|&z| z == 0.0));
        assert_eq!((factor.entries(), factor.size()), (0, n));
        let ground = vec![4.0; n];
        let grounded = Laplacian::new(&graph, Some(&ground));
        ApproximateCholesky::new(&grounded, &Default::default()).apply(&vec![2.0; n], &mut z);
        assert!(z.iter().all(|&z| (z - 0.5).abs() < 1e-6));
    }
    // Many small components.
    let pairs: Vec<_> = (0..20_000).map(|i| (2 * i, 2 * i + 1, 0.5 + f64::from(i))).collect();
    let graph = Graph::from_edges(40_000, &pairs).unwrap();
    assert!(run(&graph, None, &Default::default()).0 <= 2);
}

#[test]
fn a_hub_is_linear() {
    // A wheel: the hub sees each of its 10^5 neighbours go.
    let n = 100_000;
    let rim = (1..n).map(|v| (v, v % (n - 1) + 1, 1.0));
    let spokes = (1..n).map(|v| (0, v, 0.01));
    let wheel = Graph::from_edges(n as usize, &rim.chain(spokes).collect::<Vec<_>>()).unwrap();
    let (iterations, entries) = run(&wheel, None, &Default::default());
    assert!(iterations <= 30 && entries <= 2.0, "{iterations} {entries}");
    let ground = vec![0.01; n as usize];
    let (iterations, entries) =
        run(&graph("path:100000", UNIT), Some(&ground), &Default::default());
    assert!(iterations <= 30 && entries <= 2.0, "{iterations} {entries}");
}

#[test]
fn weights_beyond_all_measure() {
    for (low, high) in [(1e-300, 1e-290), (1e290, 1e300), (1e-150, 1e150)] {
        let graph = graph("grid:20x20", Weights::LogUniform(low, high));
        let laplacian = Laplacian::new(&graph, None);
        let factor = ApproximateCholesky::new(&laplacian, &Default::default());
        let b: Vec<f64> = vector(400, 1).iter().map(|x| x * low).collect();
        let mut z = vec![0.0; 400];
        factor.apply(&b, &mut z);
        assert!(z.iter().all(|z| z.is_finite()), "{low}");
    }
}
