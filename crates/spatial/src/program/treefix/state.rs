//! The state of a vertex in the treefix program, and its messages.

use super::Contracted;
use super::range::{END, HEAD, Side, level};
use crate::local::{Role, VirtualLinks, halves};
use crate::plain;
use palmette_core::NONE;

/// What a vertex waits for, a bit each: a place for every message that comes before it is contracted.
pub(super) mod wait {
    /// Who its last child is.
    pub(in super::super) const LAST: u8 = 1;
    /// What is before it on its path.
    pub(in super::super) const BEFORE: u8 = 2;
    /// What is after it.
    pub(in super::super) const AFTER: u8 = 4;
    /// The product above a path.
    pub(in super::super) const ABOVE: u8 = 8;
    /// Blocks of children and of siblings: see [`super::block_bit`].
    pub(in super::super) const CURRENT: u8 = 16 | 32;
    pub(in super::super) const APPENDED: u8 = 64 | 128;
}

/// The bit of a block of siblings whose first vertex has this role.
pub(super) fn block_bit(role: Role) -> u8 {
    match role {
        Role::Root => 0,
        Role::FirstCurrent => 16,
        Role::SecondCurrent => 32,
        Role::FirstAppended => 64,
        Role::SecondAppended => 128,
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) struct State<T> {
        pub(super) links: VirtualLinks,
        /// The parent in the tree.
        pub(super) parent: u32,
        /// The neighbours of this vertex's range.
        pub(super) up: Side,
        pub(super) down: Side,
        /// The vertices that speak for the ranges on both sides that it has joined.
        pub(super) left: u32,
        pub(super) right: u32,
        /// The longest chain of contractions so far, of this vertex and of finished siblings.
        pub(super) round: u32,
        pub(super) beside_round: u32,
        /// The level of its link to its last child.
        pub(super) level: u8,
        /// The first vertex of a path.
        pub(super) head: bool,
        /// The parent has to be told who its last child is.
        pub(super) tells: bool,
        /// What has not come: bits of [`wait`].
        pub(super) waits: u8,
        /// The blocks of children and siblings to speak with: those of more than a last child.
        pub(super) blocks: u8,
        /// The steps that it took to find the vertex's place among its siblings.
        pub(super) steps: u8,
        /// The vertex's own value; in the end its product.
        pub(super) own: T,
        /// The product of all children but the last.
        pub(super) lights: T,
        /// Of what is before it in its range, and after it.
        pub(super) before: T,
        pub(super) after: T,
        /// Of siblings appended to it.
        pub(super) beside: T,
    }
}

/// A vertex's input: its place, its relatives, its value.
pub(super) struct Input<T> {
    pub(super) me: u32,
    pub(super) parent: u32,
    pub(super) links: VirtualLinks,
    /// How many siblings it has with itself, and how many are on its left.
    pub(super) siblings: u32,
    pub(super) index: u32,
    /// How many children it has, and the first.
    pub(super) children: u32,
    pub(super) first_child: u32,
    /// How many siblings are appended to it.
    pub(super) appended: u32,
    /// The steps to find these.
    pub(super) steps: u8,
    pub(super) value: T,
}

/// Which of the two halves of a block of siblings are more than a last child.
fn spoken(block: u32, has_last: bool) -> [bool; 2] {
    let [first, second] = halves(block);
    let alone = |length: u32, is_end: bool| has_last && is_end && length == 1;
    [first > 0 && !alone(first, second == 0), second > 0 && !alone(second, true)]
}

impl<T: Copy> State<T> {
    /// What a vertex knows before it has heard anything; `up` for products of subtrees.
    pub(super) fn new(input: Input<T>, up: bool) -> State<T> {
        let Input { me, parent, links, siblings, index, children, appended, .. } = input;
        let head = parent == NONE || index + 1 < siblings;
        // With two children the virtual tree knows the last.
        let last = match children {
            0 => me + 1,
            1 => input.first_child,
            2 => links.current[1],
            _ => NONE,
        };
        let current = spoken(children, true);
        let appended = spoken(appended, index + appended + 1 == siblings);
        let mut blocks = 0;
        for (spoken, roles) in [(current, Role::CURRENT), (appended, Role::APPENDED)] {
            for (_, role) in spoken.into_iter().zip(roles).filter(|(spoken, _)| *spoken) {
                blocks |= block_bit(role);
            }
        }
        let mut waits = if up { blocks } else { 0 };
        waits |= if children > 0 { wait::AFTER } else { 0 };
        waits |= if last == NONE && !head { wait::LAST } else { 0 };
        waits |= if head && parent != NONE && !up { wait::ABOVE } else { 0 };
        State {
            links,
            parent,
            up: Side { at: NONE, level: HEAD },
            down: Side { at: NONE, level: END },
            left: NONE,
            right: NONE,
            round: 0,
            beside_round: 0,
            level: if last == NONE { HEAD } else { level(me, last) },
            head,
            tells: !head && siblings > 2,
            waits,
            blocks,
            steps: input.steps,
            own: input.value,
            lights: input.value,
            before: input.value,
            after: input.value,
            beside: input.value,
        }
    }

    /// Whether something has not come.
    pub(super) fn waits_for(&self, what: u8) -> bool {
        self.waits & what != 0
    }

    /// The heads of the blocks that this vertex passes on to, of those in a set.
    pub(super) fn heads_of(&self, set: u8) -> impl Iterator<Item = u32> + use<T> {
        let heads = [self.links.current, self.links.appended];
        let roles = [Role::CURRENT, Role::APPENDED];
        let spoken = self.blocks & set;
        let each = heads.into_iter().flatten().zip(roles.into_iter().flatten());
        each.filter(move |&(_, role)| block_bit(role) & spoken != 0).map(|(head, _)| head)
    }

    /// What contracts here has been contracted before.
    pub(super) fn after_round(&mut self, round: u32) {
        self.round = self.round.max(round + 1);
    }

    /// The product, and how the vertex was contracted.
    pub(super) fn answer(&self) -> (T, Contracted) {
        let round = self.round + u32::from(self.links.role != Role::Root);
        (self.own, Contracted { round, compressed: !self.head })
    }
}

plain! {
    #[derive(Debug, Clone, Copy)]
    pub(super) enum Message<T> {
        Last { from: u32 },
        Higher { from: u32, level: u8 },
        Above { value: T },
        Left { from: u32, at: u32, level: u8, round: u32, value: T },
        Right { from: u32, at: u32, level: u8, round: u32, value: T },
        Block { role: Role, round: u32, value: T },
        Outside { value: T },
    }
}
