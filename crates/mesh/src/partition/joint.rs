//! Partition and placement together.
//!
//! **Problem.** A graph and a machine; out come parts and their processors with few values
//! times hops in all, which neither a partition made without the machine nor a
//! placement of finished parts can reach.
//!
//! **Method.** A plain partition is placed by search. Then in turns: the parts are refined
//! with the cost of their places as the distance between them, coarse to fine, and
//! the parts, as they are now, search for better places. The best turn is kept. Several
//! starts run in parallel.
//!
//! **Determinism.** The same seed gives the same answer on any number of threads.

use super::multilevel::{again, limit};
use super::net::Net;
use super::refine::Distances;
use super::{Partition, PartitionError, PartitionParams, check};
use crate::placement::{Method as Placing, SearchParams, Subject, improve, place};
use crate::placement::{PlacementError, cost};
use crate::{CutTree, Machine, Placement, Quotient};
use palmette_core::Graph;
use palmette_core::mesh::Point;
use rayon::prelude::*;
use thiserror::Error;

/// Options of [`map_jointly`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointParams {
    /// How to cut; the number of parts may be smaller than that of processors.
    pub partition: PartitionParams,
    /// How to search for places.
    pub search: SearchParams,
    /// Turns of refining parts and moving them.
    pub turns: usize,
    /// Starts, the best of which is kept.
    pub starts: u32,
}

impl Default for JointParams {
    fn default() -> Self {
        JointParams {
            partition: PartitionParams { cycles: Some(1), ..PartitionParams::default() },
            search: SearchParams { restarts: 2, ..SearchParams::default() },
            turns: 8,
            starts: 4,
        }
    }
}

/// Why there is no mapping.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum JointError {
    /// No partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// No placement.
    #[error(transparent)]
    Placement(#[from] PlacementError),
}

/// Cuts a graph and places its parts: in turns, parts are refined with the cost of their
/// places as the distance between them, and search for better places.
///
/// # Errors
/// As [`partition`](super::partition) and [`place`].
pub fn map_jointly(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    machine: &Machine,
    params: &JointParams,
) -> Result<(Partition, Placement), JointError> {
    check(graph.len(), points, weights, &params.partition)?;
    let net = Net::new(graph, points, weights);
    let starts: Vec<Result<Mapped, JointError>> = (0..params.starts.max(1))
        .into_par_iter()
        .map(|start| {
            let seed = params.partition.seed.wrapping_mul(64).wrapping_add(u64::from(start));
            let partition = PartitionParams { seed, ..params.partition };
            let search = SearchParams { seed, ..params.search };
            start_from(graph, &net, machine, &JointParams { partition, search, ..*params })
        })
        .collect();
    let mut best: Option<Mapped> = None;
    for mapped in starts {
        let mapped = mapped?;
        if best.as_ref().is_none_or(|best| mapped.cost < best.cost) {
            best = Some(mapped);
        }
    }
    let Some(Mapped { part, placement, .. }) = best else {
        return Err(PartitionError::NoParts.into());
    };
    Ok((Partition { part, tree: CutTree::halving(params.partition.parts) }, placement))
}

struct Mapped {
    part: Vec<u32>,
    placement: Placement,
    cost: u64,
}

/// The cost between the places of parts.
struct Places {
    parts: usize,
    costs: Vec<i64>,
}

impl Places {
    fn new(machine: &Machine, placement: &Placement) -> Places {
        let places = placement.processors();
        let costs = places
            .iter()
            .flat_map(|&a| places.iter().map(move |&b| i64::from(machine.cost(a, b))))
            .collect();
        Places { parts: places.len(), costs }
    }
}

impl Distances for Places {
    #[inline]
    fn between(&self, a: u32, b: u32) -> i64 {
        self.costs[a as usize * self.parts + b as usize]
    }
}

fn start_from(
    graph: &Graph,
    net: &Net,
    machine: &Machine,
    params: &JointParams,
) -> Result<Mapped, JointError> {
    let parts = params.partition.parts as usize;
    let limits = vec![limit(net.weight(), &params.partition); parts];
    let mut part = super::multilevel::refined(net, &params.partition);
    let tree = CutTree::halving(params.partition.parts);
    let quotient = Quotient::of(graph, &part, parts);
    let subject = Subject { quotient: &quotient, machine, cut_tree: Some(&tree), centroids: None };
    let mut placement = place(Placing::Search, &subject, &params.search)?;
    let cost_now = cost(&quotient, machine, &placement);
    let mut best = Mapped { part: part.clone(), placement: placement.clone(), cost: cost_now };
    for turn in 1..=params.turns as u64 {
        let places = Places::new(machine, &placement);
        part = again(net, &params.partition, &limits, part, &places, turn << 8);
        let quotient = Quotient::of(graph, &part, parts);
        placement = improve(&quotient, machine, placement, &params.search);
        let cost = cost(&quotient, machine, &placement);
        if cost < best.cost {
            best = Mapped { part: part.clone(), placement: placement.clone(), cost };
        }
    }
    Ok(best)
}
