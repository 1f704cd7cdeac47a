//! The queries that a vertex keeps, and how it answers them by itself.
//!
//! **Problem.** A vertex has the addresses of vertices that it is asked about, and learns
//! ranges of addresses. It is to tell which of the queries these decide.
//!
//! **Method.** What lies in its own subtree is below it, so it is the answer itself; what
//! lies beside a subtree that it is in, and below that subtree's parent, has the parent for
//! an answer. Answers are never changed: who decides a query again decides it alike.
//!
//! **Cost.** No messages; two words per query.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI-C, steps 1 and 4b.

use super::Fork;
use crate::collective::Range;
use crate::plain;
use palmette_core::NONE;

/// How many queries a vertex has room for.
pub const QUERIES: usize = 4;

plain! {
    /// The queries of a vertex: eight words.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Queries {
        /// The address of the other vertex of each; [`NONE`] where there is no query.
        pub other: [u32; QUERIES],
        /// The address of the lowest common ancestor; [`NONE`] until it is known here.
        pub lca: [u32; QUERIES],
    }
}

impl Queries {
    /// No queries.
    pub const EMPTY: Queries = Queries { other: [NONE; QUERIES], lca: [NONE; QUERIES] };

    /// Answers queries about descendants: who is in the vertex's own subtree is below it.
    pub(super) fn about_descendants(vertex: u32, (queries, subtree): (Queries, Range)) -> Queries {
        queries.answer(|other| subtree.contains(other).then_some(vertex))
    }

    /// Answers queries about vertices that a fork parts from this one.
    pub(super) fn across(_: u32, (queries, fork): (Queries, Option<Fork>)) -> Queries {
        queries.answer(|other| fork.and_then(|fork| fork.lca(other)))
    }

    fn answer(mut self, lca: impl Fn(u32) -> Option<u32>) -> Queries {
        for (&other, answer) in self.other.iter().zip(&mut self.lca) {
            if let (true, Some(found)) = (other != NONE, lca(other)) {
                debug_assert!([NONE, found].contains(answer), "two answers to one query");
                *answer = found;
            }
        }
        self
    }
}
