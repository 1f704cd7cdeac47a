//! Clusters, and what they add up to.
//!
//! A vertex adds its value at the last of its nodes that dies: the one without a neighbour of the same
//! vertex. So a path that passes several nodes of a vertex has its value once.

use super::contract::Contraction;
use super::shape::{Slot, Slots};
use palmette_core::{Monoid, NONE};

/// What a node became when it died.
#[derive(Debug, Clone)]
pub(super) struct Cluster<E> {
    /// What was there when it died: neighbours that it lies between, and clusters within it.
    pub(super) slots: Slots,
    /// The node that died with this within its own cluster; `NONE` for the last of a tree.
    pub(super) parent: u32,
    /// The round.
    pub(super) death: u32,
    /// Of the last of a tree, the root.
    pub(super) root: u32,
    /// All of it.
    pub(super) total: E,
    /// What lies between its two neighbours, without their vertices: from the first to the second, and
    /// back.
    pub(super) products: [E; 2],
}

impl<M: Monoid> Contraction<M> {
    /// What a vertex adds at a node between neighbours: its value, unless one of them is of the same
    /// vertex.
    #[inline]
    pub(super) fn own(&self, node: u32, slots: &Slots) -> M::Elem {
        let owner = self.shape.owner(node);
        let is_last = slots.iter().all(|s| s.to == NONE || self.shape.owner(s.to) != owner);
        if is_last { self.values[owner as usize] } else { self.monoid.identity() }
    }

    /// What lies between a node and a neighbour of it, in this direction.
    #[inline]
    pub(super) fn between(&self, from: u32, slot: Slot) -> M::Elem {
        if slot.via == NONE {
            return self.monoid.identity();
        }
        let cluster = &self.clusters[slot.via as usize];
        let first = cluster.slots.iter().find(|slot| slot.to != NONE);
        cluster.products[usize::from(first.is_none_or(|first| first.to != from))]
    }

    pub(super) fn sums(&self, node: u32) -> (M::Elem, [M::Elem; 2]) {
        let slots = &self.clusters[node as usize].slots;
        let own = self.own(node, slots);
        let mut total = own;
        for via in slots.iter().map(|slot| slot.via).filter(|&via| via != NONE) {
            total = self.monoid.combine(total, self.clusters[via as usize].total);
        }
        let mut ends = slots.iter().filter(|slot| slot.to != NONE);
        let (Some(a), Some(b)) = (ends.next(), ends.next()) else {
            return (total, [self.monoid.identity(); 2]);
        };
        let three = |from: Slot, to: Slot| {
            // Out of the node on either side; the way to `from` is asked from there.
            let back = Slot { to: node, via: from.via };
            let left = self.monoid.combine(self.between(from.to, back), own);
            self.monoid.combine(left, self.between(node, to))
        };
        (total, [three(*a, *b), three(*b, *a)])
    }

    /// The last node of a vertex that died: the one that has its value.
    pub(super) fn last_of(&self, v: u32) -> u32 {
        let mut node = v;
        loop {
            let slots = &self.clusters[node as usize].slots;
            let same = |slot: &&Slot| slot.to != NONE && self.shape.owner(slot.to) == v;
            match slots.iter().find(same) {
                Some(slot) => node = slot.to,
                None => return node,
            }
        }
    }
}
