//! The tree on a range of addresses that broadcast, reduce and scan share.
//!
//! **Problem.** Connect the processors of a range by a tree of bounded degree and
//! logarithmic depth whose edges are short in total, such that every processor knows
//! its parent and its children from the range alone.
//!
//! **Method.** The root is the first address; its one child is the hub of the rest. A
//! part `[first, end)` lies in a smallest block of `4^k` addresses that begins at a
//! multiple of `4^k`. Its hub is the middle of the block or, when the part does not
//! reach over the middle, the boundary between the two quarters that it lies in. The
//! hub's children are the hubs of the quarters, without the hub itself: at most two
//! parts before it and two after it, so the order of addresses is kept. On the Hilbert
//! curve the middle of a block of addresses is the centre of a square, half a side away
//! from the centre of each quarter. Blocks are those of the curve, not of the range:
//! where the range begins makes no difference.
//!
//! **Cost.** Four children at most. Depth at most ⌈log4 n⌉ + 2, one less where the range
//! begins at address 0. A quarter has half the side of its block, so the sum of the edges
//! is geometric: O(n). Measured on whole machines of 2^8 to 2^18: at most 1.84 n on
//! Hilbert, 1.92 n on Z; for ranges that begin anywhere at most 2.03 n on Hilbert, and on
//! Z 2 n and at most two jumps across a seam of the curve, to a hub beyond it and back. The
//! complete binary tree in light-first order of Lemma 13 is nearly twice as deep and takes
//! 2.12 n on Hilbert, 2.85 n on Z (`perfect` in docs/benchmarks.md).
//!
//! **Reference.** Lemma 13 of *Low-Depth Spatial Tree Algorithms* for the use of ranges.

use super::Range;
use crate::plain;
use palmette_core::{Monoid, NONE};

/// Parts of a range, and so children of a hub.
pub(super) const PARTS: usize = 4;
/// How many of the parts come before the hub.
const BEFORE: usize = PARTS / 2;

plain! {
    /// What a processor knows of its place in the tree of its range.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Node {
        /// The addresses below this one, itself included; empty where there is no tree.
        part: Range,
        /// [`NONE`] at the root.
        parent: u32,
        /// Which part of its parent's this one is.
        slot: u8,
        /// How deep it is.
        level: u8,
    }
}

/// The address that stands for a part, and the length of a quarter of its block.
fn hub(part: Range) -> (u32, u32) {
    let last = part.end - 1;
    match (part.first ^ last).checked_ilog2() {
        None => (part.first, 1),
        // All addresses of the part agree above this bit; the hub is where it changes.
        Some(bit) => (last >> bit << bit, 1 << (bit & !1)),
    }
}

/// The parts that are left without the hub, in order; some may be empty.
fn parts(part: Range) -> [Range; PARTS] {
    let (hub, quarter) = hub(part);
    let before = hub.saturating_sub(quarter).max(part.first);
    let after = hub.saturating_add(quarter).min(part.end);
    [(part.first, before), (before, hub), (hub + 1, after), (after, part.end)]
        .map(|(first, end)| Range::new(first, end))
}

/// The parts that are left of one without its hub, each with its own hub: whom the hub tells.
/// O(1) operations, where [`Node::of`] takes O(log n).
pub(crate) fn below(part: Range) -> impl Iterator<Item = (Range, u32)> + use<> {
    parts(part).into_iter().filter(|part| !part.is_empty()).map(|part| (part, hub(part).0))
}

/// All of a range but its first address, with its hub: whom the first tells.
pub(crate) fn below_first(range: Range) -> Option<(Range, u32)> {
    let rest = Range::new(range.first + 1, range.end);
    (!rest.is_empty()).then(|| (rest, hub(rest).0))
}

impl Node {
    /// The place of processor `me` in the tree of its range: O(log n) operations.
    pub(super) fn of(me: u32, range: Range) -> Node {
        let mut node = Node { part: range, parent: NONE, slot: 0, level: 0 };
        if !range.contains(me) {
            node.part = Range::EMPTY;
        } else if me != range.first {
            let rest = Range::new(range.first + 1, range.end);
            node = Node { part: rest, parent: range.first, slot: BEFORE as u8, level: 1 };
            while hub(node.part).0 != me {
                let below = (0u8..).zip(parts(node.part)).find(|(_, part)| part.contains(me));
                let Some((slot, part)) = below else { break };
                node = Node { part, parent: hub(node.part).0, slot, level: node.level + 1 };
            }
        }
        node
    }

    /// How deep the processor is in the tree of its range: so many steps it took to find its
    /// place.
    pub(super) fn level(&self) -> u32 {
        self.level.into()
    }

    /// No processor is deeper than this in the tree of a range.
    pub(super) fn levels(range: Range) -> u32 {
        let bits = u32::BITS - range.len().saturating_sub(1).leading_zeros();
        bits.div_ceil(2) + 2
    }

