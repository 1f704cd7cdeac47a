//! Parts of a graph or of the elements of a mesh, in figures.

use super::*;
use palmette_mesh::partition::ElementPartition;
use palmette_mesh::partition::distributed::RanksPartition;

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
        assert_eq!(graph.len(), part.len(), "a part per vertex");
        let mut sizes = vec![0u64; parts];
        for (v, &p) in part.iter().enumerate() {
            sizes[p as usize] += weights.map_or(1, |weights| u64::from(weights[v]));
        }
        let is_cut = |&(a, b, _): &(u32, u32, f64)| part[a as usize] != part[b as usize];
        let cut = graph.edges().filter(is_cut).map(|edge| edge.2).sum();
        let inside: Vec<(u32, u32)> =
            graph.edges().filter(|edge| !is_cut(edge)).map(|edge| (edge.0, edge.1)).collect();
        let mean = sizes.iter().sum::<u64>() as f64 / parts.max(1) as f64;
        let largest = sizes.iter().copied().max().unwrap_or(0);
        PartitionFigures {
            parts,
            cut,
            imbalance: if mean > 0.0 { largest as f64 / mean - 1.0 } else { 0.0 },
            smallest: sizes.iter().copied().min().unwrap_or(0),
            largest,
            components: graph.subgraph(&inside).components().count(),
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
