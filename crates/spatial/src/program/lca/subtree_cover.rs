//! The subtree cover of a path decomposition, layer by layer.
//!
//! **Problem.** The cover has the subtree of every path's first vertex. Of two vertices of
//! which neither is an ancestor of the other, w is the lowest common ancestor exactly when
//! some subtree of the cover that hangs from w has one of them, and the rest of w's subtree
//! has the other (Corollary 3). Everyone is to hear of all the subtrees it is in.
//!
//! **Method.** The subtrees of a layer are disjoint ranges of addresses. In the turn of its
//! layer, the first vertex x of a path [announces](crate::collective::announce()) within its
//! range the ranges of x and of its parent w. Layer 0 is the whole tree, which has no parent,
//! and has no turn. Every processor counts turns, and a
//! [barrier](crate::collective::barrier()) comes before every turn but the first: the
//! decomposition ends with an all-reduce, which is one.
//!
//! The paper asks for the barriers, and they are most of the cost. They can be left out
//! ([`LcaParams::barriers`]): a vertex of layer L is in one subtree of each layer up to L, so
//! it knows how often it will hear something, and since news carry their ranges they may be
//! taken in whatever order they come.
//!
//! **Cost.** For a layer that covers m vertices O(m) energy for the phase `cover` and O(n)
//! for `barrier`, and O(log n) depth: with at most log2 (n + 1) layers O(n log n) and
//! O(log^2 n). A member keeps six words and hears one message of four words per layer.
//!
//! **Determinism.** Nothing depends on clocks, threads or random bits.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI-B, and VI-C, step 4.

use super::{LcaParams, OnPath, PathDecomposition};
use crate::collective::{Range, announce, barrier};
use crate::machine::{Machine, Memory};
use crate::plain;
use crate::program::ProgramError;

plain! {
    /// A subtree of the cover, and where it hangs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Fork {
        /// The subtree of the cover.
        pub subtree: Range,
        /// The subtree of the vertex that it hangs from.
        pub parent: Range,
    }
}

impl Fork {
    /// The lowest common ancestor of any vertex of the subtree and the one at address
    /// `other`, if that is where their ways part.
    pub fn lca(self, other: u32) -> Option<u32> {
        (self.parent.contains(other) && !self.subtree.contains(other)).then_some(self.parent.first)
    }
}

plain! {
    /// What a processor keeps: six words.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Member {
        vertex: OnPath,
        /// The layer whose turn it is.
        turn: u32,
    }
}

/// A subtree cover whose layers take turns.
#[derive(Debug)]
pub struct SubtreeCover {
    members: Memory<Member>,
    turn: u32,
    layers: u32,
    params: LcaParams,
}

impl SubtreeCover {
    /// The cover of a decomposition, before its first turn.
    pub fn new(paths: PathDecomposition, params: LcaParams) -> SubtreeCover {
        let members = paths.vertices.map(|_, vertex| Member { vertex, turn: 0 });
        SubtreeCover { members, turn: 0, layers: paths.layers, params }
    }

    /// The next layer's turn: everyone in a subtree of that layer hears where it hangs.
    /// `None` after the last layer.
    ///
    /// # Errors
    /// What stops the machine.
    pub fn turn(
        &mut self,
        machine: &mut Machine,
    ) -> Result<Option<Memory<Option<Fork>>>, ProgramError> {
        if self.turn + 1 >= self.layers {
            return Ok(None);
        }
        if self.turn > 0 && self.params.barriers {
            barrier(machine, "barrier", Range::new(0, machine.processors() as u32))?;
        }
        self.turn += 1;
        self.members =
            self.members.clone().map(|_, member| Member { turn: member.turn + 1, ..member });
        let news = self.members.clone().map(|_, Member { vertex, turn }| {
            (vertex.is_light() && vertex.layer == turn).then_some((vertex.subtree, vertex.above))
        });
        let heard = announce(machine, "cover", news)?;
        Ok(Some(heard.map(|_, news| news.map(|(subtree, parent)| Fork { subtree, parent }))))
    }
}
