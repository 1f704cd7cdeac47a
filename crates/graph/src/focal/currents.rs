//! Currents through vertices, summed over experiments.

use super::experiments::{Experiment, Terminals};
use crate::Laplacian;
use palmette_core::LinOp;
use rayon::prelude::*;

/// Vertices that a thread takes at once.
const ROWS: usize = 1 << 10;

/// Adds the currents of experiments: at a vertex, half of what its edges carry and of what enters or
/// leaves there.
pub(super) fn listed(
    laplacian: &Laplacian<'_>,
    terminals: &Terminals,
    experiments: &[Experiment],
    currents: &mut [f64],
) {
    let (width, values) = (terminals.width, &terminals.values[..]);
    let graph = laplacian.graph();
    currents.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, currents)| {
        let mut differences = vec![0.0; width];
        for (v, current) in (chunk * ROWS..).zip(currents) {
            let own = &values[v * width..(v + 1) * width];
            let edges = graph.neighbours(v as u32).iter().zip(graph.weights(v as u32));
            for (&u, &w) in edges {
                let other = &values[u as usize * width..(u as usize + 1) * width];
                let pairs = differences.iter_mut().zip(own.iter().zip(other));
                pairs.for_each(|(d, (a, b))| *d = w * (a - b));
                for experiment in experiments {
                    let flow = experiment.terms.iter().map(|&(c, f)| f * differences[c as usize]);
                    *current += flow.sum::<f64>().abs() / 2.0;
                }
            }
        }
    });
    for &(vertex, flow) in experiments.iter().flat_map(|experiment| &experiment.injected) {
        currents[vertex as usize] += flow.abs() / 2.0;
    }
    debug_assert_eq!(currents.len(), laplacian.size());
}

/// As [`listed`] for each pair of points.
pub(super) fn all_pairs(laplacian: &Laplacian<'_>, terminals: &Terminals, currents: &mut [f64]) {
    let (width, values) = (terminals.width, &terminals.values[..]);
    let graph = laplacian.graph();
    let of = &laplacian.components().of;
    // By component, the columns of its points, with those that several points share so often.
    let mut columns: Vec<Vec<Option<u32>>> = vec![Vec::new(); laplacian.components().count()];
    let mut points: Vec<u32> = vec![0; terminals.vertices.len()];
    for t in terminals.points() {
        columns[terminals.component(t) as usize].push(terminals.columns[t as usize]);
        points[t as usize] += 1;
    }
    currents.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, currents)| {
        let mut differences = Vec::new();
        for (v, current) in (chunk * ROWS..).zip(currents) {
            let columns = &columns[of[v] as usize];
            if columns.len() < 2 {
                continue;
            }
            let own = &values[v * width..(v + 1) * width];
            let edges = graph.neighbours(v as u32).iter().zip(graph.weights(v as u32));
            for (&u, &w) in edges {
                let other = &values[u as usize * width..(u as usize + 1) * width];
                let difference =
                    |c: &Option<u32>| c.map_or(0.0, |c| own[c as usize] - other[c as usize]);
                differences.clear();
                differences.extend(columns.iter().map(difference));
                differences.sort_unstable_by(f64::total_cmp);
                // Each difference is subtracted from those above it, and those below from it.
                let first = 1.0 - differences.len() as f64;
                let ranked = differences.iter().enumerate();
                let sum: f64 = ranked.map(|(rank, d)| (first + 2.0 * rank as f64) * d).sum();
                *current += w * sum / 2.0;
            }
        }
    });
    for (t, &vertex) in terminals.vertices.iter().enumerate() {
        let all = columns[terminals.component(t as u32) as usize].len() as f64;
        let here = f64::from(points[t]);
        currents[vertex as usize] += here * (all - here) / 2.0;
    }
}
