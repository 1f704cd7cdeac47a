//! From subtree sizes to places among siblings.
//!
//! **Problem.** In preorder a subtree is an interval; find where each vertex's interval begins
//! inside its parent's. **Method.** Vertices take the next free part of their parent's interval, in
//! the order in which siblings are to stand: one sweep for the given order, a sweep over a radix
//! sort for orders by size. **Cost.** Linear; sorting takes one more pass for each 11 bits that
//! differ.

use crate::NONE;
use crate::memory::{huge_zeroed, prefetch};
use crate::tree::SiblingOrder;

const AHEAD: usize = 32;
const HIGH: u64 = 1 << 32;

/// A vertex on its way to its position: the parent in the high half, and how far
/// after the parent's position it stands in the low half. With [`NONE`] as the
/// parent, the low half is the position itself.
pub(super) type Link = u64;

pub(super) fn link(parent: u32, offset: u32) -> Link {
    u64::from(parent) * HIGH + u64::from(offset)
}

/// The link of every vertex, from the sizes in the low halves of `words`; gives
/// the words back as scratch memory.
///
/// Vertices claim in the order in which siblings are to stand: as given, that is
/// one sweep; by size, a sweep in an order sorted by size.
pub(super) fn offsets(
    parents: &[u32],
    mut words: Vec<u64>,
    siblings: SiblingOrder,
) -> (Vec<Link>, Vec<u64>) {
    let n = parents.len();
    let mut links: Vec<Link> = huge_zeroed(n);
    let mut before_root = 0;
    // The high half of a word counts what the vertex's children have claimed.
    let mut claim = |words: &mut [u64], v: usize, p: u32| {
        let size = words[v] % HIGH;
        let word = if p == NONE { &mut before_root } else { &mut words[p as usize] };
        let claimed = (*word / HIGH) as u32;
        *word += size * HIGH;
        link(p, claimed + u32::from(p != NONE))
    };
    if siblings == SiblingOrder::AsGiven {
        for (v, &p) in parents.iter().enumerate() {
            if let Some(&far) = parents.get(v + AHEAD) {
                prefetch(&words, far as usize);
            }
            links[v] = claim(&mut words, v, p);
        }
    } else {
        let order = by_size(&words, siblings == SiblingOrder::HeavyFirst);
        for (i, &v) in order.iter().enumerate() {
            if let Some(&far) = order.get(i + 2 * AHEAD) {
                prefetch(parents, far as usize);
                prefetch(&words, far as usize);
            }
            if let Some(&far) = order.get(i + AHEAD) {
                prefetch(&words, parents[far as usize] as usize);
            }
            links[v as usize] = claim(&mut words, v as usize, parents[v as usize]);
        }
    }
    (links, words)
}

/// The vertices sorted by size, ties as in the input: a radix sort on digits of
/// eleven bits that skips digits which all share.
fn by_size(words: &[u64], descending: bool) -> Vec<u32> {
    const BITS: u32 = 11;
    const DIGITS: usize = 1 << BITS;
    let flip = if descending { u32::MAX } else { 0 };
    let mut order: Vec<u32> = (0..words.len() as u32).collect();
    let mut other: Vec<u32> = huge_zeroed(words.len());
    for shift in [0, BITS, 2 * BITS] {
        let digit = |v: u32| ((words[v as usize] as u32 ^ flip) >> shift) as usize % DIGITS;
        // Not `lists::offsets`: a digit that all share shows in the counts and costs no pass.
        let mut start = vec![0usize; DIGITS + 1];
        order.iter().for_each(|&v| start[digit(v) + 1] += 1);
        if start.contains(&words.len()) {
            continue;
        }
        for d in 0..DIGITS {
            start[d + 1] += start[d];
        }
        for &v in &order {
            let place = &mut start[digit(v)];
            other[*place] = v;
            *place += 1;
        }
        std::mem::swap(&mut order, &mut other);
    }
    order
}
