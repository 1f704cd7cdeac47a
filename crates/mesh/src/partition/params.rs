//! What a partition is, how it can be asked for, and why there may be none.

use super::effort::Preset;
use crate::CutTree;
use palmette_core::{DEFAULT_SEED, named};
use thiserror::Error;

named! {
    /// How vertices are cut in two at first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum Method("bisection method") {
        /// Without points: sides grow from vertices, on smaller forms of the graph. With points also
        /// as [`Method::Geometric`], and the better is taken.
        #[default]
        Auto = "auto",
        /// Sides grow from vertices, on smaller forms of the graph; needs no points.
        Growing = "growing",
        /// Circles and lines at random, from a centerpoint; the best of many.
        Geometric = "geometric",
        /// Along the longest side of the bounding box.
        Coordinate = "coordinate",
        /// Along the main axis of the points.
        Inertial = "inertial",
        /// Along Hilbert's curve.
        Hilbert = "hilbert",
    }
}

/// Options of [`partition`](super::partition()).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionParams {
    /// How many parts.
    pub parts: u32,
    /// How much time to take.
    pub preset: Preset,
    /// How to cut in two.
    pub bisection: Method,
    /// Allowed imbalance: how much heavier than the mean a part may be (0.03 is 3%).
    pub imbalance: f64,
    /// Whether cuts are improved, or left as the method makes them.
    pub refine: bool,
    /// How many times coarsening and refining is repeated at the end; by default as the preset
    /// has it.
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
            preset: Preset::default(),
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

impl Method {
    /// Whether this needs to know where vertices lie.
    pub fn needs_points(self) -> bool {
        !matches!(self, Method::Auto | Method::Growing)
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
        let geometric = matches!(self.bisection, Method::Auto | Method::Geometric);
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
    /// A method that needs points, for a graph without.
    #[error("the {0} bisection needs coordinates, and the graph has none")]
    NoPoints(Method),
    /// Tries or a sample for a graph without points.
    #[error("tries and sample are for circles and lines, which need coordinates")]
    NoCircles,
    /// Cycles without refinement.
    #[error("cycles repeat the refinement, which is off")]
    NoRefinement,
}
