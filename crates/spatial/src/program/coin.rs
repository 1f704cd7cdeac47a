//! Coins: random bits that every processor has for itself.
//!
//! **Problem.** In every round of random mate every processor tosses a coin.
//!
//! **Method.** A processor is given 64 random bits of its own, a [`Purse`]; the coin of a round is
//! a bit of a hash of both. Nothing is shared, so nothing is to be sent first; and the coin of a
//! round is the same whenever the round is reached.

use crate::machine::{Machine, Memory, mix};
use crate::plain;

plain! {
    /// The random bits of one processor: two words.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Purse([u32; 2]);
}

impl Purse {
    /// The coin of a round, for one of the processor's elements.
    #[inline]
    pub(super) fn heads(self, round: u32, element: u32) -> bool {
        let bits = u64::from(self.0[0]) | u64::from(self.0[1]) << 32;
        mix(bits ^ mix(u64::from(element) << 32 | u64::from(round))) & 1 == 1
    }
}

/// Random bits for all processors, decided by the machine's seed and its next program.
pub(super) fn purses(machine: &Machine) -> Memory<Purse> {
    let seed = machine.next_seed();
    Memory::new(machine.processors(), |p| {
        let bits = mix(seed ^ mix(p.into()));
        Purse([bits as u32, (bits >> 32) as u32])
    })
}
