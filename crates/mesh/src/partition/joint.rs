//! Partition and placement together.
//!
//! **Problem.** A graph and a machine; out come parts and their processors with few values
//! times hops in all, which neither a partition made without the machine nor a
//! placement of finished parts can reach.
//!
//! **Method.** A plain partition is placed by search; on a fat tree, parts are made for its
//! largest groups first, and within them for smaller ones. Then in turns: the parts are refined
//! with the cost of their places as the distance between them, coarse to fine, and
//! the parts, as they are now, search for better places. The best turn is kept. Several
//! starts run in parallel; the worse half of them gives up every other turn.
//!
//! **Determinism.** The same seed gives the same answer on any number of threads.

use super::goals::Goals;
use super::groups::by_groups;
use super::multilevel::{again, from_seed};
use super::net::Net;
use super::refine::Distances;
use super::refine::volume::{self, Heat};
use super::{Demands, Partition, PartitionError, PartitionParams, check, connected};
use crate::placement::{Method as Placing, SearchParams, Subject, improve, place};
use crate::placement::{PlacementError, cost};
use crate::{CutTree, Machine, Placement, Quotient};
use palmette_core::mesh::Point;
use palmette_core::random::{Purpose, Random};
use palmette_core::{Graph, named};
use rayon::prelude::*;
use thiserror::Error;

/// Sweeps of annealing in a turn, and the first temperature in costs of a single hop.
const SWEEPS: u32 = 10;
const HEAT: f64 = 0.5;

named! {
    /// What travels, when parts are placed.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum MapObjective("mapping objective") {
        /// Values: each once to every part that needs it.
        #[default]
        Values = "values",
        /// Edges between parts, each both ways.
        Cut = "cut",
    }
}

impl MapObjective {
    /// What parts exchange, as this counts it.
    ///
    /// # Panics
    /// As [`Quotient::of`].
    pub fn quotient(self, graph: &Graph, part: &[u32], parts: usize) -> Quotient {
        match self {
            MapObjective::Values => Quotient::of(graph, part, parts),
            MapObjective::Cut => Quotient::of_edges(graph, part, parts),
        }
    }
}

/// Options of [`map_jointly`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointParams {
    /// How to cut; the number of parts may be smaller than that of processors.
    pub partition: PartitionParams,
    /// How to search for places.
    pub search: SearchParams,
    /// What travels.
    pub objective: MapObjective,
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
            objective: MapObjective::default(),
            turns: 6,
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
    map_jointly_as(graph, points, weights, machine, params, &Demands::default())
}

/// As [`map_jointly`], where parts keep to more than their number: sizes, and several weights.
///
/// # Errors
/// As [`map_jointly`]; demands that parts which are placed together cannot keep.
pub fn map_jointly_as(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    machine: &Machine,
    params: &JointParams,
    demands: &Demands,
) -> Result<(Partition, Placement), JointError> {
    check(graph.len(), points, weights, &params.partition)?;
    demands.check(graph.len(), &params.partition)?;
    if !demands.fixed.is_empty() || demands.previous.is_some() || demands.objective.is_some() {
        return Err(PartitionError::NotJointly.into());
    }
    let mut net = Net::new(graph, points, weights);
    demands.apply(&mut net);
    let goals = Goals::new(&net, &params.partition, &demands.sizes);
    if params.partition.contiguous {
        connected::check_components(&net, params.partition.parts)?;
    }
    let mut runs = (0..params.starts.max(1))
        .into_par_iter()
        .map(|start| {
            let seed = params.partition.seed.wrapping_mul(64).wrapping_add(u64::from(start));
            let partition = PartitionParams { seed, ..params.partition };
            let search = SearchParams { seed, ..params.search };
            let params = JointParams { partition, search, ..*params };
            Run::new(graph, &net, machine, &goals, params)
        })
        .collect::<Result<Vec<Run<'_>>, JointError>>()?;
    // Every other turn, the worse half of the starts gives up.
    for turn in 1..=params.turns as u64 {
        runs.par_iter_mut().for_each(|run| run.turn(turn));
        if turn % 2 == 0 {
            runs.sort_by_key(|run| run.best.cost);
            runs.truncate(runs.len().div_ceil(2));
        }
    }
    let best = runs.into_iter().map(|run| run.best).min_by_key(|mapped| mapped.cost);
    let Some(Mapped { mut part, placement, .. }) = best else {
        return Err(PartitionError::NoParts.into());
    };
    if params.partition.contiguous {
        let whole = connected::mended(&net, &goals, part);
        part = whole.ok_or(PartitionError::NotConnected { proved: false })?;
    }
    Ok((Partition { part, tree: CutTree::halving(params.partition.parts) }, placement))
}

