//! The spectral rule: edges that the skeleton itself replaces badly.
//!
//! **Problem.** Recover off-tree edges such that the relative condition number `κ` of graph and
//! skeleton gets small: a given number of them, or as few as make it at most a given number.
//!
//! **Method.** A part of the edges comes from the feGRASS rule, whose criticalities are by the
//! tree. The rest comes in passes. A pass factors the skeleton `H` as it is and takes random
//! vectors towards the eigenvectors of `H⁻¹ G` with the largest eigenvalues, by two steps
//! `x ← H⁻¹ G x`. An edge between `a` and `b` adds `w (x(a) − x(b))²` to what `G` has and `H` has
//! not; edges are taken by its sum over vectors, falling, but none with an end that is near
//! another edge of the same pass: near edges repair the same thing. With a target for `κ`, passes
//! go on until an estimate by the vectors of a Lanczos run is below it.
//!
//! **Cost.** For each of eight passes a factor of the skeleton and 16 solves with it; the vectors
//! on all threads.
//!
//! **Determinism.** Random vectors have a fixed seed; the same edges on any number of threads.
//!
//! **Reference.** Feng, *GRASS: graph spectral sparsification leveraging scalable spectral
//! perturbation analysis*, 2020; Liu, Yu, Feng, *feGRASS*, 2022.
//!
//! **When not to use.** For the contest's task; where the skeleton does not fit into memory as a
//! factor.

use super::fegrass;
use super::rank::{Ranked, sort_descending};
use super::skeleton::Skeleton;
use super::{Edge, Recovery, SparsifyError};
use crate::Laplacian;
use crate::solve::spectrum::ritz_values;
use crate::solve::{Factor, Floating, coefficients};
use palmette_core::random::{Purpose, Random};
use palmette_core::{Graph, LinOp, Lists};
use rayon::prelude::*;

/// Passes, and the part of the edges that comes before them.
const PASSES: usize = 8;
const FIRST: f64 = 0.6;

/// Random vectors of a pass, and steps of each.
const VECTORS: usize = 8;
const STEPS: usize = 2;

/// Edges of a pass, in vertices per edge, while a condition number is aimed at.
const STRIDE: usize = 100;

/// Steps of an estimate of the condition number, which is from below, and what it is trusted to be
/// off by.
const ESTIMATE: usize = 60;
const MARGIN: f64 = 1.02;

/// Recovers `budget` edges, or fewer when `condition` is reached before.
pub(super) fn recover(
    graph: &Graph,
    skeleton: &mut Skeleton,
    budget: usize,
    condition: Option<f64>,
) -> Result<Recovery, SparsifyError> {
    let n = graph.len();
    let first = match condition {
        Some(_) => (n / 20).min(budget),
        None => (FIRST * budget as f64) as usize,
    };
    let mut recovery = fegrass::recover(skeleton, first);
    recovery.budget = budget;
    let laplacian = Laplacian::new(graph, None);
    let off = &skeleton.candidates.off;
    let mut taken = vec![false; off.len()];
    let index: std::collections::HashMap<u32, usize> =
        off.iter().enumerate().map(|(i, edge)| (edge.number, i)).collect();
    recovery.edges.iter().for_each(|number| taken[index[number]] = true);
    let mut pass = 0;
    while !recovery.is_complete() {
        let kept = skeleton.forest.iter().chain(&recovery.edges);
        let kept: Vec<(u32, u32)> = kept.map(|&e| skeleton.candidates.ends(e)).collect();
        let current = graph.subgraph(&kept);
        let factor = Factor::new(&Laplacian::new(&current, None), None, None)
            .map_err(|_| SparsifyError::Factor { edges: kept.len() })?;
        if condition.is_some_and(|most| estimate(&laplacian, &factor) * MARGIN <= most) {
            break;
        }
        let left = budget - recovery.edges.len();
        let quota = match condition {
            Some(_) => (n / STRIDE).clamp(1, left),
            None => left.div_ceil(PASSES.saturating_sub(pass).max(1)),
        };
        let vectors = vectors(&laplacian, &factor, pass as u64);
        let mut ranked = rank(skeleton, &taken, &vectors);
        sort_descending(&mut ranked);
        let links = Lists::by_key(n, kept.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
        let end = recovery.edges.len() + quota;
        take(skeleton, &links, &ranked, end, &mut taken, &mut recovery);
        pass += 1;
    }
    Ok(recovery)
}

/// Random vectors after a few steps, each with its largest difference scaled away.
fn vectors(laplacian: &Laplacian<'_>, factor: &Factor, pass: u64) -> Vec<Vec<f64>> {
    let one = |k: usize| {
        let n = laplacian.size();
        let mut random = Random::new(pass * VECTORS as u64 + k as u64, Purpose::Vectors);
        let mut x: Vec<f64> = (0..n).map(|_| random.unit() - 0.5).collect();
        let mut y = vec![0.0; n];
        for _ in 0..STEPS {
            laplacian.apply(&x, &mut y);
            factor.apply(&y, &mut x);
        }
        // Each vector counts the same: by its square in the skeleton, up to a step.
        laplacian.apply(&x, &mut y);
        let square: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        let scale = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
        x.iter_mut().for_each(|x| *x *= scale);
        x
    };
    (0..VECTORS).into_par_iter().map(one).collect()
}

/// What each off-tree edge that is not taken adds to the graph's form on the vectors.
fn rank(skeleton: &Skeleton, taken: &[bool], vectors: &[Vec<f64>]) -> Vec<Ranked> {
    let candidates = &skeleton.candidates;
    let free = (0..candidates.off.len()).into_par_iter().with_min_len(1 << 10);
    let free = free.filter(|&i| !taken[i]);
    free.map(|i| {
        let Edge { a, b, weight } = candidates.edge(candidates.off[i].number);
        let square = |x: &Vec<f64>| (x[a as usize] - x[b as usize]).powi(2);
        let key = weight * vectors.iter().map(square).sum::<f64>();
        Ranked { key: key.to_bits(), number: i as u32 }
    })
    .collect()
}

/// Takes edges in order up to a number of them, first those far from others of this pass.
fn take(
    skeleton: &Skeleton,
    links: &Lists,
    ranked: &[Ranked],
    end: usize,
    taken: &mut [bool],
    recovery: &mut Recovery,
) {
    let candidates = &skeleton.candidates;
    let mut marks = vec![0u32; skeleton.tree.len()];
    for limit in 1.. {
        let before = recovery.edges.len();
        for item in ranked {
            if recovery.edges.len() >= end {
                return;
            }
            let off = candidates.off[item.number as usize];
            let (a, b) = candidates.ends(off.number);
            if taken[item.number as usize]
                || marks[a as usize] >= limit
                || marks[b as usize] >= limit
            {
                continue;
            }
            taken[item.number as usize] = true;
            recovery.take(&off);
            for v in [a, b] {
                marks[v as usize] += 1;
                links.of(v).iter().for_each(|&u| marks[u as usize] += 1);
            }
        }
        if recovery.edges.len() == before && ranked.iter().all(|r| taken[r.number as usize]) {
            return;
        }
    }
}

/// The condition number of graph and skeleton, from below.
fn estimate(laplacian: &Laplacian<'_>, factor: &Factor) -> f64 {
    let mut random = Random::new(1, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.size()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    let steps = coefficients(laplacian, factor, Floating::of(laplacian), &b, ESTIMATE);
    ritz_values(&steps).map_or(1.0, |(smallest, largest)| largest / smallest)
}
