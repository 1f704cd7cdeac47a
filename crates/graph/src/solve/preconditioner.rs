//! Names of preconditioners.

use super::SolveError;
use std::fmt;
use std::str::FromStr;

/// What conjugate gradients are helped by; see the [module](super).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Preconditioner {
    /// Chosen by the graph, see [`choose`](super::choose).
    #[default]
    Auto,
    /// Nothing.
    None,
    /// The diagonal.
    Jacobi,
    /// A factor without fill.
    IncompleteCholesky,
    /// A spanning forest of largest weight.
    Tree,
    /// The skeleton, factored.
    Sparsifier,
    /// Random elimination.
    ApproximateCholesky,
    /// The graph, factored.
    Direct,
}

impl Preconditioner {
    /// All of them, `auto` first.
    pub const ALL: [Preconditioner; 8] = [
        Preconditioner::Auto,
        Preconditioner::None,
        Preconditioner::Jacobi,
        Preconditioner::IncompleteCholesky,
        Preconditioner::Tree,
        Preconditioner::Sparsifier,
        Preconditioner::ApproximateCholesky,
        Preconditioner::Direct,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Preconditioner::Auto => "auto",
            Preconditioner::None => "none",
            Preconditioner::Jacobi => "jacobi",
            Preconditioner::IncompleteCholesky => "incomplete-cholesky",
            Preconditioner::Tree => "tree",
            Preconditioner::Sparsifier => "sparsifier",
            Preconditioner::ApproximateCholesky => "approximate-cholesky",
            Preconditioner::Direct => "direct",
        }
    }

    /// All names.
    pub fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|p| p.name()).collect()
    }
}

impl fmt::Display for Preconditioner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Preconditioner {
    type Err = SolveError;

    fn from_str(text: &str) -> Result<Self, SolveError> {
        let known = Self::ALL.into_iter().find(|p| p.name() == text);
        known.ok_or_else(|| SolveError::Name { text: text.to_string() })
    }
}
