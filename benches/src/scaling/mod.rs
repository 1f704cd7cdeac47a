//! Trees on many ranks: measured on the cores that there are, counted on many threads, and
//! projected from both.

pub mod counted;
pub mod measured;
pub mod projected;

use palmette_core::generate::{GenerateError, Shape, generate, shuffle};

type Failure = Box<dyn std::error::Error>;

/// A kind of tree, as a table names it.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its shape.
    pub shape: Shape,
    /// Whether vertices have random numbers.
    pub shuffled: bool,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> String {
        format!("{}{}", self.shape, if self.shuffled { ", shuffled" } else { "" })
    }

    /// The parents of such a tree.
    ///
    /// # Errors
    /// When there is no such tree.
    pub fn parents(self, n: usize) -> Result<Vec<u32>, GenerateError> {
        let parents = generate(self.shape, n, 1)?;
        Ok(if self.shuffled { shuffle(&parents, 2) } else { parents })
    }
}

/// What the tables show.
pub const KINDS: [Kind; 5] = [
    Kind { shape: Shape::Random, shuffled: false },
    Kind { shape: Shape::Random, shuffled: true },
    Kind { shape: Shape::Path, shuffled: true },
    Kind { shape: Shape::Caterpillar, shuffled: true },
    Kind { shape: Shape::Star, shuffled: true },
];
