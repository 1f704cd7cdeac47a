//! Many trees: which of their splits are the same.
//!
//! **Problem.** A number for each different inner split of many trees over the same tips (its *class*), and the
//! class of every split.
//! **Method.** Tips have random keys of 64 bits; a cluster's hash is the XOR of its tips' keys, one sweep up the
//! tree. Unrooted, a split has the lesser hash of its two sides. Splits of equal hashes make a class, by one table
//! over all trees, which grows with the number of classes. `verify.rs` then proves that every split is the same as the first of its class; if one is not, keys are
//! drawn anew from the next seed.
//! **Cost.** O(n) per tree, on threads, and one random access to the table per split, sequential; 28 bytes per vertex.
//! **Determinism.** Classes are numbered in the order of trees and splits, whatever the keys are.
//! **Reference.** N. D. Pattengale, E. J. Gottlieb, B. M. E. Moret, J. Comput. Biol. 14 (2007), for hashes by
//! XOR.

use super::verify::is_exact;
use super::{Rooting, Splits, TipTree};
use palmette_core::NONE;
use palmette_core::memory::{huge_vec, prefetch};
use palmette_core::random::{DEFAULT_SEED, Purpose, Random};
use rayon::prelude::*;
use std::ops::Range;

/// Trees over the same tips, their splits in classes.
#[derive(Debug)]
pub struct Collection<'a> {
    pub(super) trees: Vec<Member<'a>>,
    /// By class, how many trees have it.
    pub(super) counts: Vec<u32>,
    /// By class, the first tree that has it, and its split there.
    pub(super) examples: Vec<(u32, u32)>,
    /// By tree, the first class that was found there, and then how many classes there are.
    starts: Vec<u32>,
    pub(super) tips: usize,
    pub(super) rooting: Rooting,
}

/// A tree among others.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) tree: TipTree<'a>,
    pub(super) splits: Splits,
    /// By split, its class; [`NONE`] for one that is in every tree.
    pub(super) class: Vec<u32>,
    /// By position, how many tips come before it.
    pub(super) left: Vec<u32>,
    /// By tip, its rank in preorder.
    pub(super) ranks: Vec<u32>,
}

impl Member<'_> {
    /// The tips below a position, by rank.
    #[inline]
    pub(super) fn interval(&self, position: usize) -> Range<u32> {
        self.left[position]..self.left[position] + self.splits.tips[position]
    }
}

/// Hashes that are asked for ahead of use.
const AHEAD: usize = 16;
/// Slots of the table in the beginning; a power of two.
const LEAST: usize = 1 << 12;
/// Trees for each thread whose hashes are in memory together.
const BATCH: usize = 8;

