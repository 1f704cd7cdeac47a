//! Trees on many ranks: measured on the cores that there are, counted on many threads, and
//! projected from both.

pub mod counted;
pub mod measured;
pub mod projected;

use palmette_core::NONE;
use palmette_core::generate::{GenerateError, Shape, generate, shuffle};

type Failure = Box<dyn std::error::Error>;

/// How vertices are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Labels {
    /// Parents come before their children.
    InOrder,
    /// At random.
    Shuffled,
    /// At random within a slice, and a slice is a subtree: next to nothing leads to another rank.
    Apart,
}

/// A kind of tree, as a table names it.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its shape.
    pub shape: Shape,
    /// How its vertices are numbered.
    pub labels: Labels,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> String {
        let labels = match self.labels {
            Labels::InOrder => "",
            Labels::Shuffled => ", shuffled",
            Labels::Apart => ", slices are subtrees",
        };
        format!("{}{labels}", self.shape)
    }

    /// The parents of such a tree, for slices of so many vertices.
    ///
    /// # Errors
    /// When there is no such tree.
    pub fn parents(self, share: usize, slices: usize) -> Result<Vec<u32>, GenerateError> {
        let n = share * slices;
        match self.labels {
            Labels::InOrder => generate(self.shape, n, 1),
            Labels::Shuffled => Ok(shuffle(&generate(self.shape, n, 1)?, 2)),
            Labels::Apart => {
                let part = shuffle(&generate(self.shape, share, 1)?, 2);
                let root = part.iter().position(|&parent| parent == NONE).unwrap_or(0) as u32;
                let moved = |slice: usize, parent: u32| match (slice, parent) {
                    (0, NONE) => NONE,
                    // All other subtrees hang on the first root.
                    (_, NONE) => root,
                    _ => parent + (slice * share) as u32,
                };
                Ok((0..n).map(|v| moved(v / share, part[v % share])).collect())
            }
        }
    }
}

/// What the tables show.
pub const KINDS: [Kind; 6] = [
    Kind { shape: Shape::Random, labels: Labels::InOrder },
    Kind { shape: Shape::Random, labels: Labels::Shuffled },
    Kind { shape: Shape::Random, labels: Labels::Apart },
    Kind { shape: Shape::Path, labels: Labels::Shuffled },
    Kind { shape: Shape::Caterpillar, labels: Labels::Shuffled },
    Kind { shape: Shape::Star, labels: Labels::Shuffled },
];
