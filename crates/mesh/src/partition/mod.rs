//! A graph with points cut into parts of equal weight, with few edges between them.
//!
//! **Problem.** A graph, a point and perhaps a weight for each vertex, and a number of parts;
//! out comes a part for each vertex. No part is heavier than `1 + imbalance` times the mean
//! (or, where vertices are too coarse for that, than the mean rounded up), and none is empty.
//!
//! **Method.** *Alone* (without [`PartitionParams::refine`]): cut in two by one of the [`Method`]s, then cut
//! the halves (`separator.rs`, `bisect.rs`). *Refined*: a large graph is first made
//! smaller by contracting edges (`coarsen.rs`); every cut in two is improved by local
//! search; then all parts together, on every size of graph up to the whole, by moving
//! vertices (`refine/moves.rs`) and by smallest cuts between pairs of parts
//! (`refine/flow.rs`); [cycles](PartitionParams::cycles) of coarsening within parts and
//! refining repeat that.
//!
//! **Determinism.** The same seed gives the same parts on any number of threads.

mod bisect;
mod centerpoint;
mod coarsen;
mod contiguous;
mod cover;
mod elements;
mod geometry;
mod groups;
mod hilbert;
mod joint;
mod multilevel;
mod net;
mod refine;
mod separator;
mod split;
mod tally;
#[cfg(test)]
mod tests;

pub use cover::vertex_separator;
pub use elements::{ElementPartition, element_partition};
pub use joint::{JointError, JointParams, MapObjective, map_jointly};
pub(crate) use net::Net;

use crate::CutTree;
use palmette_core::mesh::Point;
use palmette_core::{DEFAULT_SEED, Graph, named};
use thiserror::Error;

named! {
    /// How vertices are cut in two by their points.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Method("bisection method") {
        /// Circles and lines at random, from a centerpoint; the best of many.
        #[default]
        Geometric = "geometric",
        /// Along the longest side of the bounding box.
        Coordinate = "coordinate",
        /// Along the main axis of the points.
        Inertial = "inertial",
        /// Along Hilbert's curve.
        Hilbert = "hilbert",
    }
}

/// Options of [`partition`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionParams {
    /// How many parts.
    pub parts: u32,
    /// How to cut in two.
    pub bisection: Method,
    /// Allowed imbalance: how much heavier than the mean a part may be (0.03 is 3%).
    pub imbalance: f64,
    /// Whether cuts are improved, or left as the method makes them.
    pub refine: bool,
    /// How many times coarsening and refining is repeated at the end; fewer for larger
    /// graphs by default, from six to none.
    pub cycles: Option<usize>,
    /// Every part of a connected graph is connected.
    pub contiguous: bool,
    /// Circles and lines that [`Method::Geometric`] tries; by default 30, or 8 on more than
    /// 100,000 vertices whose cut nobody refines.
    pub tries: Option<usize>,
    /// Points for a centerpoint; by default `(d + 3)^4` in `d` dimensions.
    pub sample: Option<usize>,
    /// The seed.
    pub seed: u64,
}

impl Default for PartitionParams {
    fn default() -> Self {
        PartitionParams {
            parts: 2,
            bisection: Method::default(),
            imbalance: 0.03,
            refine: true,
            cycles: None,
            contiguous: false,
            tries: None,
            sample: None,
            seed: DEFAULT_SEED,
        }
    }
}

impl PartitionParams {
    /// More tries would take days.
    pub const MOST_TRIES: usize = 1_000_000;

    /// Checks the parameters, independently of the graph.
    ///
    /// # Errors
    /// No parts, no tries or too many of them, no points for a centerpoint, an imbalance below 0,
    /// or numbers that nothing would use.
    pub fn check(&self) -> Result<(), PartitionError> {
        if !(self.imbalance >= 0.0 && self.imbalance.is_finite()) {
            return Err(PartitionError::Imbalance(self.imbalance));
        }
        if let Some(tries) = self.tries.filter(|tries| !(1..=Self::MOST_TRIES).contains(tries)) {
            return Err(PartitionError::Tries { tries });
        }
        let geometric = self.bisection == Method::Geometric;
        if !geometric && (self.tries.is_some() || self.sample.is_some()) {
            return Err(PartitionError::NotGeometric(self.bisection));
        }
        match self.parts {
            0 => Err(PartitionError::NoParts),
            _ if !self.refine && self.cycles.is_some() => Err(PartitionError::NoRefinement),
            _ if self.sample == Some(0) => Err(PartitionError::NoSample),
            _ => Ok(()),
        }
    }
}

/// A part for each vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// By vertex: its part.
    pub part: Vec<u32>,
    /// How the parts came about.
    pub tree: CutTree,
}

/// Why there is no partition.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PartitionError {
    /// No parts.
    #[error("expected at least one part")]
    NoParts,
    /// More parts than vertices: one would be empty.
    #[error("{parts} parts are too many; at most {vertices} can be non-empty")]
    TooManyParts { parts: u32, vertices: usize },
    /// Another number of points or weights than vertices.
    #[error("{found} {what} for {vertices} vertices")]
    Count { what: &'static str, found: usize, vertices: usize },
    /// A coordinate is not finite. Vertices count from 0.
    #[error("vertex {vertex} has coordinate {value}; coordinates must be finite")]
    Coordinate { vertex: usize, value: f64 },
    /// An imbalance below 0, or none.
    #[error("the imbalance is {0}; it must be finite and at least 0")]
    Imbalance(f64),
    /// No tries, or too many.
    #[error("expected 1 to {} tries, found {tries}", PartitionParams::MOST_TRIES)]
    Tries { tries: usize },
    /// No points for a centerpoint.
    #[error("the sample must have at least one point")]
    NoSample,
    /// Tries or a sample for a method that has none.
    #[error("tries and sample are for the geometric bisection; this one is {0}")]
    NotGeometric(Method),
    /// Cycles without refinement.
    #[error("cycles repeat the refinement, which is off")]
    NoRefinement,
}

/// Cuts a graph into parts; see the [module](self).
///
/// # Errors
/// See [`PartitionError`].
pub fn partition(
    graph: &Graph,
    points: &[Point],
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<Partition, PartitionError> {
    check(graph.len(), points, weights, params)?;
    let net = Net::new(graph, points, weights);
    let part = match params.refine {
        true => multilevel::refined(&net, params),
        false => bisect::recursive(&net, params),
    };
    let part = if params.contiguous {
        let limits = vec![multilevel::limit(net.weight(), params); params.parts as usize];
        contiguous::make_contiguous(&net, part, limits)
    } else {
        part
    };
    Ok(Partition { part, tree: CutTree::halving(params.parts) })
}

fn check(
    vertices: usize,
    points: &[Point],
    weights: Option<&[u32]>,
    params: &PartitionParams,
) -> Result<(), PartitionError> {
    let counts = [("points", points.len()), ("weights", weights.map_or(vertices, <[u32]>::len))];
    for (what, found) in counts {
        if found != vertices {
            return Err(PartitionError::Count { what, found, vertices });
        }
    }
    for (vertex, point) in points.iter().enumerate() {
        if let Some(&value) = point.iter().find(|x| !x.is_finite()) {
            return Err(PartitionError::Coordinate { vertex, value });
        }
    }
    params.check()?;
    match params.parts {
        parts if parts as usize > vertices => Err(PartitionError::TooManyParts { parts, vertices }),
        _ => Ok(()),
    }
}
