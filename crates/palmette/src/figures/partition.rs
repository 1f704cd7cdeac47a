//! Parts of a graph or of the elements of a mesh, in figures.

use super::*;
use palmette_core::NONE;
use palmette_mesh::PartitionParams;
use palmette_mesh::partition::distributed::RanksPartition;
use palmette_mesh::partition::{Demands, ElementPartition, limits};

/// The quality of a partition.
///
/// ```
/// use palmette::{Graph, PartitionFigures};
/// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)])?;
/// let figures = PartitionFigures::of(&path, &[0, 1, 1, 0], 2, None);
/// assert_eq!((figures.cut, figures.imbalance, figures.components), (2.0, 0.0, 3));
/// # Ok::<(), palmette::core::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PartitionFigures {
    /// The number of parts.
    pub parts: usize,
    /// The weight of the edges between parts; their number where all weigh 1.
    pub cut: f64,
    /// How much heavier the heaviest part is than the mean: 0.03 is 3%.
    pub imbalance: f64,
    /// The weight of the lightest part; its vertices where all weigh 1.
    pub smallest: u64,
    /// The weight of the heaviest part.
    pub largest: u64,
    /// Connected pieces of all parts together: as many as parts when each is in one piece.
    pub components: usize,
}

impl PartitionFigures {
    /// The figures of parts of a graph, whose vertices may have weights: two sweeps.
    ///
    /// # Panics
    /// When there is not a part below `parts` for each vertex.
    pub fn of(
        graph: &Graph,
        part: &[u32],
        parts: usize,
        weights: Option<&[u32]>,
    ) -> PartitionFigures {
        PartitionFigures::of_sizes(graph, part, parts, weights, &[])
    }

    /// The same for parts that shall have these sizes: the imbalance is that against them.
    ///
    /// # Panics
    /// As [`PartitionFigures::of`]; when there is another number of sizes than parts or none.
    pub fn of_sizes(
        graph: &Graph,
        part: &[u32],
        parts: usize,
        weights: Option<&[u32]>,
        targets: &[f64],
    ) -> PartitionFigures {
        assert_eq!(graph.len(), part.len(), "a part per vertex");
        let mut sizes = vec![0u64; parts];
        for (v, &p) in part.iter().enumerate() {
            sizes[p as usize] += weights.map_or(1, |weights| u64::from(weights[v]));
        }
        let is_cut = |&(a, b, _): &(u32, u32, f64)| part[a as usize] != part[b as usize];
        let cut = graph.edges().filter(is_cut).map(|edge| edge.2).sum();
        let inside: Vec<(u32, u32)> =
            graph.edges().filter(|edge| !is_cut(edge)).map(|edge| (edge.0, edge.1)).collect();
        let imbalance = imbalance(&sizes, targets);
        let largest = sizes.iter().copied().max().unwrap_or(0);
        PartitionFigures {
            parts,
            cut,
            imbalance,
            smallest: sizes.iter().copied().min().unwrap_or(0),
            largest,
            components: graph.subgraph(&inside).components().count(),
        }
    }
}

/// How much heavier than its target the part is of which that is most; targets are the mean where
/// there are none.
fn imbalance(sizes: &[u64], targets: &[f64]) -> f64 {
    let total = sizes.iter().sum::<u64>() as f64;
    let largest = sizes.iter().copied().max().unwrap_or(0) as f64;
    if total == 0.0 {
        return 0.0;
    }
    if targets.is_empty() {
        return largest / (total / sizes.len().max(1) as f64) - 1.0;
    }
    assert_eq!(sizes.len(), targets.len(), "a target per part");
    let sum: f64 = targets.iter().sum();
    let over = sizes.iter().zip(targets).map(|(&size, target)| size as f64 * sum / total / target);
    over.fold(0.0, f64::max) - 1.0
}

/// What demands on parts come to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DemandFigures {
    /// Where vertices have several weights: the imbalance of each.
    pub imbalances: Option<Vec<f64>>,
    /// How many vertices are fixed, where some are.
    pub fixed: Option<usize>,
    /// Where an objective was named: all values that parts send, and most that one sends.
    pub volume: Option<[u64; 2]>,
    /// With a previous partition: the vertices that have another part now, and what they weigh.
    pub migrated: Option<(usize, u64)>,
    /// Weights of parts that are above what they may be: vertices are too heavy, or nothing better
    /// was found. Nothing where nothing is demanded.
    pub over_limit: Option<usize>,
}

