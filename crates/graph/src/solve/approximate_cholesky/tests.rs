use super::*;
use palmette_core::graph::generate::{Weights, generate};
use std::time::Instant;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let sums: Vec<f64> = a
        .par_chunks(1 << 14)
        .zip(b.par_chunks(1 << 14))
        .map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum())
        .collect();
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
    while dot(&r, &r).sqrt() > enough && iterations < 2000 {
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

#[test]
#[ignore = "takes a minute; prints times"]
fn timing() {
    let wide = Weights::LogUniform(1e-2, 1e2);
    let only = std::env::var("ONLY").unwrap_or_default();
    let num = |name: &str, d: u64| {
        std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok()).unwrap_or(d)
    };
    let params = ApproximateCholeskyParams {
        split: num("SPLIT", 1) as u32,
        merge: num("MERGE", 1) as u32,
        parts: num("PARTS", 2) as usize,
        seed: 1,
    };
    let threads = num("T", 2) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    println!("{params:?} threads {threads}");
    println!("case | factor s | entries/edge | iterations | solve s | total s | apply ms | product ms");
    for (shape, weights) in [
        ("grid:1000x1000", wide),
        ("grid:100x100x100", wide),
        ("road:126000", Weights::Unit),
        ("geometric:1000000:10", wide),
        ("random:1000000:10", wide),
    ] {
        if !shape.contains(&only) {
            continue;
        }
        pool.install(|| {
            let graph = generate(shape.parse().unwrap(), weights, 1).unwrap().graph;
            let laplacian = Laplacian::new(&graph, None);
            let mut b = vector(graph.len(), 1);
            laplacian.balance(&mut b);
            let start = Instant::now();
            let factor = ApproximateCholesky::new(&laplacian, &params);
            let made = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let (x, iterations) = solve(&laplacian, &factor, &b, 1e-6);
            let solved = start.elapsed().as_secs_f64();
            let mut y = vec![0.0; b.len()];
            let start = Instant::now();
            (0..5).for_each(|_| factor.apply(&x, &mut y));
            let apply = start.elapsed().as_secs_f64() * 200.0;
            let start = Instant::now();
            (0..5).for_each(|_| laplacian.apply(&x, &mut y));
            let product = start.elapsed().as_secs_f64() * 200.0;
            let residual: f64 = y.iter().zip(&b).map(|(y, b)| (y - b) * (y - b)).sum();
            println!(
                "{shape} | {made:.3} | {:.2} | {iterations} | {solved:.3} | {:.3} | {apply:.1} | {product:.1} | {:.1e}",
                factor.entries() as f64 / graph.edge_count() as f64,
                made + solved,
                (residual / dot(&b, &b)).sqrt()
            );
        });
    }
}