#[derive(Clone)]
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

    /// The least cost between two places: that of neighbours.
    fn least(&self) -> f64 {
        self.costs.iter().copied().filter(|&cost| cost > 0).min().unwrap_or(0) as f64
    }
}

impl Distances for Places {
    #[inline]
    fn between(&self, a: u32, b: u32) -> i64 {
        self.costs[a as usize * self.parts + b as usize]
    }
}

/// A start, how far it has come, and the best it had.
struct Run<'a> {
    graph: &'a Graph,
    net: &'a Net,
    machine: &'a Machine,
    params: JointParams,
    goals: &'a Goals,
    now: Mapped,
    best: Mapped,
}

impl<'a> Run<'a> {
    fn new(
        graph: &'a Graph,
        net: &'a Net,
        machine: &'a Machine,
        goals: &'a Goals,
        params: JointParams,
    ) -> Result<Run<'a>, JointError> {
        let parts = params.partition.parts as usize;
        let tree = machine.fat_tree().filter(|tree| tree.processors() == parts);
        let tree = tree.filter(|_| goals.plain);
        let grouped = tree.and_then(|tree| by_groups(net, tree, &params.partition));
        let method = if grouped.is_some() { Placing::Identity } else { Placing::Search };
        let part = grouped.unwrap_or_else(|| from_seed(net, &params.partition, goals));
        let tree = CutTree::halving(params.partition.parts);
        let quotient = params.objective.quotient(graph, &part, parts);
        let subject =
            Subject { quotient: &quotient, machine, cut_tree: Some(&tree), centroids: None };
        let placement = place(method, &subject, &params.search)?;
        let cost = cost(&quotient, machine, &placement);
        let now = Mapped { part, placement, cost };
        Ok(Run { graph, net, machine, params, goals, best: now.clone(), now })
    }

    /// Refines the parts where they are, then moves them.
    fn turn(&mut self, turn: u64) {
        let places = Places::new(self.machine, &self.now.placement);
        let part = std::mem::take(&mut self.now.part);
        let part = again(self.net, &self.params.partition, self.goals, part, &places, turn << 8);
        let objective = self.params.objective;
        let part = match objective {
            MapObjective::Values => self.count_values(part, &places, turn),
            MapObjective::Cut => part,
        };
        let quotient = objective.quotient(self.graph, &part, self.goals.limits.len());
        let placement = self.now.placement.clone();
        let placement = improve(&quotient, self.machine, placement, &self.params.search);
        let cost = cost(&quotient, self.machine, &placement);
        self.now = Mapped { part, placement, cost };
        if cost < self.best.cost {
            self.best = self.now.clone();
        }
    }

    /// Refines for values sent, where the cycle before counts edges.
    fn count_values(&self, part: Vec<u32>, places: &Places, turn: u64) -> Vec<u32> {
        let seed = self.params.partition.seed;
        let mut random = Random::numbered(seed, Purpose::Partition, !turn);
        let mut parts = self.goals.parts(self.net, part);
        let heat = Heat { sweeps: SWEEPS, first: HEAT * places.least() };
        volume::improve(self.net, &mut parts, places, heat, &mut random);
        parts.part
    }
}