    /// Whether this is the first address of a range.
    pub(super) fn is_root(&self) -> bool {
        self.parent == NONE && !self.part.is_empty()
    }

    /// The children: which part each stands for, and its address.
    pub(super) fn children(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        let parts = if self.parent != NONE {
            parts(self.part)
        } else {
            let none = Range::EMPTY;
            [none, none, Range::new(self.part.first + 1, self.part.end), none]
        };
        parts.into_iter().enumerate().filter(|(_, p)| !p.is_empty()).map(|(i, p)| (i, hub(p).0))
    }

    /// The parent, and which of its parts this one stands for. Not for roots.
    pub(super) fn parent(&self) -> (u32, u8) {
        (self.parent, self.slot)
    }
}

plain! {
    /// The values of a processor and of the parts below it, while they arrive.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Gather<E> {
        pub(super) node: Node,
        /// The processor's own value.
        pub(super) own: E,
        parts: [E; PARTS],
        missing: u32,
    }
}

impl<E: Copy> Gather<E> {
    pub(super) fn new(node: Node, own: E) -> Gather<E> {
        Gather { node, own, parts: [own; PARTS], missing: 0 }
    }

    /// Forgets what is below, and counts what has to arrive. Returns whether a member waits for
    /// nothing.
    pub(super) fn begin<M: Monoid<Elem = E>>(&mut self, operator: &M) -> bool {
        self.parts = [operator.identity(); PARTS];
        self.missing = self.node.children().count() as u32;
        self.missing == 0 && !self.node.part.is_empty()
    }

    /// Takes what arrives. Returns whether that was the last.
    pub(super) fn take(&mut self, slot: u8, value: E) -> bool {
        self.parts[usize::from(slot)] = value;
        self.missing -= 1;
        self.missing == 0
    }

    /// Everything in order of address, beginning with `prefix`: what comes before each
    /// part, before the processor's own value and before what follows.
    pub(super) fn prefixes<M: Monoid<Elem = E>>(&self, operator: &M, prefix: E) -> Prefixes<E> {
        let mut sum = prefix;
        let mut before = [prefix; PARTS];
        let mut own = prefix;
        for (slot, &part) in self.parts.iter().enumerate() {
            if slot == BEFORE {
                own = sum;
                sum = operator.combine(sum, self.own);
            }
            before[slot] = sum;
            sum = operator.combine(sum, part);
        }
        Prefixes { parts: before, own, total: sum }
    }
}

/// Sums of all that comes before.
pub(super) struct Prefixes<E> {
    pub(super) parts: [E; PARTS],
    pub(super) own: E,
    pub(super) total: E,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the tree of a range: parents and children agree, parts are in order, and
    /// every address is reached once. Returns the depth.
    fn check(range: Range) -> u32 {
        let mut reached = vec![false; range.len() as usize];
        let mut depth = 0;
        let mut queue = vec![(range.first, 0)];
        while let Some((me, level)) = queue.pop() {
            let node = Node::of(me, range);
            assert!(!node.part.is_empty() && node.is_root() == (me == range.first));
            assert!(!std::mem::replace(&mut reached[(me - range.first) as usize], true));
            depth = depth.max(level);
            assert_eq!(node.level(), level);
            assert!(level <= Node::levels(range));
            for (slot, child) in node.children() {
                assert_eq!(child < me, slot < BEFORE);
                assert_eq!(Node::of(child, range).parent(), (me, slot as u8));
                queue.push((child, level + 1));
            }
        }
        assert!(reached.iter().all(|&r| r), "{range}");
        depth
    }

    fn ceil_log4(n: u32) -> u32 {
        (0..).find(|&k| 4u64.pow(k) >= u64::from(n)).unwrap()
    }

    #[test]
    fn every_range_has_a_shallow_tree() {
        for first in 0..70 {
            for end in first + 1..140 {
                let range = Range::new(first, end);
                assert!(check(range) <= ceil_log4(range.len()) + 2, "{range}");
            }
        }
        for n in 1..300 {
            assert!(check(Range::new(0, n)) <= ceil_log4(n) + 1, "{n}");
        }
        assert_eq!(check(Range::new(0, 1 << 18)), 10);
        for range in
            [(65_530, 65_540), (65_530, 70_000), (99_999, 300_001), (u32::MAX - 99, u32::MAX)]
        {
            let range = Range::new(range.0, range.1);
            assert!(check(range) <= ceil_log4(range.len()) + 2, "{range}");
        }
    }

    #[test]
    fn outside_there_is_no_tree() {
        let node = Node::of(7, Range::new(3, 7));
        assert!(node.part.is_empty() && !node.is_root());
        assert_eq!(node.children().count(), 0);
        assert!(Node::of(0, Range::EMPTY).part.is_empty());
    }
}
