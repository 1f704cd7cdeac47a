//! Equal costs, the way down: all states that some best reconstruction has, or one reconstruction.
//!
//! **Method.** Given the final set `P` of the parent, the first-pass set `U` of a vertex and the states
//! `L` that cost one more: the final set is `P` if `U` contains it, else `U ∪ (P ∩ L)`. One
//! reconstruction: a vertex has its parent's state where that is in `U ∪ L`, and otherwise the first
//! state of `U`; a root has the first state of `U`.
//!
//! **Cost.** About 10 operations per word and vertex, in place: 128 bytes per vertex and thread.
//!
//! **Reference.** J. Hartigan, *Minimum mutation fits to a given tree*, 1973.

use super::lanes::{Lanes, WORDS, block, block_mut, each};
use palmette_tree::fold::Unfold;

/// The final sets, in place of the first-pass sets.
pub(super) struct FinalSets<const BITS: u32>;

impl<const BITS: u32> Unfold for FinalSets<BITS> {
    type Word = u64;
    type Note = ();

    fn value_words(&self) -> usize {
        2 * WORDS
    }

    fn note(&self, _block: usize) {}

    fn root(&self, _: usize, _: u32, _: &mut [u64], (): &mut ()) {}

    #[inline(always)]
    fn step(&self, _: usize, _: u32, parent: &[u64], own: &mut [u64], (): &mut ()) {
        let (above, best, next) = (block(parent), *block(own), *block(&own[WORDS..]));
        *block_mut(own) = each(|w| {
            let (p, u, l) = (above[w], best[w], next[w]);
            let outside = Lanes::<BITS>::whole(Lanes::<BITS>::filled(p & !u));
            p & !outside | (u | p & l) & outside
        });
    }
}

/// One state for each vertex, in place of the first-pass sets, and changes by branch where `branches`.
pub(super) struct OneOfBest<const BITS: u32> {
    pub(super) vertices: usize,
    pub(super) branches: bool,
}

impl<const BITS: u32> Unfold for OneOfBest<BITS> {
    type Word = u64;
    /// Changes by position.
    type Note = Vec<u32>;

    fn value_words(&self) -> usize {
        2 * WORDS
    }

    fn note(&self, _block: usize) -> Vec<u32> {
        vec![0; if self.branches { self.vertices } else { 0 }]
    }

    fn root(&self, _: usize, _: u32, own: &mut [u64], _: &mut Vec<u32>) {
        let best = *block(own);
        *block_mut(own) = each(|w| Lanes::<BITS>::first(best[w]));
    }

    #[inline(always)]
    fn step(&self, _: usize, vertex: u32, parent: &[u64], own: &mut [u64], note: &mut Vec<u32>) {
        let (above, best, next) = (block(parent), *block(own), *block(&own[WORDS..]));
        let stays = each(|w| above[w] & (best[w] | next[w]));
        let stay = each(|w| Lanes::<BITS>::filled(stays[w]));
        *block_mut(own) =
            each(|w| stays[w] | Lanes::<BITS>::first(best[w]) & !Lanes::<BITS>::whole(stay[w]));
        if let Some(changes) = note.get_mut(vertex as usize) {
            *changes = stay.iter().map(|&low| (low ^ Lanes::<BITS>::LOW).count_ones()).sum();
        }
    }
}
