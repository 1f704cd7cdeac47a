//! What siblings report: whether at most one of them is no leaf, and their products.
//!
//! Blocks are a monoid, so that they can be combined along the virtual tree in whatever order
//! they arrive, first halves from the left and second halves from the right.

use crate::plain;
use palmette_core::{Monoid, NONE};

plain! {
    /// Siblings in a row.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Block<U> {
        /// The one that is no leaf, if it is the only one.
        pub(super) hole: u32,
        /// How many are not: 0, 1, or 2 for several.
        pub(super) holes: u8,
        /// The product of all before the hole, or of all.
        pub(super) left: U,
        /// The product of all behind it.
        pub(super) right: U,
    }
}

impl<U: Copy> Block<U> {
    /// Nobody.
    pub(super) fn empty<M: Monoid<Elem = U>>(operator: &M) -> Block<U> {
        let identity = operator.identity();
        Block { hole: NONE, holes: 0, left: identity, right: identity }
    }

    /// A leaf with its product.
    pub(super) fn leaf<M: Monoid<Elem = U>>(operator: &M, product: U) -> Block<U> {
        Block { left: product, ..Block::empty(operator) }
    }

    /// Someone who is no leaf: an empty context.
    pub(super) fn other<M: Monoid<Elem = U>>(operator: &M, address: u32) -> Block<U> {
        Block { hole: address, holes: 1, ..Block::empty(operator) }
    }

    /// This block, then another.
    pub(super) fn then<M: Monoid<Elem = U>>(self, operator: &M, next: Block<U>) -> Block<U> {
        let holes = (self.holes + next.holes).min(2);
        match (self.holes, next.holes) {
            (0, 0 | 1) => {
                let left = operator.combine(self.left, next.left);
                Block { hole: next.hole, holes, left, right: next.right }
            }
            (1, 0) => Block { right: operator.combine(self.right, next.left), ..self },
            // Of no use to anyone: nothing is raked in this round.
            _ => Block { hole: NONE, holes, ..self },
        }
    }
}
