//! Why a tree cannot be edited as asked.

use palmette_core::memory::NoRoom;
use thiserror::Error;

/// Why there is no edited tree. Vertices are those of the old tree; front ends say their names.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EditError {
    /// An array that should have one entry per vertex has another length.
    #[error("{what}: {actual} entries for {expected} vertices")]
    Count { what: &'static str, expected: usize, actual: usize },
    /// A vertex that is none.
    #[error("there is no vertex {vertex} among {vertices}")]
    NoVertex { vertex: u32, vertices: usize },
    /// An edit of one tree was asked of a forest, or of nothing.
    #[error("expected one tree, found {roots} roots")]
    Roots { roots: usize },
    /// Nothing would be left.
    #[error("no tips are left")]
    NoTips,
    /// Vertices that no vertex is above.
    #[error("vertices {first} and {second} are in different trees")]
    Apart { first: u32, second: u32 },
    /// What is asked for depends on lengths.
    #[error("the tree has no branch lengths")]
    NoLengths,
    /// A length that cannot be compared or added.
    #[error("the branch above vertex {vertex} has length {length}")]
    Length { vertex: u32, length: f64 },
    /// A share of a branch outside of it.
    #[error("a share of a branch is between 0 and 1, not {share}")]
    Share { share: f64 },
    /// A limit that nothing can be compared with.
    #[error("nothing is below {limit}")]
    Limit { limit: f64 },
    /// The root cannot lie above a vertex below which all tips are.
    #[error("all tips are below vertex {vertex}, so there is no branch above it")]
    NoBranch { vertex: u32 },
    /// No branch separates the outgroup from all other tips.
    #[error(
        "the outgroup is no clade of the unrooted tree: tip {intruder} lies among the {}",
        if *.in_outgroup { "outgroup" } else { "other tips" }
    )]
    NoClade { intruder: u32, in_outgroup: bool, count: usize },
    /// An outgroup that has every tip.
    #[error("the outgroup has all tips")]
    AllTips,
    /// Too few tips for what is asked.
    #[error("the tree has {tips} tips; at least {least} are needed")]
    FewTips { tips: usize, least: usize },
    /// One of two trees has lengths.
    #[error("only one of the two trees has branch lengths")]
    OneHasLengths,
    /// More vertices than fit.
    #[error("{vertices} vertices; at most {} are supported", palmette_core::MAX_VERTICES)]
    TooMany { vertices: u64 },
    /// The result does not fit in memory.
    #[error("{0}")]
    NoRoom(#[source] NoRoom),
}
