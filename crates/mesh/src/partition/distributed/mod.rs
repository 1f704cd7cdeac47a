//! A graph that no rank has whole, cut into parts.
//!
//! **Problem.** Every rank has the rows of consecutive vertices, perhaps with points and weights; out
//! comes the part of each of its vertices. No part is heavier than on one machine, and none is empty.
//!
//! **Method.** Multilevel, as on one machine (`multilevel.rs`), with other steps between the whole net
//! and one that is small enough for a rank:
//! 1. *Order.* A net with points whose neighbours are far apart in the file is sorted along Hilbert's
//!    curve (`along.rs`), so that few neighbours are on other ranks.
//! 2. *Coarsening* by matchings that do not depend on who has which vertices (`matching.rs`,
//!    `contract.rs`), until [`RanksPartitionParams::coarsest`] vertices are left.
//! 3. *Cutting* the smallest net, on one rank, as one machine would: by growing, and where there are points
//!    by circles and lines, for which the coarse vertices are the sample. Later *cycles* coarsen inside
//!    parts and improve the parts of the smallest net instead.
//! 4. *Refinement* on every size up to the whole: the vertices near borders go to a rank that improves
//!    several parts together (`band.rs`).
//!
//! **Cost.** [`Metered`] counts words and rounds; docs/scaling.md has them. Memory is that of the own
//! slice, of the smallest net on rank 0, and of bands.
//!
//! **Determinism.** The same seed gives the same parts on any number of ranks, for any slices.
//!
//! **When not to use.** A graph that fits one machine is cut faster by [`partition`](super::partition()).

mod along;
mod balance;
mod band;
mod coarsest;
mod contract;
mod cycle;
mod elements;
mod groups;
mod input;
mod matching;
mod shard;
#[cfg(test)]
mod tests;

pub use elements::{ElementSlice, copies_on_ranks, dual_graph_on_ranks, node_graph_on_ranks};

use super::{Method, PartitionError, PartitionParams, Preset};
use cycle::cut;
use palmette_core::DEFAULT_SEED;
use palmette_core::mesh::Point;
use palmette_core::ranks::{Metered, Ranks, RanksError, send};
use shard::Shard;
use thiserror::Error;

/// The smallest net has at least so many vertices per part.
const PER_PART: u64 = 64;

/// The vertices of a rank, which follow those of the rank before.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GraphSlice {
    /// By vertex: where its neighbours begin; one more for the end.
    pub offsets: Vec<usize>,
    /// Numbers in the whole graph. Every edge is listed at both ends; loops are passed over.
    pub neighbours: Vec<u32>,
    /// By neighbour, the weight of the edge; on all ranks none if all weigh 1.
    pub edge_weights: Vec<f64>,
    /// By vertex, its weight; on all ranks none if all weigh 1.
    pub weights: Vec<u32>,
    /// By vertex, its point; on all ranks none if nobody knows.
    pub points: Vec<Point>,
}

/// Options of [`partition_on_ranks`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RanksPartitionParams {
    /// How many parts.
    pub parts: u32,
    /// How much time to take.
    pub preset: Preset,
    /// How the smallest net is cut in two.
    pub bisection: Method,
    /// Allowed imbalance: how much heavier than the mean a part may be (0.03 is 3%).
    pub imbalance: f64,
    /// How many times coarsening and refining is repeated; by default once, and not for
    /// [`Preset::Fast`].
    pub cycles: Option<usize>,
    /// A net of so many vertices is cut by one rank.
    pub coarsest: usize,
    /// The seed.
    pub seed: u64,
}

impl Default for RanksPartitionParams {
    fn default() -> Self {
        let PartitionParams { parts, preset, bisection, imbalance, .. } =
            PartitionParams::default();
        RanksPartitionParams {
            parts,
            preset,
            bisection,
            imbalance,
            cycles: None,
            coarsest: 1 << 16,
            seed: DEFAULT_SEED,
        }
    }
}

