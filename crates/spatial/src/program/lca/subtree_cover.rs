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
//! Where vertices have [blocks](super::blocks) of queries elsewhere, x announces the same to
//! the blocks of its subtree, which are a range too.
//!
//! The paper asks for the barriers, and they are most of the cost. They can be left out
//! ([`LcaParams::barriers`]): a vertex of layer L is in one subtree of each layer up to L, so
//! it knows how often it will hear something, and since news carry their ranges they may be
//! taken in whatever order they come.
//!
//! **Messages.** In the turn of a layer, vertices of that layer or a higher one, and blocks of
//! such vertices, wait for one message each. They know their layers, so nobody else waits; no
//! order matters.
//!
//! **Cost.** For a layer that covers m vertices O(m) energy for the phase `cover` and O(n)
//! for `barrier`, and O(log n) depth: with at most log2 (n + 1) layers O(n log n) and
//! O(log^2 n). A member keeps eight words and hears one message of six words per layer. Blocks
//! cost as much as so many vertices, and one message more for every subtree that has some.
//!
//! **Determinism.** Nothing depends on delays, clocks, threads or random bits.
//!
//! **Reference.** *Low-Depth Spatial Tree Algorithms*, section VI-B, and VI-C, step 4.

use super::{LcaParams, OnPath, PathDecomposition};
use crate::collective::{Range, Spread, announce, announce_among, barrier};
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
    /// What a processor keeps: eight words.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Member {
        vertex: OnPath,
        /// The blocks of the subtree; none where the vertex is not the first of a path.
        below: Range,
        /// The layer whose turn it is.
        turn: u32,
    }
}

impl Member {
    /// What the vertex announces, if it is its turn.
    fn fork(self) -> Option<Fork> {
        let Member { vertex: OnPath { subtree, above, layer }, turn, .. } = self;
        (self.vertex.is_light() && layer == turn).then_some(Fork { subtree, parent: above })
    }
}

/// What has been heard in a turn: nothing where nothing was to be heard.
#[derive(Debug, Clone)]
pub struct Turn {
    /// By vertices.
    pub vertices: Memory<Option<Fork>>,
    /// By blocks of queries, if there are any.
    pub blocks: Option<Memory<Option<Fork>>>,
}

/// A subtree cover whose layers take turns.
#[derive(Debug)]
pub struct SubtreeCover {
    members: Memory<Member>,
    blocks: Option<Spread>,
    turn: u32,
    layers: u32,
    params: LcaParams,
}

impl SubtreeCover {
    /// The cover of a decomposition, before its first turn.
    pub fn new(paths: PathDecomposition, params: LcaParams) -> SubtreeCover {
        let members = paths.vertices;
        let members = members.map(|_, vertex| Member { vertex, below: Range::EMPTY, turn: 0 });
        SubtreeCover { members, blocks: None, turn: 0, layers: paths.layers, params }
    }

    /// The same, heard by blocks of queries too.
    pub(super) fn with_blocks(self, spread: Spread, below: Memory<Range>) -> SubtreeCover {
        let members =
            self.members.beside(below).map(|_, (member, below)| Member { below, ..member });
        SubtreeCover { members, blocks: Some(spread), ..self }
    }

    /// The next layer's turn: everyone in a subtree of that layer hears where it hangs.
    /// `None` after the last layer.
    ///
    /// # Errors
    /// What stops the machine.
    pub fn turn(&mut self, machine: &mut Machine) -> Result<Option<Turn>, ProgramError> {
        if self.turn + 1 >= self.layers {
            return Ok(None);
        }
        let machine = &mut machine.keep(&self.members);
        if self.turn > 0 && self.params.barriers {
            let everyone = Range::new(0, machine.processors() as u32);
            barrier(machine, "barrier", everyone)?;
        }
        self.turn += 1;
        self.members =
            self.members.clone().map(|_, member| Member { turn: member.turn + 1, ..member });
        let news = self
            .members
            .clone()
            .map(|_, member| member.fork().map(|Fork { subtree, parent }| (subtree, parent)));
        let heard = announce(machine, "cover", news)?;
        let vertices = heard.map(|_, news| news.map(|(subtree, parent)| Fork { subtree, parent }));
        let mut blocks = None;
        if let Some(spread) = self.blocks {
            let news = self.members.clone().map(|_, member| {
                let below = Some(member.below).filter(|below| !below.is_empty());
                below.zip(member.fork())
            });
            let heard = announce_among(machine, "cover of blocks", spread, news)?;
            blocks = Some(heard.map(|_, news| news.map(|(_, fork)| fork)));
        }
        Ok(Some(Turn { vertices, blocks }))
    }
}
