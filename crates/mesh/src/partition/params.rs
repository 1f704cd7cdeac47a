//! What a partition is, how it can be asked for, and why there may be none.

use super::effort::Preset;
use crate::CutTree;
use palmette_core::memory::NoRoom;
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
    /// Every part is connected, or there is an error.
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
    /// Sizes for another number of parts.
    #[error("{found} sizes for {parts} parts")]
    Sizes { found: usize, parts: u32 },
    /// A size that is not above 0. Parts count from 0.
    #[error("part {part} has size {size}; sizes must be finite and above 0")]
    Size { part: u32, size: f64 },
    /// Sizes with fractions that are not parts of a whole.
    #[error("sizes with fractions must add up to 1; these add up to {sum}")]
    SizesSum { sum: f64 },
    /// The `at`-th fixed vertex is not there. Vertices count from 0.
    #[error("vertex {vertex} is fixed, but there are {vertices}")]
    FixedVertex { at: usize, vertex: u32, vertices: usize },
    /// A vertex is fixed in a part that is not there.
    #[error("vertex {vertex} is fixed in part {part} of {parts}, which count from 0")]
    FixedPart { at: usize, vertex: u32, part: u32, parts: u32 },
    /// A vertex is fixed in two parts.
    #[error("vertex {vertex} is fixed in part {first} and in part {second}")]
    FixedTwice { at: usize, vertex: u32, first: u32, second: u32 },
    /// With the `at`-th fixed vertex, those of a part are heavier than it may be.
    #[error("the vertices fixed in part {part} weigh {weight}; it may have {limit}")]
    FixedTooHeavy { at: usize, part: u32, weight: i64, limit: i64 },
    /// Too few vertices are free for the parts in which none is fixed.
    #[error("part {part} would be empty: {bare} parts have no fixed vertices, {free} are free")]
    FixedLeaveNone { part: u32, free: usize, bare: usize },
    /// What it costs to move a vertex is below 0, or none.
    #[error("the cost of migration is {0}; it must be finite and at least 0")]
    Migration(f64),
    /// Migration is traded for the cut only.
    #[error(
        "migration is traded for the cut; with a previous partition there is no other objective"
    )]
    MigrationObjective,
    /// What is not kept to where parts are cut and placed together.
    #[error(
        "fixed vertices, previous parts and objectives are for parts that are not placed jointly"
    )]
    NotJointly,
    /// What only the refinement can do.
    #[error("{0} need the refinement, which is off")]
    NeedsRefinement(&'static str),
    /// Not enough memory.
    #[error(transparent)]
    Memory(NoRoom),
    /// More components than parts.
    #[error("{parts} parts cannot be connected: the graph has {components} components")]
    Components { components: usize, parts: u32 },
    /// Connected parts that are light enough were not found.
    #[error("connected parts within the limits {}", if *.proved { "do not exist" } else { "were not found" })]
    NotConnected { proved: bool },
    /// Cycles without refinement.
    #[error("cycles repeat the refinement, which is off")]
    NoRefinement,
}
