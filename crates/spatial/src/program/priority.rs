//! Random priorities: who gives way to whom.
//!
//! **Problem.** Choose, again and again, an independent set of the links of a list that
//! shrinks, without talking about it.
//!
//! **Method.** Every address has a random priority, a hash of it that all processors can
//! compute. An element gives way when it comes before both its neighbours: two neighbours
//! never do at once, and no message is spent on those that do not. Tossing coins anew in
//! every round (random mate) would need two messages per link and round to agree on them.
//!
//! Where chains grow while they contract, as in trees, fixed priorities would let them wait
//! for each other. There every link has a priority, by the addresses of both its ends: it is
//! another one as soon as an end is.
//!
//! **Cost.** The longest chain of elements of which each waits for the one before is
//! O(log n) with high probability, as for the depth of a random search tree.
//!
//! **Reference.** Shun, Gu, Blelloch, Fineman and Gibbons, *Sequential random permutation,
//! list contraction and tree contraction are highly parallel*, SODA 2015.

use crate::machine::{Machine, mix};
use crate::plain;

plain! {
    /// The priorities of all addresses: two words that every processor knows.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Priorities([u32; 2]);
}

impl Priorities {
    /// Priorities for the next program on a machine, decided by its seed.
    pub(super) fn draw(machine: &Machine) -> Priorities {
        let seed = machine.next_seed();
        Priorities([seed as u32, (seed >> 32) as u32])
    }

    /// Whether `a` gives way before `b` does.
    #[inline]
    pub(super) fn before(self, a: u32, b: u32) -> bool {
        (self.hash(a), a) < (self.hash(b), b)
    }

    /// The priority of a link from `parent` to `child`: it is drawn anew whenever one of
    /// them is another. No two links with different children have the same.
    #[inline]
    pub(super) fn of_link(self, parent: u32, child: u32) -> (u64, u32) {
        let seed = self.hash(parent);
        (mix(seed ^ u64::from(child)), child)
    }

    fn hash(self, address: u32) -> u64 {
        let seed = u64::from(self.0[0]) | u64::from(self.0[1]) << 32;
        mix(seed ^ mix(address.into()))
    }
}
