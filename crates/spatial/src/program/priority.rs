//! Random priorities: who gives way to whom.
//!
//! **Problem.** Choose, again and again, an independent set of the elements of a list that
//! shrinks, without talking about it.
//!
//! **Method.** Every address has a random priority, a hash of it that all processors can
//! compute once they know the seed. An element gives way when it comes before both its
//! neighbours: two neighbours never do at once, and no message is spent on those that do not.
//! Tossing coins anew in every round (random mate) would need two messages per link and round
//! to agree on them.
//!
//! *The seed* is drawn by processor 0 and [spread](Spread) by the program that needs it, along
//! the tree of a [broadcast](crate::collective::broadcast()). A message says which addresses its
//! receiver passes it on to, so that nobody keeps its place in that tree or computes it. A
//! machine that [gives](Gift::Seed) the seed has it on all processors from the beginning.
//!
//! **Cost.** The longest chain of elements of which each waits for the one before is
//! O(log n) with high probability, as for the depth of a random search tree. To spread the seed
//! takes at most 1.84 n energy on the Hilbert curve and log2 n / 2 + 1 steps: one message per
//! processor, O(1) work for each.
//!
//! **Reference.** Shun, Gu, Blelloch, Fineman and Gibbons, *Sequential random permutation,
//! list contraction and tree contraction are highly parallel*, SODA 2015.

use super::ProgramError;
use crate::collective::{Nothing, Range, below, below_first, reduce};
use crate::machine::{Gift, Machine, Memory, mix};
use crate::plain;

plain! {
    /// The priorities of all addresses: two words, the seed.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Priorities([u32; 2]);
}

plain! {
    /// A seed on its way, and the addresses that hear of it from its receiver.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Spread {
        part: Range,
        pub(super) priorities: Priorities,
    }
}

impl Spread {
    /// What processor 0 of so many sends, and to whom.
    pub(super) fn first(count: u32, priorities: Priorities) -> Option<(u32, Spread)> {
        let told = below_first(Range::new(0, count));
        told.map(|(part, to)| (to, Spread { part, priorities }))
    }

    /// What the receiver sends, and to whom.
    pub(super) fn on(self) -> impl Iterator<Item = (u32, Spread)> {
        below(self.part).map(move |(part, to)| (to, Spread { part, ..self }))
    }
}

/// Priorities for the next program on a machine, for those that know them when it begins:
/// processor 0, or all if the seed is given.
pub(super) fn priorities(machine: &Machine) -> Memory<Option<Priorities>> {
    let (priorities, given) = (Priorities::draw(machine), machine.takes(Gift::Seed));
    Memory::new(machine.processors(), |p| (given || p == 0).then_some(priorities))
}

/// Makes processor 0 wait until all others are ready for the next program. One that spreads the
/// seed from there then finds everyone at its place, and no messages pile up before processors
/// that come late. Where nothing has run yet, all begin at once and nothing is sent; nor where
/// the seed is given, because nobody would wait for it.
///
/// # Errors
/// What stops the machine.
pub(super) fn assemble(machine: &mut Machine, name: &str) -> Result<(), ProgramError> {
    if machine.costs().messages > 0 && !machine.takes(Gift::Seed) {
        let n = machine.processors();
        let nothing = Memory::new(n, |_| ());
        reduce(machine, name, Nothing, Range::new(0, n as u32), nothing)?;
    }
    Ok(())
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

    fn hash(self, address: u32) -> u64 {
        let seed = u64::from(self.0[0]) | u64::from(self.0[1]) << 32;
        mix(seed ^ mix(address.into()))
    }
}
