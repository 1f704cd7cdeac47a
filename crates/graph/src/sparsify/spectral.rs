//! The spectral rule: edges that the skeleton itself replaces badly.
//!
//! **Problem.** Recover off-tree edges such that the relative condition number `κ` of graph and
//! skeleton gets small: a given number of them, or as few as make it at most a given number.
//!
//! **Method.** Half of the edges come from the feGRASS rule, whose criticalities are by the
//! tree. The rest comes in three passes. A pass factors the skeleton `H` as it is and takes random
//! vectors towards the eigenvectors of `H⁻¹ G` with the largest eigenvalues, by two steps
//! `x ← H⁻¹ G x` ([`Probe`]). An edge between `a` and `b` adds `w (x(a) − x(b))²` to what `G` has and
//! `H` has not; edges are taken by its sum over vectors, falling ([`pick`]). A taken edge marks the
//! [twenty](NEAR) vertices of `H` nearest to either end, and no edge of the same pass ends there while
//! others are left: near edges repair the same thing. Marking only neighbours made `κ` half as large
//! again. Where the skeleton fills in (expanders), all edges come from the feGRASS rule. With a target for `κ`, passes of one edge for a hundred vertices go on until an estimate
//! by the vectors of a Lanczos run is below it.
//!
//! **Cost.** For each pass a [factor](Reduced) of the skeleton, and two steps with four vectors at a
//! time: all three together two to four times what the feGRASS rule takes.
//!
//! **Determinism.** Random vectors have a fixed seed; the same edges on any number of threads.
//!
//! **Reference.** Feng, *GRASS: graph spectral sparsification leveraging scalable spectral
//! perturbation analysis*, 2020; Liu, Yu, Feng, *feGRASS*, 2022.
//!
//! **When not to use.** For the contest's task; where the skeleton does not fit into memory as a
//! factor.

use super::effective::RootBy;
use super::fegrass;
use super::probe::{Probe, pick};
use super::skeleton::Skeleton;
use super::{Edge, Recovery, SparsifyError};
use crate::Laplacian;
use crate::solve::{Floating, Reduced, spectrum_of};
use palmette_core::Graph;
use palmette_core::random::{Purpose, Random};

/// Passes, and the part of the edges that comes before them.
const PASSES: usize = 3;
const FIRST: f64 = 0.5;

/// Steps of the vectors of a pass.
pub(crate) const STEPS: usize = 2;

/// Edges before the passes and of each pass while a condition number is aimed at, in vertices per
/// edge.
const START: usize = 50;
pub(crate) const STRIDE: usize = 100;

/// Operations for the factor of a pass, per edge of the graph: about what the feGRASS rule takes.
const WORK: u64 = 500;

/// What an estimate of the condition number, which is from below, is trusted to be off by.
pub(crate) const MARGIN: f64 = 1.02;

/// The most steps of an estimate.
const ESTIMATE: usize = 100;

/// Recovers `budget` edges, or fewer when `condition` is reached before.
pub(super) fn recover(
    graph: &Graph,
    skeleton: &mut Skeleton,
    budget: usize,
    condition: Option<f64>,
) -> Result<Recovery, SparsifyError> {
    let n = graph.len();
    let first = match condition {
        Some(_) => (n / START).min(budget),
        None => (FIRST * budget as f64) as usize,
    };
    let mut recovery = fegrass::recover(skeleton, first);
    recovery.budget = budget;
    let laplacian = Laplacian::new(graph, None);
    let candidates = &skeleton.candidates;
    let off = &candidates.off;
    let mut places = vec![0u32; graph.edge_count()];
    (0u32..).zip(off).for_each(|(place, edge)| places[edge.number as usize] = place);
    let mut taken = vec![false; off.len()];
    recovery.edges.iter().for_each(|&number| taken[places[number as usize] as usize] = true);
    let mut pass = 0;
    while !recovery.is_complete() {
        let kept = skeleton.forest.iter().chain(&recovery.edges);
        let kept: Vec<(u32, u32, f64)> = kept.map(|&e| candidates.edge(e).triple()).collect();
        let work = condition.is_none().then(|| WORK * graph.edge_count() as u64);
        let factor = match Reduced::new(n, &kept, work) {
            Ok(factor) => factor,
            Err(_) if condition.is_none() => {
                return Ok(fegrass::recover(&mut Skeleton::new(graph, RootBy::Degree)?, budget));
            }
            Err(_) => return Err(SparsifyError::Factor { edges: kept.len() }),
        };
        if condition.is_some_and(|most| estimate(&laplacian, &factor) * MARGIN <= most) {
            break;
        }
        let left = budget - recovery.edges.len();
        let quota = match condition {
            Some(_) => (n / STRIDE).clamp(1, left),
            None => left.div_ceil(PASSES.saturating_sub(pass).max(1)),
        };
        let mut probe = Probe::new(n, pass as u64);
        probe.steps(&laplacian, &factor, STEPS);
        drop(factor);
        let free: Vec<u32> = (0..off.len() as u32).filter(|&i| !taken[i as usize]).collect();
        let edge = |i: u32| candidates.edge(off[i as usize].number).triple();
        let picked = pick(&kept, &free, edge, &probe, quota);
        if picked.is_empty() {
            break;
        }
        for i in picked {
            taken[i as usize] = true;
            recovery.take(&off[i as usize]);
        }
        pass += 1;
    }
    Ok(recovery)
}

impl Edge {
    fn triple(self) -> (u32, u32, f64) {
        (self.a, self.b, self.weight)
    }
}

/// The condition number of graph and skeleton, from below.
pub(crate) fn estimate(laplacian: &Laplacian<'_>, factor: &Reduced) -> f64 {
    let mut random = Random::new(1, Purpose::Samples);
    let mut b: Vec<f64> = (0..laplacian.graph().len()).map(|_| random.unit() - 0.5).collect();
    laplacian.balance(&mut b);
    spectrum_of(laplacian, factor, Floating::of(laplacian), &b, ESTIMATE).condition()
}
