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
        let new = collection.new_in(t);
        let mut found = Vec::with_capacity(new.len());
        if !new.is_empty() {
            let splits = member.class.iter().zip(&member.splits.first);
            let splits = splits.filter(|split| new.contains(split.0));
            found.extend(splits.map(|(_, &i)| member.children(i as usize)));
        }
        found
    });
    let examples = examples.collect::<Vec<Vec<Children>>>().concat();
    let trees = collection.trees.par_iter().enumerate();
    trees.all(|(t, member)| {
        let before = collection.new_in(t).start;
        let mut stack = Vec::new();
        // Those that no class has and those that are examples themselves are not less.
        let mut splits = member.class.iter().enumerate().filter(|split| *split.1 < before);
        splits.all(|(split, &class)| {
            let here = member.children(member.splits.first[split] as usize);
            if here != UNKNOWN && here == examples[class as usize] {
                return true;
            }
            let (tree, example) = collection.examples[class as usize];
            Test { collection, member, example: tree }.same(split, example, &mut stack)
        })
    })
}

impl Member<'_> {
    /// The children of a position.
    #[inline]
    fn children(&self, position: usize) -> Children {
        let (sizes, below) = (self.tree.sizes, &self.splits.tips);
        let mut found = [u64::MAX; 2];
        let (mut count, mut child) = (0, position + 1);
        let end = position + sizes[position] as usize;
        while child < end {
            if below[child] > 0 {
                let Some(place) = found.get_mut(count) else { return UNKNOWN };
                *place = self.what(child);
                count += 1;
            }
            child += sizes[child] as usize;
        }
        // One child, or one of which nothing is known.
        match found {
            [u64::MAX, _] | [_, u64::MAX] => UNKNOWN,
            [first, second] => [first.min(second), first.max(second)],
        }
    }

    /// What is below a position that has tips: a tip, or a class and the side of it.
    #[inline]
    fn what(&self, i: usize) -> u64 {
        let tip = self.tree.tips[i];
        if tip != NONE {
            return 1 << 40 | u64::from(tip);
        }
        match self.class.get(self.splits.of[i] as usize) {
            None | Some(&NONE) => u64::MAX,
            // The side matters: without roots a class has both.
            Some(&class) => {
                let zero = self.ranks.first().copied().unwrap_or(NONE);
                u64::from(class) << 1 | u64::from(self.interval(i).contains(&zero))
            }
        }
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
