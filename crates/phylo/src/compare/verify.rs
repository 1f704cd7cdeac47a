//! Proof that classes of splits are what their hashes say.
//!
//! **Problem.** Is every split the same set of tips (or its complement) as the first of its class?
//! **Method.** Two sets are the same if they have as many tips and one is within the other. The example is an
//! interval of ranks in its tree R; the other set is followed down its own tree until its parts are known: a tip
//! by its rank, a branch whose class has its example in R by that interval, in one step. Where all tests
//! pass, all are right, by induction on the number of tips: a test uses only classes of smaller sets.
//! **Cost.** O(1) per child where examples lie in one tree, as they do in trees that are alike; at most the sum of
//! the sizes of shared clusters (Sackin's index of a tree, in all). No memory to speak of.
//! **Determinism.** Whether all tests pass depends on the keys only.

use super::Rooting;
use super::classes::{Collection, Member};
use palmette_core::NONE;
use rayon::prelude::*;
use std::ops::Range;

/// Whether all splits are those of their classes' examples.
pub(super) fn is_exact(collection: &Collection<'_>) -> bool {
    let trees = collection.trees.par_iter().enumerate();
    trees.all(|(t, member)| {
        let mut stack = Vec::new();
        let mut splits = member.class.iter().enumerate().filter(|split| *split.1 != NONE);
        splits.all(|(split, &class)| {
            let (tree, example) = collection.examples[class as usize];
            tree == t as u32
                || Test { collection, member, example: tree }.same(split, example, &mut stack)
        })
    })
}

struct Test<'a> {
    collection: &'a Collection<'a>,
    member: &'a Member<'a>,
    /// The tree of the example.
    example: u32,
}

impl Test<'_> {
    /// Whether a split is the same as one of the example's tree.
    fn same(&self, split: usize, example: u32, stack: &mut Vec<u32>) -> bool {
        let other = &self.collection.trees[self.example as usize];
        let here = self.member.splits.first[split] as usize;
        let there = other.splits.first[example as usize] as usize;
        let (size, its) = (self.member.splits.tips[here], other.splits.tips[there]);
        let within = other.interval(there);
        let turned = self.turned(here, other, there);
        let sizes = if turned { size + its == self.collection.tips as u32 } else { size == its };
        let (tree, count) = (&self.member.tree, self.member.tree.len());
        if !sizes {
            return false;
        }
        let fits = |from: u32, to: u32| match turned {
            false => within.start <= from && to <= within.end,
            true => to <= within.start || within.end <= from,
        };
        stack.clear();
        stack.push(here as u32);
        while let Some(i) = stack.pop() {
            let i = i as usize;
            let tip = tree.tips[i];
            if tip != NONE {
                let rank = other.ranks[tip as usize];
                if !fits(rank, rank + 1) {
                    return false;
                }
                continue;
            }
            if i != here
                && let Some(parts) = self.known(i, other)
            {
                if !parts.iter().all(|part| part.is_empty() || fits(part.start, part.end)) {
                    return false;
                }
                continue;
            }
            // Children: the first comes next, others after the tips of the one before.
            let mut child = i + 1;
            while child < count && tree.parent(child) == Some(i) {
                if self.member.splits.tips[child] > 0 {
                    stack.push(child as u32);
                }
                child += self.size(child);
            }
        }
        true
    }

    fn size(&self, i: usize) -> usize {
        self.member.tree.sizes[i] as usize
    }

    /// Where the tips below a position are in the example's tree, if its class has its example there:
    /// an interval, or what is before and after one.
    #[inline]
    fn known(&self, i: usize, other: &Member<'_>) -> Option<[Range<u32>; 2]> {
        let split = self.member.splits.of[i];
        let class = *self.member.class.get(split as usize)?;
        let (tree, example) = *self.collection.examples.get(class as usize)?;
        let there = other.splits.first.get(example as usize).filter(|_| tree == self.example)?;
        let there = *there as usize;
        let inside = other.interval(there);
        Some(match self.turned(i, other, there) {
            false => [inside, 0..0],
            true => [0..inside.start, inside.end..self.collection.tips as u32],
        })
    }

    /// Whether, in trees without roots, one of two sides has tip 0 and the other has not.
    #[inline]
    fn turned(&self, here: usize, other: &Member<'_>, there: usize) -> bool {
        let has = |member: &Member<'_>, i: usize| member.interval(i).contains(&member.ranks[0]);
        self.collection.rooting == Rooting::Unrooted && has(self.member, here) != has(other, there)
    }
}