impl RanksPartitionParams {
    /// What one machine would be told.
    fn on_one(&self) -> PartitionParams {
        PartitionParams {
            parts: self.parts,
            preset: self.preset,
            bisection: self.bisection,
            imbalance: self.imbalance,
            seed: self.seed,
            ..Default::default()
        }
    }

    /// How small nets become.
    fn smallest(&self) -> u64 {
        (self.coarsest as u64).max(PER_PART * u64::from(self.parts))
    }

    fn cycles(&self) -> usize {
        self.cycles.unwrap_or(usize::from(self.preset != Preset::Fast))
    }
}

/// Parts of a slice, and what all parts are like.
#[derive(Debug, Clone, PartialEq)]
pub struct RanksPartition {
    /// By vertex of the slice: its part.
    pub part: Vec<u32>,
    /// How many vertices all ranks have,
    pub vertices: u64,
    /// and how many edges.
    pub edges: u64,
    /// The weight of all edges between different parts.
    pub cut: f64,
    /// What the parts weigh.
    pub weights: Vec<u64>,
    /// How many vertices the net had that one rank cut.
    pub coarsest: u64,
}

/// Why there is no partition.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RanksPartitionError {
    /// As on one machine. Vertices count from 0, through all slices.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// What is between the ranks.
    #[error(transparent)]
    Ranks(#[from] RanksError),
    /// More vertices than 32 bits can number.
    #[error(
        "{vertices} vertices are too many; at most {} are possible",
        palmette_core::MAX_VERTICES
    )]
    TooManyVertices { vertices: u64 },
    /// A neighbour that does not exist.
    #[error("vertex {vertex} has neighbour {neighbour}, but there are only {vertices} vertices")]
    NoSuchVertex { vertex: u64, neighbour: u32, vertices: u64 },
    /// An edge that one end does not list, or with another weight.
    #[error("vertex {vertex} lists its neighbour {neighbour} otherwise than that lists it")]
    OneSided { vertex: u64, neighbour: u64 },
    /// A weight that is not positive.
    #[error("an edge has weight {weight}; weights must be positive and finite")]
    EdgeWeight { weight: f64 },
}

/// Cuts a graph whose vertices lie on many ranks; see the [module](self).
///
/// # Errors
/// As [`partition`](super::partition()); an edge that is not listed at both ends alike; a rank that fails. One
/// rank says why, and the others say which rank it was.
pub fn partition_on_ranks<R: Ranks>(
    ranks: &mut Metered<R>,
    slice: GraphSlice,
    params: &RanksPartitionParams,
) -> Result<RanksPartition, RanksPartitionError> {
    ranks.phase("graph");
    let (rows, scale) = input::checked(ranks, slice, params)?;
    let shard = Shard::new(ranks, rows)?;
    let located = ranks.sum(shard.points.len() as u64)? > 0;
    if params.bisection.needs_points() && !located {
        // All ranks see it, and the first tells.
        let error = PartitionError::NoPoints(params.bisection);
        ranks.agree(Err(RanksPartitionError::from(error)))?;
    }
    if shard.total() <= params.smallest() || !along::is_worth_it(ranks, &shard)? {
        let (part, found) = cut(ranks, &shard, params, scale)?;
        return Ok(RanksPartition { part, ..found });
    }
    let sorted = along::sorted(ranks, shard)?;
    let (part, found) = cut(ranks, &sorted.shard, params, scale)?;
    ranks.phase("graph");
    let told = send(ranks, |post| {
        for (&old, &p) in sorted.before.iter().zip(&part) {
            let old = u64::from(old);
            post(sorted.slices.owner(old), &[old << 32 | u64::from(p)]);
        }
    })?;
    let own = sorted.slices.of(ranks.rank());
    let mut part = vec![0; (own.end - own.start) as usize];
    for word in told.words {
        part[((word >> 32) - own.start) as usize] = word as u32;
    }
    Ok(RanksPartition { part, ..found })
}
