//! The state of a vertex while the tree is contracted in rounds, and its messages.

use super::block::Block;
use crate::local::{Role, VirtualLinks};
use crate::plain;
use crate::program::Kin;
use crate::program::coin::Purse;
use crate::program::treefix::Contracted;
use palmette_core::NONE;

plain! {
    /// Where a vertex is in its life.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Stage {
        /// It represents a supervertex; or was raked, and does not know.
        Active,
        /// Its parent has absorbed it.
        Absorbed,
        /// Its sum is known, and what it contracted is undone.
        Undone,
    }
}

plain! {
    /// How many children a supervertex has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Children {
        None,
        One,
        Several,
    }
}

plain! {
    /// What the parent has said of itself in step 1 of a round.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Heard {
        Nothing,
        /// It has several children: hear from it, and answer, along the virtual tree.
        Branching,
        /// It has one.
        Single {
            heads: bool,
        },
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct State<U, D> {
        pub(super) links: VirtualLinks,
        pub(super) coins: Purse,
        /// The parent in the contracted tree.
        pub(super) parent: u32,
        /// The only child; of a leaf, the one raked last, if it was the only one then.
        pub(super) child: u32,
        /// The child around which siblings were raked.
        pub(super) left_out: u32,
        /// `last_contracted`: the vertex absorbed last.
        pub(super) last: u32,
        /// `saved_state`: the parent's `last_contracted` before this vertex is absorbed.
        pub(super) saved_last: u32,
        pub(super) round: u32,
        pub(super) stage: Stage,
        pub(super) children: Children,
        /// Step 1 and step 4 of the parent, as soon as they have come.
        pub(super) first: Heard,
        pub(super) second: bool,
        /// This vertex has answered step 1, has told step 4, has told step 5.
        pub(super) answered: bool,
        pub(super) announced: bool,
        pub(super) reported: bool,
        /// The only child's answer to step 1 is missing.
        pub(super) unanswered: bool,
        /// Reports that are missing, from children and from appended siblings.
        pub(super) missing: u8,
        pub(super) missing_beside: u8,
        /// The tree's own: whether the vertex has several children.
        pub(super) branches: bool,
        /// Whether it was absorbed by its parent.
        pub(super) compressed: bool,
        pub(super) below: Block<U>,
        pub(super) beside: Block<U>,
        /// P: the product of the supervertex, before and behind its hole. In the end `left` is the
        /// answer.
        pub(super) left: U,
        pub(super) right: U,
        /// A: what is in the hole.
        pub(super) hole: U,
        /// The vertex's value; in the end the answer.
        pub(super) own: D,
        /// F: the product along the supervertex down to its hole.
        pub(super) path: D,
        /// The parent's F before this vertex is absorbed.
        pub(super) saved_path: D,
        /// The product of all above.
        pub(super) above: D,
    }
}

impl<U: Copy, D: Copy> State<U, D> {
    /// Identities are filled in when the program starts.
    pub(super) fn new(kin: Kin, (up, down): (U, D), coins: Purse) -> State<U, D> {
        let Kin { family, links } = kin;
        let several = family.children > 1;
        let block = Block { hole: NONE, holes: 0, left: up, right: up };
        State {
            links,
            coins,
            parent: family.parent,
            child: if several { NONE } else { family.first_child },
            left_out: NONE,
            last: NONE,
            saved_last: NONE,
            round: 0,
            stage: Stage::Active,
            children: match family.children {
                0 => Children::None,
                1 => Children::One,
                _ => Children::Several,
            },
            first: Heard::Nothing,
            second: false,
            answered: false,
            announced: false,
            reported: false,
            unanswered: false,
            missing: 0,
            missing_beside: heads(links.appended),
            branches: several,
            compressed: false,
            below: block,
            beside: block,
            left: up,
            right: up,
            hole: up,
            own: down,
            path: down,
            saved_path: down,
            above: down,
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.links.role == Role::Root
    }

    /// The leaffix, the rootfix, and how the vertex was contracted. One that was raked has begun
    /// another round.
    pub(super) fn answer(&self) -> (U, D, Contracted) {
        let compressed = self.compressed;
        let round = self.round - u32::from(!compressed && !self.is_root());
        (self.left, self.own, Contracted { round, compressed })
    }
}

/// How many of two heads there are.
pub(super) fn heads(heads: [u32; 2]) -> u8 {
    heads.into_iter().map(|head| u8::from(head != NONE)).sum()
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) enum Message<U, D> {
        /// Step 1 to an only child, with what it keeps if it is absorbed.
        Mate {
            heads: bool,
            last: u32,
            path: D,
        },
        /// Step 1 to the children of a branching vertex.
        Branching,
        /// Answers to a parent whose coin shows tails: not chosen, and step 3.
        Stay,
        Absorb {
            child: u32,
            left: U,
            right: U,
            path: D,
        },
        /// Step 4 to an only child, and to many.
        Parent(u32),
        SameParent,
        /// Step 5.
        Report {
            role: Role,
            block: Block<U>,
        },
        /// To the vertex absorbed last, and its answer.
        Undo {
            hole: U,
            above: D,
        },
        Undone {
            hole: U,
            last: u32,
        },
        /// To a child that was raked alone, and to all but one of many.
        Release(D),
        ReleaseAll {
            above: D,
            but: u32,
        },
    }
}

plain! {
    /// What all processors know.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Operators<U, D> {
        pub(super) up: U,
        pub(super) down: D,
    }
}
