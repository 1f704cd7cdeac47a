//! Costs of one's own, scores only: Sankoff's least costs in bytes.
//!
//! **Problem.** Input: a set of states at every tip and a matrix of small finite costs
//! `c[parent][child]`. Output: the least cost of every site.
//!
//! **Method.** Of a subtree's costs `S[a]` only those within the largest cost `C` of their least matter:
//! a state that costs `C` more than the best one is no cheaper than a change to the best. So a row keeps
//! `min(S[a] − least, C)`, which a byte holds, and the least is added to the score of the site. The row of
//! a parent is a sum over children of `min_b (c[a][b] + S[b])`, each at most `C`. Sums hold while children × `C` is at
//! most 255; then two bytes are taken, and no answer is given beyond 65,535, or where a cost is
//! infinite. Sites of a block are [`LANES`] neighbours; of lanes of 4 bits the even ones come first, as
//! two masks take them out of words.
//!
//! **Cost.** states² additions and minima per site and vertex, 16 of them per instruction where vectors
//! have 128 bits. 128 × states bytes per vertex that waits for its parent, and thread.
//!
//! **Determinism.** Whole numbers, one thread per block of sites.
//!
//! **Reference.** D. Sankoff, *Minimal mutation trees of sequences*, 1975.
//!
//! **When not to use.** For states or costs by branch, which need all of `S`: `sankoff.rs`.

use super::scores::Folded;
use super::{CostMatrix, TipSets};
use palmette_core::sites::{WORDS, get};
use palmette_tree::distributed::Scalar;
use palmette_tree::fold::Fold;
use std::ops::{Add, Sub};

/// Sites of a block.
const LANES: usize = 128;
/// Sites that are computed together, so that sums stay in registers.
const CHUNK: usize = 64;

type Row<T> = [T; LANES];

/// Whole numbers of few bits.
trait Small: Scalar + Ord + Add<Output = Self> + Sub<Output = Self> + Into<u32> + From<u8> {
    const MOST: u32;
    fn of(cost: u32) -> Self;
}

impl Small for u8 {
    const MOST: u32 = u8::MAX as u32;
    fn of(cost: u32) -> u8 {
        cost as u8
    }
}

impl Small for u16 {
    const MOST: u32 = u16::MAX as u32;
    fn of(cost: u32) -> u16 {
        cost as u16
    }
}

/// The least cost of every site, in the units of the costs; nothing where these are too large.
pub(super) fn scores<F: Folded>(
    tree: &mut F,
    tips: &TipSets<'_>,
    costs: &CostMatrix,
) -> Result<Option<Vec<f64>>, F::Error> {
    let units = costs.units();
    let most = f64::from(u16::MAX);
    if !units.iter().all(|&cost| cost <= most) {
        return Ok(None);
    }
    let largest = units.iter().fold(0, |most, &cost| most.max(cost as u32));
    let sums = tree.most_children().max(2).saturating_mul(largest.into());
    match u32::try_from(sums).unwrap_or(u32::MAX) {
        sums if sums <= u8::MOST => scores_in::<u8, F>(tree, tips, costs, largest).map(Some),
        sums if sums <= u16::MOST => scores_in::<u16, F>(tree, tips, costs, largest).map(Some),
        _ => Ok(None),
    }
}

fn scores_in<T: Small, F: Folded>(
    tree: &mut F,
    tips: &TipSets<'_>,
    costs: &CostMatrix,
    largest: u32,
) -> Result<Vec<f64>, F::Error> {
    let each = costs.units().iter().map(|&cost| [T::of(cost as u32); CHUNK]).collect();
    let fold = LeastCosts { tips, states: costs.states(), costs: each, largest: T::of(largest) };
    let blocks = tips.sites().div_ceil(LANES);
    let mut scores = vec![0.0; blocks * LANES];
    for (block, found) in tree.live(&fold, blocks)?.into_iter().enumerate() {
        for (lane, sum) in found.note.finished().into_iter().enumerate() {
            scores[block * LANES + fold.site(lane)] = sum as f64;
        }
    }
    scores.truncate(tips.sites());
    Ok(scores)
}

struct LeastCosts<'a, T> {
    tips: &'a TipSets<'a>,
    states: usize,
    /// Row after row, each cost in all lanes of a chunk.
    costs: Vec<[T; CHUNK]>,
    largest: T,
}

/// The scores of the sites of a block so far.
struct Scores {
    /// Added up since the last time that they were moved to the sums.
    recent: [u32; LANES],
    added: u32,
    sums: Vec<u64>,
}

impl Scores {
    /// Recent sums of numbers below 2^16 hold so many.
    const MOST: u32 = 1 << 16;

    #[inline(always)]
    fn add<T: Small>(&mut self, first: usize, least: &[T; CHUNK]) {
        for (sum, &least) in self.recent[first..].iter_mut().zip(least) {
            *sum += least.into();
        }
    }

