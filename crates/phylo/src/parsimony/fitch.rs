//! Equal costs: sets of states and the number of changes, by Fitch's rule and Hartigan's.
//!
//! **Problem.** Input: a set of states at every tip. Output: for every vertex the states with which its
//! subtree has the fewest changes (the *first-pass set*), and for every site the number of changes.
//!
//! **Method.** `k(s)` counts the children whose set has state `s`; the set of a vertex is where `k` is
//! largest, and costs children − max `k`. Counters are *sliced*: word `j` of a sum has bit `j` of all
//! counters of its lanes, so that a child is added by `log₂` of the number of children steps of a ripple,
//! for 16 sites per word at once; the largest counter of a lane is found from its highest bit down. For
//! two children that is Fitch's rule, intersection if there is one, else union:
//! `i = a & b; e = lanes where i is empty; i | (a | b) & e`, with a change where it is empty.
//!
//! **Cost.** About 12 operations per word and binary vertex. For scores 64 bytes per vertex that waits
//! for its parent; with sets 128 bytes per vertex, per thread.
//!
//! **Reference.** W. Fitch, *Toward defining the course of evolution*, 1971; J. Hartigan, *Minimum
//! mutation fits to a given tree*, 1973.

use super::TipSets;
use super::lanes::{Lanes, WORDS, block, block_mut, each};
use super::tally::Tally;
use palmette_tree::fold::Fold;

/// Bits of a counter of children.
const PLANES: usize = 32;

/// Where a sum has its planes: after their number and the number of children.
const FIRST: usize = 2;

/// The first pass. With `KEEP` a value has two sets: the best states, and those that cost one more.
pub(super) struct Fitch<'a, const BITS: u32, const KEEP: bool> {
    pub(super) tips: &'a TipSets<'a>,
}

/// The number of changes at every site of a block, as it is counted.
pub(super) struct Changes<const BITS: u32> {
    /// At vertices with two children.
    pairs: Tally<BITS>,
    /// Children of other vertices, and by power of two the largest counters, which are no changes.
    children: u64,
    kept: Vec<Tally<BITS>>,
}

impl<const BITS: u32> Changes<BITS> {
    pub(super) fn by_site(self) -> Vec<u64> {
        let pairs = self.pairs.counts().into_iter();
        let mut sites: Vec<u64> = pairs.map(|n| u64::from(n) + self.children).collect();
        for (power, tally) in self.kept.into_iter().enumerate() {
            for (site, count) in sites.iter_mut().zip(tally.counts()) {
                *site -= u64::from(count) << power;
            }
        }
        sites
    }
}

impl<const BITS: u32, const KEEP: bool> Fitch<'_, BITS, KEEP> {
    fn all(&self) -> u64 {
        Lanes::<BITS>::everywhere(self.tips.all_states())
    }
}

impl<const BITS: u32, const KEEP: bool> Fold for Fitch<'_, BITS, KEEP> {
    type Word = u64;
    type Note = Changes<BITS>;

    fn value_words(&self) -> usize {
        if KEEP { 2 * WORDS } else { WORDS }
    }

    fn sum_words(&self) -> usize {
        FIRST + PLANES * WORDS
    }

    fn note(&self, _block: usize) -> Changes<BITS> {
        Changes { pairs: Tally::new(), children: 0, kept: Vec::new() }
    }

    #[inline(always)]
    fn leaf(&self, b: usize, vertex: u32, value: &mut [u64]) {
        match self.tips.row(vertex) {
            Some(row) => value[..WORDS].copy_from_slice(&row[b * WORDS..][..WORDS]),
            None => value[..WORDS].fill(self.all()),
        }
        // Any other state is impossible, not one more change.
        value[WORDS..].fill(0);
    }

    fn clear(&self, sum: &mut [u64]) {
        sum[..FIRST].fill(0);
    }

    #[inline(always)]
    fn gather(&self, _block: usize, _child: u32, value: &[u64], sum: &mut [u64]) {
        let (head, planes) = sum.split_at_mut(FIRST);
        head[1] += 1;
        let mut carry = *block(value);
        let used = head[0] as usize;
        for plane in planes.chunks_exact_mut(WORDS).take(used) {
            let plane = block_mut(plane);
            for (plane, carry) in plane.iter_mut().zip(&mut carry) {
                (*plane, *carry) = (*plane ^ *carry, *plane & *carry);
            }
        }
        if carry != [0; WORDS] {
            planes[used * WORDS..][..WORDS].copy_from_slice(&carry);
            head[0] += 1;
        }
    }

    fn finish(
        &self,
        _block: usize,
        _vertex: u32,
        sum: &[u64],
        value: &mut [u64],
        note: &mut Changes<BITS>,
    ) {
        let (used, all) = (sum[0] as usize, self.all());
        let plane = |j: usize| block(&sum[FIRST + j * WORDS..]);
        note.children += sum[1];
        note.kept.resize_with(note.kept.len().max(used), Tally::new);
        // States that are still best, from the highest bit of counters down, and the best counters.
        let mut best = [all; WORDS];
        let mut most = [[0; WORDS]; PLANES];
        for j in (0..used).rev() {
            let plane = plane(j);
            let with = each(|w| best[w] & plane[w]);
            let low = each(|w| Lanes::<BITS>::filled(with[w]));
            most[j] = each(|w| Lanes::<BITS>::whole(low[w]));
            best = each(|w| with[w] | best[w] & !most[j][w]);
            note.kept[j].add(&low);
        }
        *block_mut(value) = best;
        if KEEP {
            // Where counters are one less than the best: `borrow` has the lanes of bits to subtract.
            let (mut next, mut borrow) = ([all; WORDS], [!0; WORDS]);
            for (j, most) in most.iter().enumerate().take(used) {
                let plane = plane(j);
                next = each(|w| next[w] & !(plane[w] ^ most[w] ^ borrow[w]));
                borrow = each(|w| borrow[w] & !most[w]);
            }
            *block_mut(&mut value[WORDS..]) = next;
        }
    }

    #[inline(always)]
    fn pair(
        &self,
        _block: usize,
        _vertex: u32,
        children: [&[u64]; 2],
        value: &mut [u64],
        note: &mut Changes<BITS>,
    ) -> bool {
        let [a, b] = children.map(block);
        let common = each(|w| Lanes::<BITS>::filled(a[w] & b[w]));
        let whole = each(|w| Lanes::<BITS>::whole(common[w]));
        *block_mut(value) = each(|w| a[w] & b[w] | (a[w] | b[w]) & !whole[w]);
        note.pairs.add(&each(|w| common[w] ^ Lanes::<BITS>::LOW));
        if KEEP {
            let all = self.all();
            let next = each(|w| (a[w] ^ b[w]) & whole[w] | all & !(a[w] | b[w] | whole[w]));
            *block_mut(&mut value[WORDS..]) = next;
        }
        true
    }
}
