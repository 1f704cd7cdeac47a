//! What parts shall keep to beside their number.

use super::net::Net;
use super::{PartitionError, PartitionParams};
use palmette_core::{NONE, named};

named! {
    /// What is made small.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Objective("objective") {
        /// The weight of the edges between parts.
        Cut = "cut",
        /// Values sent in a product: each once to every part that needs it. Of elements, copies of
        /// nodes.
        Volume = "volume",
        /// Most values that one part sends; and then all.
        Bottleneck = "bottleneck",
    }
}

/// What parts shall keep to beside their number and [`PartitionParams`].
///
/// ```
/// use palmette_core::Graph;
/// use palmette_mesh::partition::{Demands, partition_as};
/// use palmette_mesh::PartitionParams;
/// let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)])?;
/// let demands = Demands { sizes: vec![1.0, 3.0], fixed: vec![(3, 0)], ..Demands::default() };
/// let found = partition_as(&path, &[], None, &PartitionParams::default(), &demands)?;
/// assert_eq!(found.part, [1, 1, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Demands {
    /// By part: its share of the weight. Whole numbers are shares of their sum; numbers with
    /// fractions must add up to 1. Empty: all parts weigh the same.
    pub sizes: Vec<f64>,
    /// Further weights, each by vertex: parts are balanced by each of them.
    pub further: Vec<Vec<u32>>,
    /// Vertices, and the parts that they stay in.
    pub fixed: Vec<(u32, u32)>,
    /// What is made small; by default the cut, and of elements then copies too.
    pub objective: Option<Objective>,
    /// Where vertices are now.
    pub previous: Option<Previous>,
}

/// Where vertices are now, and what it costs to move them.
#[derive(Debug, Clone, PartialEq)]
pub struct Previous {
    /// By vertex: its part, or [`NONE`] for one that is nowhere yet.
    pub part: Vec<u32>,
    /// What moving a unit of weight costs, in units of the cut.
    pub migration: f64,
}

impl Previous {
    /// What moving a unit of weight costs by default.
    pub const MIGRATION: f64 = 1.0;
}

impl Demands {
    /// Whether nothing is demanded.
    pub fn is_empty(&self) -> bool {
        *self == Demands::default()
    }

    /// Checks the demands, independently of the graph but for the number of its vertices.
    ///
    /// # Errors
    /// Sizes that are not as many as parts, not above 0, or do not add up; another number of
    /// weights or parts than vertices; fixed vertices or parts that are not there, or that
    /// contradict each other; a negative cost; refinement is off, where it is needed.
    pub fn check(&self, vertices: usize, params: &PartitionParams) -> Result<(), PartitionError> {
        self.check_sizes(params.parts)?;
        let previous = self.previous.iter().map(|previous| ("previous parts", previous.part.len()));
        let further = self.further.iter().map(|weights| ("weights", weights.len()));
        for (what, found) in further.chain(previous) {
            if found != vertices {
                return Err(PartitionError::Count { what, found, vertices });
            }
        }
        let mut part = vec![NONE; if self.fixed.is_empty() { 0 } else { vertices }];
        for (at, &(vertex, to)) in self.fixed.iter().enumerate() {
            let Some(known) = part.get_mut(vertex as usize) else {
                return Err(PartitionError::FixedVertex { at, vertex, vertices });
            };
            if to >= params.parts {
                return Err(PartitionError::FixedPart {
                    at,
                    vertex,
                    part: to,
                    parts: params.parts,
                });
            }
            if *known != NONE && *known != to {
                return Err(PartitionError::FixedTwice { at, vertex, first: *known, second: to });
            }
            *known = to;
        }
        if let Some(Previous { migration, .. }) = self.previous
            && !(migration.is_finite() && migration >= 0.0)
        {
            return Err(PartitionError::Migration(migration));
        }
        if !params.refine {
            let needs = [
                ("fixed vertices", !self.fixed.is_empty()),
                ("several weights", !self.further.is_empty()),
                ("a previous partition", self.previous.is_some()),
                ("an objective", self.objective.is_some_and(|what| what != Objective::Cut)),
            ];
            if let Some(&(what, _)) = needs.iter().find(|need| need.1) {
                return Err(PartitionError::NeedsRefinement(what));
            }
        }
        if self.previous.is_some() && self.objective.is_some_and(|what| what != Objective::Cut) {
            return Err(PartitionError::MigrationObjective);
        }
        Ok(())
    }

    /// Checks the sizes of so many parts.
    ///
    /// # Errors
    /// As [`Demands::check`].
    pub fn check_sizes(&self, parts: u32) -> Result<(), PartitionError> {
        let sizes = &self.sizes;
        if sizes.is_empty() {
            return Ok(());
        }
        if sizes.len() != parts as usize {
            return Err(PartitionError::Sizes { found: sizes.len(), parts });
        }
        let wrong = |size: f64| !(size.is_finite() && size > 0.0);
        if let Some(part) = sizes.iter().position(|&size| wrong(size)) {
            return Err(PartitionError::Size { part: part as u32, size: sizes[part] });
        }
        let sum: f64 = sizes.iter().sum();
        // As exactly as people write thirds.
        let fractions = sizes.iter().any(|size| size.fract() != 0.0);
        if fractions && (sum - 1.0).abs() > 1e-3 * (sizes.len() as f64).min(10.0)
            || sum.is_infinite()
        {
            return Err(PartitionError::SizesSum { sum });
        }
        Ok(())
    }

    /// Gives a net what it needs to know.
    pub(super) fn apply(&self, net: &mut Net) {
        if !self.fixed.is_empty() {
            net.fixed = vec![NONE; net.len()];
            self.fixed.iter().for_each(|&(v, p)| net.fixed[v as usize] = p);
        }
        if !self.further.is_empty() {
            let of = |v: usize| self.further.iter().map(move |weights| i64::from(weights[v]));
            net.more = (0..net.len()).flat_map(of).collect();
        }
    }

    /// Checks that fixed vertices leave balance possible, and a vertex for each part.
    pub(super) fn check_fixed(&self, net: &Net, limits: [&[i64]; 2]) -> Result<(), PartitionError> {
        if net.fixed.is_empty() {
            return Ok(());
        }
        let (kinds, parts) = (net.kinds(), limits[0].len());
        let mut sums = vec![0i64; parts * (kinds + 1)];
        let mut counts = vec![0usize; parts];
        let mut seen = vec![false; net.len()];
        for (at, &(v, part)) in self.fixed.iter().enumerate() {
            if std::mem::replace(&mut seen[v as usize], true) {
                continue;
            }
            counts[part as usize] += 1;
            for kind in 0..=kinds {
                let (added, limit) = match kind.checked_sub(1) {
                    None => (net.weights[v as usize], limits[0][part as usize]),
                    Some(kind) => (net.further(v)[kind], limits[1][part as usize * kinds + kind]),
                };
                let weight = &mut sums[part as usize * (kinds + 1) + kind];
                *weight += added;
                // A vertex that is heavier than the limit alone is no fault of being fixed.
                if *weight > limit && *weight > added {
                    let weight = *weight;
                    return Err(PartitionError::FixedTooHeavy { at, part, weight, limit });
                }
            }
        }
        let free = net.len() - seen.iter().filter(|seen| **seen).count();
        let bare = (0..parts as u32).filter(|&p| counts[p as usize] == 0);
        match bare.clone().nth(free) {
            Some(part) => Err(PartitionError::FixedLeaveNone { part, free, bare: bare.count() }),
            None => Ok(()),
        }
    }
}
