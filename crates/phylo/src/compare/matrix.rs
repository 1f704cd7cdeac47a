//! Robinson–Foulds of all pairs.
//!
//! **Problem.** For each pair of trees, how many inner splits one of them has and the other has not.
//! **Method.** A row at a time, on threads: how many splits tree `i` shares with each later tree. A class that few trees
//! have is a list of trees, whose counts go up by one; one that many have is a set of bits, 64 trees to a word,
//! and those of all splits of tree `i` are counted together (`counters.rs`).
//! **Cost.** O(T²S/64) words for T trees of S splits and five operations each, and less where splits are rare; memory 4 bytes per
//! pair, and T/8 bytes for each of at most 16 S frequent classes.
//! **Determinism.** Counts are integers: the same on any number of threads.

use super::classes::Member;
use super::counters::Counters;
use super::{Collection, normalised};
use palmette_core::NONE;
use rayon::prelude::*;
use std::ops::Range;

/// A class in at least one tree of so many is a set of bits.
const OFTEN: usize = 16;
/// Rows that a task takes.
const ROWS: usize = 8;

/// By class, which trees have it.
struct Holders {
    /// By class, where its list begins; frequent classes have an empty one.
    starts: Vec<u32>,
    trees: Vec<u32>,
    /// By class, its number among the frequent ones; [`NONE`] for others.
    frequent: Vec<u32>,
    /// By word of 64 trees, then by frequent class.
    bits: Vec<u64>,
    /// How many frequent classes there are.
    count: usize,
}

impl Collection<'_> {
    /// The distance of each pair, condensed: (0, 1), (0, 2), …, (1, 2), ….
    pub fn robinson_foulds(&self) -> Vec<u32> {
        let t = self.len();
        let inner = self.inner_counts();
        let holders = Holders::new(self);
        let mut found = vec![0; condensed(t)];
        rows_of(&mut found, t).par_chunks_mut(ROWS).for_each(|rows| {
            let mut shared = vec![0; t.next_multiple_of(64)];
            for (i, row) in rows {
                shared.fill(0);
                holders.count(*i, &self.trees[*i], &mut shared);
                for (j, distance) in (*i + 1..).zip(row.iter_mut()) {
                    *distance = (inner[*i] + inner[j]) as u32 - 2 * shared[j];
                }
            }
        });
        found
    }
}

impl Collection<'_> {
    /// The distance of each pair over the inner splits of both trees, condensed; 0 where they have none.
    pub fn robinson_foulds_normalised(&self) -> Vec<f64> {
        let inner = self.inner_counts();
        let pairs = (0..self.len()).flat_map(|i| (i + 1..self.len()).map(move |j| (i, j)));
        let most = pairs.map(|(i, j)| inner[i] + inner[j]);
        let found = self.robinson_foulds().into_iter().zip(most);
        found.map(|(distance, most)| normalised(distance as usize, most)).collect()
    }
}

/// How many pairs there are.
pub(super) fn condensed(t: usize) -> usize {
    t * t.saturating_sub(1) / 2
}

/// The rows of a condensed matrix, with their numbers.
pub(super) fn rows_of<T>(mut all: &mut [T], t: usize) -> Vec<(usize, &mut [T])> {
    let rows = (0..t).map(|i| {
        let (row, rest) = std::mem::take(&mut all).split_at_mut(t - 1 - i);
        all = rest;
        (i, row)
    });
    rows.collect()
}

impl Holders {
    fn new(collection: &Collection<'_>) -> Holders {
        let t = collection.len();
        let often = |count: u32| count > 1 && count as usize * OFTEN >= t;
        let (mut starts, mut frequent) = (vec![0], Vec::new());
        let (mut listed, mut count) = (0, 0);
        for &holders in &collection.counts {
            frequent.push(if often(holders) { count } else { NONE });
            count += u32::from(often(holders));
            listed += if often(holders) || holders == 1 { 0 } else { holders };
            starts.push(listed);
        }
        let count = count as usize;
        let mut bits = vec![0u64; count * t.div_ceil(64)];
        let mut trees = vec![0; listed as usize];
        let mut next = starts.clone();
        for (i, member) in collection.trees.iter().enumerate() {
            for &class in member.class.iter().filter(|&&class| class != NONE) {
                let class = class as usize;
                if frequent[class] != NONE {
                    bits[i / 64 * count + frequent[class] as usize] |= 1 << (i % 64);
                } else if next[class] < starts[class + 1] {
                    trees[next[class] as usize] = i as u32;
                    next[class] += 1;
                }
            }
        }
        Holders { starts, trees, frequent, bits, count }
    }

    fn list(&self, class: usize) -> &[u32] {
        let range: Range<usize> = self.starts[class] as usize..self.starts[class + 1] as usize;
        &self.trees[range]
    }

    /// Adds how many splits a tree shares with each later one; others may get anything.
    fn count(&self, i: usize, member: &Member<'_>, shared: &mut [u32]) {
        let mut often = Vec::with_capacity(member.class.len());
        for &class in member.class.iter().filter(|&&class| class != NONE) {
            match self.frequent[class as usize] {
                NONE => {
                    for &j in
                        self.list(class as usize).iter().rev().take_while(|&&j| j as usize > i)
                    {
                        shared[j as usize] += 1;
                    }
                }
                number => often.push(number),
            }
        }
        let mut counters = Counters::new();
        for (word, shared) in shared.chunks_mut(64).enumerate().skip(i / 64) {
            let bits = &self.bits[word * self.count..(word + 1) * self.count];
            often.iter().for_each(|&number| counters.push(bits[number as usize]));
            counters.add_to(shared);
        }
    }
}
