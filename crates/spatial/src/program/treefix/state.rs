//! The state of a vertex in the treefix program, and its messages.

use super::super::priority::{Priorities, Spread};
use super::Contracted;
use super::sequence::Sequence;
use crate::local::{Role, VirtualLinks};
use crate::plain;
use palmette_core::NONE;

plain! {
    /// Where a vertex is in its life.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Stage {
        /// Several children are unfinished.
        Branching,
        /// One child is.
        Chain,
        /// None: the vertex is a leaf of the contracted tree, its product is known.
        Complete,
        /// It has been absorbed by its parent, and knows it.
        Absorbed,
    }
}

plain! {
    /// The link to the parent, as the child sees it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Upper {
        /// The parent has other unfinished children.
        Unknown,
        /// It has not: to be answered. The parent waits for this child, or does not.
        Told { idle: bool },
        /// The parent does not wait.
        Idle,
        /// It has been asked to.
        Asked,
        /// The parent waits: one of the two may be absorbed.
        Active,
    }
}

plain! {
    /// A vertex that would be absorbed.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Offer<U, D> {
        pub(super) child: u32,
        pub(super) idle: bool,
        pub(super) round: u32,
        pub(super) left: U,
        pub(super) right: U,
        pub(super) path: D,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct State<U, D> {
        pub(super) links: VirtualLinks,
        /// The parent in the contracted tree.
        pub(super) parent: u32,
        /// The only unfinished child.
        pub(super) child: u32,
        /// The vertex absorbed last.
        pub(super) last: u32,
        /// The member of the parent's supervertex that was absorbed last.
        pub(super) previous: u32,
        /// The longest chain of contractions so far, of this vertex and of finished siblings.
        pub(super) round: u32,
        pub(super) beside_round: u32,
        /// The round of the adoption by this parent; 0 in the tree as it was.
        pub(super) adopted: u32,
        /// That round when this vertex was finished.
        pub(super) finished: u32,
        pub(super) stage: Stage,
        pub(super) upper: Upper,
        /// The child below is not waited for.
        pub(super) lower_idle: bool,
        /// It has asked to be: that it was idle is old news.
        pub(super) asked: bool,
        /// This vertex has offered itself to its parent.
        pub(super) offers: bool,
        /// The child's offer stands.
        pub(super) offered: bool,
        /// The vertex has several children.
        pub(super) branches: bool,
        /// The parent has no other child.
        pub(super) alone: bool,
        /// This vertex is not finished as far as its block of siblings is concerned.
        pub(super) unfinished: bool,
        /// The virtual parent knows the hole of this block.
        pub(super) reported: bool,
        /// What is above has arrived.
        pub(super) placed: bool,
        /// The steps that it took to find the vertex's place among its siblings.
        pub(super) steps: u8,
        /// The seed, if it is known.
        pub(super) priorities: Option<Priorities>,
        pub(super) below: Sequence<U>,
        pub(super) beside: Sequence<U>,
        pub(super) offer: Offer<U, D>,
        pub(super) own: D,
        /// The product along the supervertex down to its hole, for rootfix.
        pub(super) path: D,
        /// The parent's `path`, before this vertex is absorbed.
        pub(super) saved: D,
    }
}

/// A vertex's input: its place, its relatives, its values.
pub(super) struct Input<U, D> {
    pub(super) parent: u32,
    pub(super) links: VirtualLinks,
    pub(super) alone: bool,
    /// Lengths of the two blocks of children, and of appended siblings.
    pub(super) blocks: [[u32; 2]; 2],
    /// The steps to find these.
    pub(super) steps: u8,
    pub(super) up: U,
    pub(super) down: D,
    pub(super) priorities: Option<Priorities>,
}

impl<U: Copy, D: Copy> State<U, D> {
    pub(super) fn new(input: Input<U, D>) -> State<U, D> {
        let Input { parent, links, alone, blocks: [children, appended], .. } = input;
        let Input { steps, up, down, priorities, .. } = input;
        State {
            links,
            parent,
            child: NONE,
            last: NONE,
            previous: NONE,
            round: 0,
            beside_round: 0,
            adopted: 0,
            finished: 0,
            stage: Stage::Branching,
            upper: Upper::Unknown,
            lower_idle: false,
            asked: false,
            offers: false,
            offered: false,
            branches: children[1] > 0,
            alone: alone && parent != NONE,
            unfinished: true,
            reported: appended[0] == 0,
            placed: false,
            steps,
            priorities,
            below: Sequence::new(up, links.current, children),
            beside: Sequence::new(up, links.appended, appended),
            offer: Offer { child: NONE, idle: false, round: 0, left: up, right: up, path: down },
            own: down,
            path: down,
            saved: down,
        }
    }

    /// The leaffix, the rootfix, and how the vertex was contracted.
    pub(super) fn answer(&self) -> (U, D, Contracted) {
        let round = self.round + u32::from(self.links.role != Role::Root);
        let compressed = self.stage == Stage::Absorbed;
        (self.below.first(), self.own, Contracted { round, compressed })
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) enum Message<U, D> {
        Open { role: Role, round: u32, hole: u32, left: U, right: U },
        Closed { role: Role, round: u32, value: U, whole: U },
        Fill { from: u32, round: u32, value: U },
        Only { saved: D },
        Idle { from: u32 },
        Ask { from: u32 },
        Grant { from: u32 },
        Offer(Offer<U, D>),
        Adopt { parent: u32, gone: u32, idle: bool, round: u32, saved: D },
        Hole(U),
        Member(D),
        Above(D),
        Below(D),
        Seed(Spread),
    }
}

plain! {
    /// What all processors know.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Rules<U, D> {
        pub(super) up: U,
        pub(super) down: D,
        /// All processors know the seed.
        pub(super) seeded: bool,
    }
}
