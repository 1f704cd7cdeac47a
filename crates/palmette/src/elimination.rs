//! Orders of elimination in files: which numbers they have.

use palmette_core::{Graph, NONE};
use palmette_graph::order::{Order, OrderError, evaluate};
use thiserror::Error;

/// What the numbers in a file of an order are, one per line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderFile {
    /// By place, the vertex that is eliminated there, counted from 1.
    #[default]
    Vertices,
    /// By vertex, its place, counted from 0: the files of METIS's `ndmetis`.
    Places,
}

/// Why the numbers of a file are no order. Numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum OrderFileError {
    /// A number that no vertex or place has.
    #[error("number {number} is {value}; expected one of {least} to {most}")]
    Range { number: usize, value: u32, least: u32, most: u64 },
    /// The same number again.
    #[error("number {number} is {value}, which number {before} is already")]
    Twice { number: usize, value: u32, before: u32 },
    /// The order cannot be measured.
    #[error(transparent)]
    Order(#[from] OrderError),
}

impl OrderFile {
    /// The numbers of an order.
    pub fn numbers(self, vertices: &[u32]) -> Vec<u32> {
        match self {
            OrderFile::Vertices => vertices.iter().map(|v| v + 1).collect(),
            OrderFile::Places => {
                let mut places = vec![0; vertices.len()];
                (0..).zip(vertices).for_each(|(place, &v)| places[v as usize] = place);
                places
            }
        }
    }

    /// The order of these numbers, and the factor that it leads to.
    ///
    /// # Errors
    /// When a number is missing, or [`evaluate`] fails.
    ///
    /// ```
    /// use palmette::{Graph, OrderFile};
    /// let path = Graph::from_edges(3, &[(0, 1, 1.0), (1, 2, 1.0)])?;
    /// let found = OrderFile::Vertices.evaluate(&path, vec![2, 1, 3])?;
    /// assert_eq!((found.entries, found.operations), (6, 14.0));
    /// assert_eq!(OrderFile::Places.numbers(&found.vertices), [1, 0, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(self, graph: &Graph, numbers: Vec<u32>) -> Result<Order, OrderFileError> {
        let least = u32::from(self == OrderFile::Vertices);
        let mut first = vec![NONE; graph.len()];
        for (number, &value) in (1u32..).zip(&numbers) {
            let slot = value.checked_sub(least).and_then(|v| first.get_mut(v as usize));
            let number_from_1 = number as usize;
            let Some(slot) = slot else {
                let most = graph.len() as u64 + u64::from(least) - 1;
                return Err(OrderFileError::Range { number: number_from_1, value, least, most });
            };
            if *slot != NONE {
                let before = *slot;
                return Err(OrderFileError::Twice { number: number_from_1, value, before });
            }
            *slot = number;
        }
        let vertices = match self {
            OrderFile::Vertices => numbers.iter().map(|v| v - 1).collect(),
            OrderFile::Places => first.iter().map(|&number| number.wrapping_sub(1)).collect(),
        };
        Ok(evaluate(graph, vertices)?)
    }
}