    #[inline(always)]
    fn next(&mut self) {
        self.added += 1;
        if self.added == Self::MOST {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.added = 0;
        for (sum, recent) in self.sums.iter_mut().zip(&mut self.recent) {
            *sum += u64::from(std::mem::take(recent));
        }
    }

    fn finished(mut self) -> Vec<u64> {
        self.settle();
        self.sums
    }
}

/// The rows of the states.
#[inline(always)]
fn rows<T>(value: &[T]) -> &[Row<T>] {
    value.as_chunks().0
}

#[inline(always)]
fn rows_mut<T>(value: &mut [T]) -> &mut [Row<T>] {
    value.as_chunks_mut().0
}

/// A chunk of a row.
#[inline(always)]
fn chunk<T>(row: &Row<T>, first: usize) -> &[T; CHUNK] {
    row[first..].first_chunk().expect("rows have whole chunks")
}

#[inline(always)]
fn chunk_mut<T>(row: &mut Row<T>, first: usize) -> &mut [T; CHUNK] {
    row[first..].first_chunk_mut().expect("rows have whole chunks")
}

impl<T: Small> LeastCosts<'_, T> {
    /// The site of a lane, from the first of its block on.
    fn site(&self, lane: usize) -> usize {
        match self.tips.bits() {
            4 => lane % CHUNK * 2 + lane / CHUNK,
            _ => lane,
        }
    }

    /// `min_b (c[a][b] + below[b])` for a state `a` of the parent: at most the largest cost.
    #[inline(always)]
    fn least(&self, a: usize, below: &[Row<T>], first: usize) -> [T; CHUNK] {
        let mut least = [self.largest; CHUNK];
        let costs = &self.costs[a * self.states..][..self.states];
        for (costs, row) in costs.iter().zip(below) {
            let row = chunk(row, first);
            for k in 0..CHUNK {
                least[k] = least[k].min(costs[k] + row[k]);
            }
        }
        least
    }

    /// Takes the least of all states off sums, notes it, and forgets what is above the largest cost.
    #[inline(always)]
    fn settle(&self, value: &mut [Row<T>], first: usize, note: &mut Scores) {
        let mut least = *chunk(&value[0], first);
        for row in &value[1..] {
            let row = chunk(row, first);
            for k in 0..CHUNK {
                least[k] = least[k].min(row[k]);
            }
        }
        for row in value {
            let row = chunk_mut(row, first);
            for k in 0..CHUNK {
                row[k] = (row[k] - least[k]).min(self.largest);
            }
        }
        note.add(first, &least);
    }
}

impl<T: Small> Fold for LeastCosts<'_, T> {
    type Word = T;
    type Note = Scores;

    fn value_words(&self) -> usize {
        self.states * LANES
    }

    fn sum_words(&self) -> usize {
        self.states * LANES
    }

    fn note(&self, _block: usize) -> Scores {
        Scores { recent: [0; LANES], added: 0, sums: vec![0; LANES] }
    }

    fn leaf(&self, block: usize, vertex: u32, value: &mut [T]) {
        let (bits, all) = (self.tips.bits(), self.tips.all_states());
        let mut sets = [all; LANES];
        if let Some(row) = self.tips.row(vertex) {
            if bits == 4 {
                let words = &row[block * WORDS..][..WORDS];
                let (even, odd) = sets.split_at_mut(CHUNK);
                for ((&word, even), odd) in
                    words.iter().zip(even.as_chunks_mut::<8>().0).zip(odd.as_chunks_mut::<8>().0)
                {
                    let nibbles = [word, word >> 4].map(|w| (w & (u64::MAX / 17)).to_le_bytes());
                    *even = nibbles[0].map(u32::from);
                    *odd = nibbles[1].map(u32::from);
                }
            } else {
                let there = row.len() * 64 / bits as usize;
                for (set, site) in sets.iter_mut().zip(block * LANES..there) {
                    *set = get(row, bits, site);
                }
            }
        }
        for (state, row) in rows_mut(value).iter_mut().enumerate() {
            for (x, &set) in row.iter_mut().zip(&sets) {
                *x = if set >> state & 1 == 1 { T::default() } else { self.largest };
            }
        }
    }

    fn clear(&self, sum: &mut [T]) {
        sum.fill(T::default());
    }

    fn gather(&self, _: usize, _: u32, value: &[T], sum: &mut [T]) {
        let below = rows(value);
        for (a, sum) in rows_mut(sum).iter_mut().enumerate() {
            for first in (0..LANES).step_by(CHUNK) {
                let least = self.least(a, below, first);
                let sum = chunk_mut(sum, first);
                for k in 0..CHUNK {
                    sum[k] = sum[k] + least[k];
                }
            }
        }
    }

    fn finish(&self, _: usize, _: u32, sum: &[T], value: &mut [T], note: &mut Scores) {
        value.copy_from_slice(sum);
        let value = rows_mut(value);
        (0..LANES).step_by(CHUNK).for_each(|first| self.settle(value, first, note));
        note.next();
    }

    #[inline(always)]
    fn pair(
        &self,
        _: usize,
        _: u32,
        children: [&[T]; 2],
        value: &mut [T],
        note: &mut Scores,
    ) -> bool {
        let [left, right] = children.map(rows);
        let value = rows_mut(value);
        for first in (0..LANES).step_by(CHUNK) {
            for (a, sum) in value.iter_mut().enumerate() {
                let (x, y) = (self.least(a, left, first), self.least(a, right, first));
                let sum = chunk_mut(sum, first);
                for k in 0..CHUNK {
                    sum[k] = x[k] + y[k];
                }
            }
            self.settle(value, first, note);
        }
        note.next();
        true
    }
}
