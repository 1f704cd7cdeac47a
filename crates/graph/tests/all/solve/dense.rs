//! The independent answer: Gaussian elimination on a dense matrix.

use palmette_core::Graph;

/// `L + D` as rows.
pub(crate) fn matrix(graph: &Graph, ground: Option<&[f64]>) -> Vec<Vec<f64>> {
    let n = graph.len();
    let mut rows = vec![vec![0.0; n]; n];
    for (a, b, w) in graph.edges() {
        let (a, b) = (a as usize, b as usize);
        rows[a][a] += w;
        rows[b][b] += w;
        rows[a][b] -= w;
        rows[b][a] -= w;
    }
    for (v, &g) in ground.unwrap_or_default().iter().enumerate() {
        rows[v][v] += g;
    }
    rows
}

/// Potentials, with mean 0 on floating components; currents are balanced first.
pub(crate) fn solve(graph: &Graph, ground: Option<&[f64]>, currents: &[f64]) -> Vec<f64> {
    let mut rows = matrix(graph, ground);
    let mut b = currents.to_vec();
    let floating = floating_parts(graph, ground);
    for part in &floating {
        let mean = part.iter().map(|&v| b[v]).sum::<f64>() / part.len() as f64;
        part.iter().for_each(|&v| b[v] -= mean);
        // The first vertex is held at 0.
        let held = part[0];
        rows.iter_mut().for_each(|row| row[held] = 0.0);
        rows[held].fill(0.0);
        rows[held][held] = 1.0;
        b[held] = 0.0;
    }
    let mut x = eliminate(rows, b);
    for part in &floating {
        let mean = part.iter().map(|&v| x[v]).sum::<f64>() / part.len() as f64;
        part.iter().for_each(|&v| x[v] -= mean);
    }
    x
}

/// The vertices of each floating component, by walking.
fn floating_parts(graph: &Graph, ground: Option<&[f64]>) -> Vec<Vec<usize>> {
    let mut seen = vec![false; graph.len()];
    let mut parts = Vec::new();
    for start in 0..graph.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut part = vec![start];
        let mut at = 0;
        while at < part.len() {
            for &u in graph.neighbours(part[at] as u32) {
                if !std::mem::replace(&mut seen[u as usize], true) {
                    part.push(u as usize);
                }
            }
            at += 1;
        }
        if !part.iter().any(|&v| ground.is_some_and(|ground| ground[v] > 0.0)) {
            parts.push(part);
        }
    }
    parts
}

fn eliminate(mut rows: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
        rows.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            if factor != 0.0 {
                let (above, below) = rows.split_at_mut(i);
                below[0][k..].iter_mut().zip(&above[k][k..]).for_each(|(x, y)| *x -= factor * y);
                b[i] -= factor * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| rows[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / rows[k][k];
    }
    b
}
