//! What to do for an order, what went wrong, and the separators of one.

use super::dissection::Separator;
use palmette_core::memory::NoRoom;
use palmette_core::random::DEFAULT_SEED;
use palmette_core::{Cancel, named};
use thiserror::Error;

named! {
    /// How an order of elimination is found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    #[non_exhaustive]
    pub enum OrderMethod("order") {
        /// Nested dissection and minimum degree; the one with fewer operations.
        #[default]
        Auto = "auto",
        /// Separators come last, and minimum degree on the pieces.
        NestedDissection = "nested-dissection",
        /// Who has the fewest neighbours goes first.
        MinimumDegree = "minimum-degree",
    }
}

/// How to find an order of elimination.
#[derive(Debug, Clone)]
pub struct OrderParams {
    /// The method.
    pub method: OrderMethod,
    /// Seed for every random choice.
    pub seed: u64,
    /// Whether to stop, asked now and then.
    pub cancel: Option<Cancel>,
}

impl Default for OrderParams {
    fn default() -> Self {
        OrderParams { method: OrderMethod::Auto, seed: DEFAULT_SEED, cancel: None }
    }
}

/// The separators that came after the same number of others on the way down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeparatorLevel {
    /// How many there are.
    pub count: u32,
    /// The vertices of the largest.
    pub largest: u32,
    /// The vertices of all.
    pub vertices: u64,
}

impl SeparatorLevel {
    pub(super) fn all(separators: &[Separator]) -> Vec<SeparatorLevel> {
        let mut levels = Vec::new();
        for &Separator { level, rows } in separators {
            if levels.len() <= level as usize {
                levels.resize(
                    level as usize + 1,
                    SeparatorLevel { count: 0, largest: 0, vertices: 0 },
                );
            }
            let level = &mut levels[level as usize];
            level.count += 1;
            level.largest = level.largest.max(rows);
            level.vertices += u64::from(rows);
        }
        levels
    }
}

/// Why there is no order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum OrderError {
    /// More entries than indices can count.
    #[error("the lists would have {entries} entries; at most {most} are supported")]
    Entries { entries: u64, most: u64 },
    /// There is not enough memory.
    #[error(transparent)]
    Room(#[from] NoRoom),
    /// Somebody asked for an end.
    #[error("cancelled")]
    Cancelled,
    /// An order has not every vertex.
    #[error("the order has {found} vertices, but the graph has {vertices}")]
    Length { found: usize, vertices: usize },
    /// An order names what is no vertex.
    #[error(
        "place {place} of the order has vertex {vertex}, but there are only {vertices} vertices"
    )]
    Vertex { place: usize, vertex: u32, vertices: usize },
    /// An order has a vertex twice.
    #[error("vertex {vertex} is at place {place} of the order, and at place {before} already")]
    Twice { place: usize, vertex: u32, before: usize },
}