impl<'a> Collection<'a> {
    /// Finds the classes of all splits. All trees must have the same number of tips.
    ///
    /// # Panics
    /// When they have not.
    pub fn new(trees: &[TipTree<'a>], rooting: Rooting) -> Collection<'a> {
        let tips = trees.first().map_or(0, |tree| tree.count);
        assert!(trees.iter().all(|tree| tree.count == tips), "trees over the same tips");
        let members: Vec<Member<'a>> =
            trees.par_iter().map(|&tree| Member::new(tree, rooting)).collect();
        let (counts, examples, starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = Collection { trees: members, counts, examples, starts, tips, rooting };
        for seed in DEFAULT_SEED.. {
            if found.number(seed) && is_exact(&found) {
                break;
            }
        }
        found
    }

    /// How many trees there are.
    pub fn len(&self) -> usize {
        self.trees.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// How many different inner splits there are.
    pub fn classes(&self) -> usize {
        self.counts.len()
    }

    /// The classes that no earlier tree has.
    #[inline]
    pub(super) fn new_in(&self, tree: usize) -> Range<u32> {
        self.starts[tree]..self.starts[tree + 1]
    }

    /// By tree, how many inner splits it has.
    pub fn inner_counts(&self) -> Vec<usize> {
        let inner = |member: &Member<'_>| member.class.iter().filter(|&&c| c != NONE).count();
        self.trees.iter().map(inner).collect()
    }

    /// Puts the splits into classes by their hashes; whether no tree has one twice.
    fn number(&mut self, seed: u64) -> bool {
        let mut random = Random::new(seed, Purpose::Samples);
        let mut word = || random.below_wide(u64::MAX);
        let keys: Vec<u64> = (0..self.tips).map(|_| word()).collect();
        let all = keys.iter().fold(0, |all, key| all ^ key);
        let mut known: Vec<Known> = Vec::new();
        let mut slots = table(LEAST, &known);
        self.starts.clear();
        self.examples.clear();
        // A few trees at a time, whose hashes stay in the cache.
        let batch = BATCH * rayon::current_num_threads();
        let mut t = 0;
        for members in self.trees.chunks_mut(batch) {
            let hashes: Vec<Vec<u64>> =
                members.par_iter().map(|member| member.hashes(&keys, all)).collect();
            for (member, hashes) in members.iter_mut().zip(&hashes) {
                self.starts.push(known.len() as u32);
                for (split, &hash) in hashes.iter().enumerate() {
                    if let Some(&ahead) = hashes.get(split + AHEAD) {
                        prefetch(&slots, place(ahead, &slots));
                    }
                    if !member.splits.is_inner(split as u32) {
                        continue;
                    }
                    let mut at = place(hash, &slots);
                    let class = loop {
                        let class = slots[at];
                        match known.get_mut(class as usize) {
                            None => break NONE,
                            Some(known) if known.hash == hash => {
                                if known.last == t {
                                    return false;
                                }
                                known.last = t;
                                known.count += 1;
                                break class;
                            }
                            Some(_) => at = (at + 1) & (slots.len() - 1),
                        }
                    };
                    if class != NONE {
                        member.class[split] = class;
                        continue;
                    }
                    slots[at] = known.len() as u32;
                    member.class[split] = known.len() as u32;
                    known.push(Known { hash, last: t, count: 1 });
                    self.examples.push((t, split as u32));
                    if 3 * known.len() > 2 * slots.len() {
                        slots = table(2 * slots.len(), &known);
                    }
                }
                t += 1;
            }
        }
        self.starts.push(known.len() as u32);
        self.counts = known.into_iter().map(|known| known.count).collect();
        true
    }
}

/// A class while trees are gone through.
struct Known {
    hash: u64,
    /// The last tree that has it.
    last: u32,
    /// How many have.
    count: u32,
}

/// Where a hash is looked for first among slots, whose number is a power of two.
#[inline(always)]
fn place(hash: u64, slots: &[u32]) -> usize {
    hash as usize & (slots.len() - 1)
}

/// A table of so many slots with the numbers of known hashes.
fn table(size: usize, known: &[Known]) -> Vec<u32> {
    let mut slots: Vec<u32> = huge_vec(size, NONE);
    for (known, class) in known.iter().zip(0..) {
        let mut at = place(known.hash, &slots);
        while slots[at] != NONE {
            at = (at + 1) & (size - 1);
        }
        slots[at] = class;
    }
    slots
}

impl<'a> Member<'a> {
    fn new(tree: TipTree<'a>, rooting: Rooting) -> Member<'a> {
        let splits = Splits::new(&tree, rooting);
        let mut ranks = vec![0; tree.count];
        let mut rank = 0;
        let left = tree.tips.iter().map(|&tip| {
            let before = rank;
            if let Some(place) = ranks.get_mut(tip as usize) {
                *place = rank;
                rank += 1;
            }
            before
        });
        let left = left.collect();
        let class = vec![NONE; splits.len()];
        Member { tree, splits, class, left, ranks }
    }

    /// By split, its hash.
    fn hashes(&self, keys: &[u64], all: u64) -> Vec<u64> {
        let tree = &self.tree;
        let key = |&tip: &u32| keys.get(tip as usize).copied().unwrap_or(0);
        let mut below: Vec<u64> = tree.tips.iter().map(key).collect();
        for i in (1..tree.len()).rev() {
            let hash = below[i];
            below[(tree.parents[i] - tree.first) as usize] ^= hash;
        }
        let hash = |&i: &u32| match (self.splits.rooting, below[i as usize]) {
            (Rooting::Unrooted, hash) => hash.min(hash ^ all),
            (Rooting::Rooted, hash) => hash,
        };
        self.splits.first.iter().map(hash).collect()
    }
}
