//! The edges of a slice, with deputies for parents on other ranks.
//!
//! **Problem.** Every rank has the parents of its slice; find a forest of local numbers, and how
//! many children each vertex waits for. **Method.** Vertices of a slice whose parent is on
//! another rank hang on a *deputy*, which stands for it here; what they have goes to the parent
//! once. A small table remembers the latest deputies, so that siblings share one: a vertex with
//! many children gets few deputies per rank, and one whose children have consecutive numbers gets
//! one. **Cost.** One pass, and half a word for each deputy.

use super::NO_VERTEX;
use super::ranks::{Metered, Ranks, RanksError};
use super::route::Slices;
use palmette_core::memory::{huge_vec, huge_zeroed, prefetch};
use palmette_core::{Lists, NONE};

/// How far ahead of its use a cache line is asked for.
pub(super) const AHEAD: usize = 24;

/// The deputies that are remembered: as many as fit a cache.
const REMEMBERED: usize = 1 << 12;

/// The forest of a slice.
pub(super) struct Edges {
    /// By vertex of the slice, its parent: a vertex, or a deputy, which are counted after the
    /// vertices, or [`NONE`].
    pub(super) up: Vec<u32>,
    /// By deputy, the vertex that it stands for, by its place in its own slice.
    pub(super) targets: Vec<u32>,
    /// The first deputy of each rank, and the number of all.
    bounds: Vec<u32>,
}

impl Edges {
    pub(super) fn find<R: Ranks>(ranks: &Metered<R>, slices: &Slices, parents: &[u64]) -> Edges {
        let (own, n) = (slices.of(ranks.rank()), parents.len());
        let mut up = huge_vec(n, NONE);
        let mut stands_for: Vec<u64> = Vec::new();
        let mut latest = vec![(NO_VERTEX, 0u32); REMEMBERED];
        for (up, &parent) in up.iter_mut().zip(parents) {
            if own.contains(&parent) {
                *up = (parent - own.start) as u32;
            } else if parent != NO_VERTEX {
                let hash = parent.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                let known = &mut latest[hash as usize % REMEMBERED];
                if known.0 != parent {
                    *known = (parent, (n + stands_for.len()) as u32);
                    stands_for.push(parent);
                }
                *up = known.1;
            }
        }
        if slices.ranks() == 2 {
            // All deputies are of the one other rank.
            let other = 1 - ranks.rank();
            let (first, count) = (slices.of(other).start, stands_for.len() as u32);
            let targets = stands_for.iter().map(|parent| (parent - first) as u32).collect();
            return Edges { up, targets, bounds: vec![0, count * (1 - other as u32), count] };
        }
        let owner = |&parent: &u64| slices.owner(parent) as u32;
        let by_owner = Lists::by_key(slices.ranks(), stands_for.iter().map(owner).zip(0u32..));
        let bounds: Vec<u32> = by_owner.offsets().iter().map(|&first| first as u32).collect();
        let order = by_owner.items();
        if !order.is_sorted() {
            let mut number = vec![0; order.len()];
            order.iter().zip(n as u32..).for_each(|(&k, new)| number[k as usize] = new);
            let deputies = up.iter_mut().filter(|up| **up != NONE && **up >= n as u32);
            deputies.for_each(|up| *up = number[*up as usize - n]);
        }
        let mut targets = Vec::with_capacity(order.len());
        for rank in 0..slices.ranks() {
            let first = slices.of(rank).start;
            let place = |&k: &u32| (stands_for[k as usize] - first) as u32;
            targets.extend(by_owner.of(rank as u32).iter().map(place));
        }
        Edges { up, targets, bounds }
    }

    /// The vertices of the slice.
    pub(super) fn vertices(&self) -> usize {
        self.up.len()
    }

    /// The vertices of the slice and the deputies.
    pub(super) fn len(&self) -> usize {
        self.up.len() + self.targets.len()
    }

    /// By rank, how many deputies have their vertex there.
    pub(super) fn counts(&self) -> Vec<usize> {
        self.bounds.windows(2).map(|w| (w[1] - w[0]) as usize).collect()
    }

    /// The rank of the vertex that a deputy stands for.
    pub(super) fn owner(&self, deputy: u32) -> usize {
        let place = deputy - self.up.len() as u32;
        self.bounds[1..].partition_point(|&bound| bound <= place)
    }

    /// The vertex that a deputy stands for, by its place in its own slice.
    pub(super) fn target(&self, deputy: u32) -> u32 {
        self.targets[deputy as usize - self.up.len()]
    }

    /// By vertex and deputy, the children that it waits for, without those elsewhere.
    pub(super) fn children(&self) -> Vec<u32> {
        let mut children: Vec<u32> = huge_zeroed(self.len());
        for (v, &parent) in self.up.iter().enumerate() {
            if let Some(&far) = self.up.get(v + AHEAD) {
                // NONE is far out of range; asking for it does nothing.
                prefetch(&children, far as usize);
            }
            if let Some(children) = children.get_mut(parent as usize) {
                *children += 1;
            }
        }
        children
    }
}

/// Sends numbers below 2^32 - 1, two in a word: so many to each rank. Returns what arrived, and
/// how many came from each.
pub(super) fn exchange_small<R: Ranks>(
    ranks: &mut Metered<R>,
    numbers: &[u32],
    counts: &[usize],
) -> Result<(Vec<u32>, Vec<usize>), RanksError> {
    let mut words = Vec::with_capacity(numbers.len() / 2 + counts.len());
    let mut rest = numbers;
    for &count in counts {
        let (own, after) = rest.split_at(count);
        rest = after;
        let (pairs, last) = own.as_chunks();
        words.extend(pairs.iter().map(|&[low, high]| u64::from(high) << 32 | u64::from(low)));
        words.extend(last.iter().map(|&low| u64::from(NONE) << 32 | u64::from(low)));
    }
    let word_counts: Vec<usize> = counts.iter().map(|count| count.div_ceil(2)).collect();
    let mail = ranks.exchange(&words, &word_counts)?;
    drop(words);
    let (mut arrived, mut received) = (Vec::with_capacity(2 * mail.words.len()), Vec::new());
    for words in mail.by_rank() {
        let before = arrived.len();
        arrived.extend(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]));
        if arrived.len() > before && arrived.last() == Some(&NONE) {
            arrived.pop();
        }
        received.push(arrived.len() - before);
    }
    Ok((arrived, received))
}
