//! The edges of a slice, with deputies for parents on other ranks.
//!
//! **Problem.** Every rank has the parents of its slice; find a forest of local numbers, and how
//! many children each vertex waits for. **Method.** Vertices of a slice whose parent is on
//! another rank hang on a *deputy*, which stands for it here; what they have goes to the parent
//! once. A small table remembers the latest deputies, so that siblings share one: a vertex with
//! many children gets few deputies per rank, and one whose children have consecutive numbers gets
//! one. A deputy with one child has nothing to add up: what its child has is what it has. Where these
//! *lone* ones are told apart, they have numbers, but no place in arrays. **Cost.** One pass, and half a
//! word for each deputy.

use super::NO_VERTEX;
use super::ranks::Slices;
use super::ranks::{Metered, Ranks, RanksError};
use palmette_core::memory::{huge_vec, huge_zeroed, prefetch};
use palmette_core::{Lists, NONE};

/// How far ahead of its use a cache line is asked for.
pub(super) const AHEAD: usize = 24;

/// The deputies that are remembered: as many as fit a cache.
const REMEMBERED: usize = 1 << 12;

/// The forest of a slice.
pub(super) struct Edges {
    /// By vertex of the slice, its parent: a vertex, or a deputy, which are counted after the
    /// vertices, or [`NONE`]. Those of lone deputies come last, after a number that nobody has.
    pub(super) up: Vec<u32>,
    /// By deputy, the vertex that it stands for, by its place in its own slice. Lone deputies come last.
    pub(super) targets: Vec<u32>,
    /// The first deputy of each rank, and the number of all that are not lone.
    bounds: Vec<u32>,
    /// The same for lone ones, among all.
    lone: Vec<u32>,
}

impl Edges {
    /// The edges of a slice; lone deputies are told `apart` or not.
    pub(super) fn find<R: Ranks>(
        ranks: &Metered<R>,
        slices: &Slices,
        parents: &[u64],
        apart: bool,
    ) -> Edges {
        let (own, n) = (slices.of(ranks.rank()), parents.len());
        let mut up = huge_vec(n, NONE);
        // Room that is not touched costs nothing.
        let mut stands_for: Vec<u64> = Vec::with_capacity(n);
        // Whether a deputy has several children.
        let mut shared: Vec<bool> = Vec::with_capacity(n);
        let mut latest = vec![(NO_VERTEX, 0u32); REMEMBERED];
        for (up, &parent) in up.iter_mut().zip(parents) {
            if own.contains(&parent) {
                *up = (parent - own.start) as u32;
            } else if parent != NO_VERTEX {
                let hash = parent.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                let known = &mut latest[hash as usize % REMEMBERED];
                if known.0 == parent {
                    shared[known.1 as usize] = true;
                } else {
                    *known = (parent, stands_for.len() as u32);
                    stands_for.push(parent);
                    shared.push(!apart);
                }
                *up = n as u32 + known.1;
            }
        }
        let (order, by_rank) = by_owner(ranks, slices, &stands_for);
        let (count, mut next) = (order.len(), [0, 0]);
        next[1] = shared.iter().filter(|&&shared| shared).count();
        let (mut bounds, mut lone) = (vec![0], vec![next[1] as u32]);
        let in_order = next[1] == count && order.is_sorted();
        let (mut targets, mut number) = (vec![0; count], vec![0; count + 1]);
        for (rank, range) in by_rank.windows(2).enumerate() {
            let first = slices.of(rank).start;
            for &k in &order[range[0] as usize..range[1] as usize] {
                // Which of the two is a coin toss: no branches.
                let is_lone = usize::from(!shared[k as usize]);
                let at = next[is_lone];
                next[is_lone] += 1;
                number[k as usize] = (n + at + is_lone) as u32;
                targets[at] = (stands_for[k as usize] - first) as u32;
            }
            bounds.push(next[0] as u32);
            lone.push(next[1] as u32);
        }
        if !in_order {
            for up in &mut up {
                let at = (*up as usize).wrapping_sub(n).min(count);
                let deputy = number[at];
                *up = if at == count { *up } else { deputy };
            }
        }
        Edges { up, targets, bounds, lone }
    }

    /// The vertices of the slice.
    pub(super) fn vertices(&self) -> usize {
        self.up.len()
    }

    /// The vertices of the slice and the deputies that are not lone.
    pub(super) fn len(&self) -> usize {
        self.up.len() + self.bounds[self.bounds.len() - 1] as usize
    }

    /// The lone deputies.
    pub(super) fn lone(&self) -> usize {
        self.targets.len() - self.lone[0] as usize
    }

    /// Whether a number is that of a lone deputy.
    pub(super) fn is_lone(&self, number: u32) -> bool {
        (number as usize > self.len()) & (number != NONE)
    }

    /// By rank, how many deputies have their vertex there, without lone ones.
    pub(super) fn counts(&self) -> Vec<usize> {
        self.bounds.windows(2).map(|w| (w[1] - w[0]) as usize).collect()
    }

    /// As [`counts`](Self::counts), of lone ones.
    pub(super) fn lone_counts(&self) -> Vec<usize> {
        self.lone.windows(2).map(|w| (w[1] - w[0]) as usize).collect()
    }

    /// The targets of all deputies that are not lone, and those of the others.
    pub(super) fn both_targets(&self) -> [&[u32]; 2] {
        let (shared, lone) = self.targets.split_at(self.lone[0] as usize);
        [shared, lone]
    }

    /// The rank of the vertex that a deputy stands for.
    pub(super) fn owner(&self, deputy: u32) -> usize {
        let place = self.place(deputy) as u32;
        let bounds = if place < self.lone[0] { &self.bounds } else { &self.lone };
        bounds[1..].partition_point(|&bound| bound <= place)
    }

    /// The vertex that a deputy stands for, by its place in its own slice.
    pub(super) fn target(&self, deputy: u32) -> u32 {
        self.targets[self.place(deputy)]
    }

    /// The place of a deputy among the targets.
    #[inline(always)]
    pub(super) fn place(&self, deputy: u32) -> usize {
        (deputy as usize).wrapping_sub(self.up.len() + usize::from(deputy as usize > self.len()))
    }

    /// By vertex and deputy, the children that it waits for, without those elsewhere; and room for one more.
    pub(super) fn children(&self) -> Vec<u32> {
        let nobody = self.len();
        let mut children: Vec<u32> = huge_zeroed(nobody + 1);
        for (v, &parent) in self.up.iter().enumerate() {
            if let Some(&far) = self.up.get(v + AHEAD) {
                prefetch(&children, (far as usize).min(nobody));
            }
            children[(parent as usize).min(nobody)] += 1;
        }
        children.pop();
        children
    }
}

/// Deputies by the ranks of their vertices, and where each rank begins.
fn by_owner<R: Ranks>(
    ranks: &Metered<R>,
    slices: &Slices,
    stands_for: &[u64],
) -> (Vec<u32>, Vec<u32>) {
    let count = stands_for.len() as u32;
    if slices.ranks() == 2 {
        // All are of the one other rank.
        return ((0..count).collect(), vec![0, count * ranks.rank() as u32, count]);
    }
    let owner = |&parent: &u64| slices.owner(parent) as u32;
    let lists = Lists::by_key(slices.ranks(), stands_for.iter().map(owner).zip(0u32..));
    let bounds = lists.offsets().iter().map(|&first| first as u32).collect();
    (lists.into_items(), bounds)
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