impl DemandFigures {
    /// Of parts that exchange what the quotient says. Fixed vertices that are not where they are
    /// fixed do not count.
    ///
    /// # Panics
    /// When demands are not for these parts.
    pub fn of(
        part: &[u32],
        quotient: &Quotient,
        weights: Option<&[u32]>,
        params: &PartitionParams,
        demands: &Demands,
    ) -> DemandFigures {
        if demands.is_empty() {
            return DemandFigures::default();
        }
        let parts = quotient.parts();
        let weight = |v: usize| weights.map_or(1, |weights| u64::from(weights[v]));
        let mut over = 0;
        let mut of_kind = |weight: &dyn Fn(usize) -> u64| {
            let mut sizes = vec![0u64; parts];
            part.iter().enumerate().for_each(|(v, &p)| sizes[p as usize] += weight(v));
            let limits = limits(sizes.iter().sum::<u64>() as i64, params, &demands.sizes);
            over += sizes.iter().zip(limits).filter(|&(&size, limit)| size as i64 > limit).count();
            imbalance(&sizes, &demands.sizes)
        };
        let mut imbalances = vec![of_kind(&weight)];
        imbalances.extend(demands.further.iter().map(|w| of_kind(&|v| u64::from(w[v]))));
        let mut held = demands.fixed.clone();
        held.retain(|&(v, p)| part[v as usize] == p);
        held.sort_unstable();
        held.dedup();
        let sent = |p: u32| quotient.sends(p).iter().sum::<u64>();
        let sent = (0..parts as u32).map(sent);
        let moved = demands.previous.as_ref().map(|previous| {
            let known = previous.part.iter().enumerate().filter(|(_, old)| **old != NONE);
            let moved = known.filter(|&(v, &old)| part[v] != old);
            moved.fold((0, 0), |(count, sum), (v, _)| (count + 1, sum + weight(v)))
        });
        DemandFigures {
            imbalances: (!demands.further.is_empty()).then_some(imbalances),
            fixed: (!demands.fixed.is_empty()).then_some(held.len()),
            volume: demands
                .objective
                .map(|_| [sent.clone().sum(), sent.clone().max().unwrap_or(0)]),
            migrated: moved,
            over_limit: Some(over),
        }
    }
}

impl Figures for DemandFigures {
    fn figures(&self, record: &mut Record) {
        if let Some(imbalances) = &self.imbalances {
            record.figure("imbalances", imbalances.clone());
        }
        if let Some(fixed) = self.fixed {
            record.figure("fixed", fixed);
        }
        if let Some([volume, largest]) = self.volume {
            record.figure("volume", volume).figure("largest_volume", largest);
        }
        if let Some((nodes, weight)) = self.migrated {
            record.figure("migrated", nodes).figure("migrated_weight", weight);
        }
        if let Some(over) = self.over_limit {
            record.figure("over_limit", over);
        }
    }
}

impl Figures for PartitionFigures {
    fn figures(&self, record: &mut Record) {
        record
            .figure("parts", self.parts)
            .figure("cut", whole(self.cut))
            .figure("imbalance", self.imbalance)
            .figure("smallest_part", self.smallest)
            .figure("largest_part", self.largest)
            .figure("components", self.components);
    }
}

/// As those of one machine, but for the pieces of parts, which no rank can count.
impl Figures for RanksPartition {
    fn figures(&self, record: &mut Record) {
        let mean = self.weights.iter().sum::<u64>() as f64 / self.weights.len().max(1) as f64;
        let largest = self.weights.iter().copied().max().unwrap_or(0);
        record
            .figure("vertices", self.vertices)
            .figure("edges", self.edges)
            .figure("parts", self.weights.len())
            .figure("cut", whole(self.cut))
            .figure("imbalance", if mean > 0.0 { largest as f64 / mean - 1.0 } else { 0.0 })
            .figure("smallest_part", self.weights.iter().copied().min().unwrap_or(0))
            .figure("largest_part", largest)
            .figure("smallest_net", self.coarsest);
    }
}

/// What parts of elements have beside the figures of parts.
impl Figures for ElementPartition {
    fn figures(&self, record: &mut Record) {
        record.figure("copies", self.copies);
    }
}

/// Adds the size of a separator: vertices that touch every edge between parts.
pub fn separator(record: &mut Record, vertices: usize) {
    record.figure("separator_size", vertices);
}
