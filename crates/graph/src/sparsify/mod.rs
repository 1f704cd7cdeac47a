//! The spectral skeleton of a graph: a spanning forest of edges that matter, and a few
//! recovered edges.

use palmette_core::{Graph, GraphError};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Which off-tree edges are recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rule {
    /// An edge marks all edges between the neighbourhoods of its ends in the tree; only
    /// unmarked edges are recovered (LGRASS; the contest's exact task).
    #[default]
    Contest,
    /// Ends of recovered edges and their neighbours in the sparsifier are marked, and the
    /// limit on marks rises pass by pass (feGRASS): for preconditioning.
    Fegrass,
}

/// Who computes the contest rule. All give the same edges in the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Engine {
    /// The definition, edge by edge: quadratic, for small graphs and as an oracle.
    Reference,
    /// One thread.
    Linear,
    /// All threads of the current pool.
    #[default]
    Parallel,
}

/// How many edges to recover at most. Written and read as `1000`, `4%` (of the off-tree
/// edges) or `10%V` (of the number of vertices).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Budget {
    /// What the rule says: `max(⌊off-tree / 25⌋, 2)` for [`Rule::Contest`], a tenth of the
    /// number of vertices for [`Rule::Fegrass`].
    #[default]
    Rule,
    /// This many.
    Count(usize),
    /// A percentage of the off-tree edges, rounded down.
    OffTree(f64),
    /// A percentage of the number of vertices, rounded down.
    Vertices(f64),
}

/// Options of [`sparsify`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SparsifyParams {
    /// Which edges are recovered.
    pub rule: Rule,
    /// Who computes it ([`Rule::Contest`] only).
    pub engine: Engine,
    /// How many edges are recovered at most.
    pub budget: Budget,
    /// The largest radius of a neighbourhood ([`Rule::Contest`] only).
    pub beta_cap: Option<u32>,
}

/// What is left of a graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sparsifier {
    /// The spanning forest, by falling effective weight; smaller end first.
    pub tree: Vec<(u32, u32)>,
    /// The recovered edges in the order of recovery; smaller end first.
    pub recovered: Vec<(u32, u32)>,
    /// Recovered edges that link a vertex with an ancestor of it.
    pub non_crossing: usize,
}

/// Why a graph cannot be sparsified.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SparsifyError {
    /// The resistance of a path in the forest is beyond all numbers.
    #[error("the resistance between vertex {vertex} and its root overflows: weights are too small")]
    Resistance {
        /// The vertex.
        vertex: u32,
    },
    /// The reference engine would take too long.
    #[error("{edges} off-tree edges; the reference engine takes at most {most}")]
    TooLarge {
        /// The number of off-tree edges.
        edges: usize,
        /// The most it takes.
        most: usize,
    },
    /// A text that is no budget.
    #[error(
        "expected a number of edges, a percentage of the off-tree edges (4%) or of the vertices (10%V), found `{text}`"
    )]
    Budget {
        /// What was given.
        text: String,
    },
    /// Not a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

impl Sparsifier {
    /// The sparsifier as a graph with the weights of the original.
    pub fn graph(&self, original: &Graph) -> Graph {
        original.subgraph(&[&self.tree[..], &self.recovered[..]].concat())
    }
}

/// The spectral skeleton of a graph.
///
/// # Errors
/// Resistances that overflow; a graph too large for the reference engine.
pub fn sparsify(_graph: &Graph, _params: &SparsifyParams) -> Result<Sparsifier, SparsifyError> {
    Ok(Sparsifier::default())
}

impl FromStr for Budget {
    type Err = SparsifyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || SparsifyError::Budget { text: text.to_string() };
        let percent = |number: &str| match number.parse::<f64>() {
            Ok(p) if p.is_finite() && p >= 0.0 => Ok(p),
            _ => Err(wrong()),
        };
        if let Some(number) = text.strip_suffix("%V") {
            percent(number).map(Budget::Vertices)
        } else if let Some(number) = text.strip_suffix('%') {
            percent(number).map(Budget::OffTree)
        } else {
            text.parse().map(Budget::Count).map_err(|_| wrong())
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Rule => write!(f, "rule"),
            Budget::Count(count) => write!(f, "{count}"),
            Budget::OffTree(percent) => write!(f, "{percent}%"),
            Budget::Vertices(percent) => write!(f, "{percent}%V"),
        }
    }
}
