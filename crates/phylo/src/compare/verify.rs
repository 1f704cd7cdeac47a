//! Proof that classes of splits are what their hashes say.
//!
//! **Problem.** Is every split the same set of tips (or its complement) as the first of its class?
//! **Method.** Two vertices of two children each have the same tips if their children have: each is the same tip, or of
//! one class and on the same side of its split. That proves most splits of trees that are alike. For others,
//! two sets are the same if they have as many tips and one is within the other. The example is an
//! interval of ranks in its tree R; the other set is followed down its own tree until its parts are known: a tip
//! by its rank, a branch whose class has its example in R by that interval, in one step. Where all tests
//! pass, all are right, by induction on the number of tips: a test uses only classes of smaller sets.
//! **Cost.** O(1) per child where examples lie in one tree, as they do in trees that are alike; at most the sum of
//! the sizes of shared clusters (Sackin's index of a tree, in all). 16 bytes per class.
//! **Determinism.** Whether all tests pass depends on the keys only.

use super::Rooting;
use super::classes::{Collection, Member};
use palmette_core::NONE;
use rayon::prelude::*;
use std::ops::Range;

/// What the two children of a vertex are, the lesser first; [`UNKNOWN`] where it has not two.
type Children = [u64; 2];

const UNKNOWN: Children = [u64::MAX; 2];

/// Whether all splits are those of their classes' examples.
pub(super) fn is_exact(collection: &Collection<'_>) -> bool {
    // Classes are numbered in the order of trees and splits, and so are their first splits.
    let examples = collection.trees.par_iter().enumerate().map(|(t, member)| {
        let own = |class: &u32| collection.is_example_in(*class, t);
        if !member.class.iter().any(own) {
            return Vec::new();
        }
        let children = member.children();
        let splits = member.class.iter().zip(&member.splits.first);
        splits.filter(|split| own(split.0)).map(|(_, &i)| children[i as usize]).collect()
    });
    let examples = examples.collect::<Vec<Vec<Children>>>().concat();
    let trees = collection.trees.par_iter().enumerate();
    trees.all(|(t, member)| {
        let others = |class: &u32| *class != NONE && !collection.is_example_in(*class, t);
        if !member.class.iter().any(others) {
            return true;
        }
        let mut stack = Vec::new();
        let children = member.children();
        let mut splits = member.class.iter().enumerate().filter(|split| others(split.1));
        splits.all(|(split, &class)| {
            let here = children[member.splits.first[split] as usize];
            if here != UNKNOWN && here == examples[class as usize] {
                return true;
            }
            let (tree, example) = collection.examples[class as usize];
            Test { collection, member, example: tree }.same(split, example, &mut stack)
        })
    })
}

impl Collection<'_> {
    /// Whether a class was found first in a tree.
    #[inline]
    fn is_example_in(&self, class: u32, tree: usize) -> bool {
        self.examples.get(class as usize).is_some_and(|example| example.0 as usize == tree)
    }
}

impl Member<'_> {
    /// By position, its children.
    fn children(&self) -> Vec<Children> {
        let (tree, below) = (&self.tree, &self.splits.tips);
        let zero = self.ranks.first().copied().unwrap_or(NONE);
        let mut found = vec![UNKNOWN; tree.len()];
        let mut count = vec![0u8; tree.len()];
        for i in (1..tree.len()).rev().filter(|&i| below[i] > 0) {
            let class = self.class.get(self.splits.of[i] as usize).copied().unwrap_or(NONE);
            // The side matters: without roots a class has both.
            let side = u64::from(self.left[i] <= zero && zero < self.left[i] + below[i]);
            let what = match (tree.tips[i], class) {
                (NONE, NONE) => u64::MAX,
                (NONE, class) => u64::from(class) << 1 | side,
                (tip, _) => 1 << 40 | u64::from(tip),
            };
            let p = (tree.parents[i] - tree.first) as usize;
            let before = found[p][0];
            found[p] = match count[p] {
                0 => [what, u64::MAX],
                1 => [before.min(what), before.max(what)],
                _ => UNKNOWN,
            };
            count[p] = (count[p] + 1).min(2);
        }
        // One child, or one of which nothing is known.
        found.iter_mut().filter(|found| found[1] == u64::MAX).for_each(|found| *found = UNKNOWN);
        found
    }
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
