//! The different splits of one tree.
//!
//! **Problem.** Number the splits (or clusters) of a tree: vertices whose branches stand for the same one share
//! a number.
//! **Method.** A branch stands for the same cluster as the one above it if as many tips are below both. The
//! highest vertex with all tips below it is the *top*; where two of its children have tips, their branches are
//! the two sides of one split. No other branches share one.
//! **Cost.** O(n): a sweep up for the counts, one down for the numbers; 12 bytes per vertex and split.
//! **Determinism.** Numbers go by the first vertex in preorder.

use super::{Rooting, TipTree};
use palmette_core::NONE;

/// The splits of a tree, numbered from 0. Positions count from the tree's root.
#[derive(Debug, Clone, PartialEq)]
pub struct Splits {
    /// By position, the split of the branch above it; [`NONE`] where it cuts off nothing or all.
    pub of: Vec<u32>,
    /// By split, the first position that has it.
    pub first: Vec<u32>,
    /// By position, how many tips are below it.
    pub tips: Vec<u32>,
    /// By split, its length.
    pub lengths: Option<Vec<f64>>,
    /// How many tips the tree has.
    pub count: usize,
    /// What a split is.
    pub rooting: Rooting,
}

impl Splits {
    /// The splits of a tree.
    pub fn new(tree: &TipTree<'_>, rooting: Rooting) -> Splits {
        let tips = tree.tip_counts();
        let all = tree.count as u32;
        let two = match rooting {
            Rooting::Unrooted => two_at_top(tree, &tips),
            Rooting::Rooted => None,
        };
        let (mut of, mut first) = (vec![NONE; tree.len()], Vec::with_capacity(tree.len()));
        for i in 1..tree.len() {
            let p = (tree.parents[i] - tree.first) as usize;
            of[i] = match two {
                _ if tips[i] == 0 || tips[i] == all => NONE,
                _ if tips[p] == tips[i] => of[p],
                Some((other, second)) if second == i => of[other],
                _ => {
                    first.push(i as u32);
                    first.len() as u32 - 1
                }
            };
        }
        let mut splits = Splits { of, first, tips, lengths: None, count: tree.count, rooting };
        splits.lengths = tree.lengths.map(|lengths| splits.sums(lengths));
        splits
    }

    fn sums(&self, lengths: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.first.len()];
        for (&split, &length) in self.of.iter().zip(lengths) {
            if split != NONE {
                sums[split as usize] += length;
            }
        }
        sums
    }

    /// How many splits there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Whether a split is not in every tree: it has two tips or more on each side that counts.
    #[inline]
    pub fn is_inner(&self, split: u32) -> bool {
        let below = self.tips[self.first[split as usize] as usize] as usize;
        below > 1 && (self.rooting == Rooting::Rooted || below + 1 < self.count)
    }

    /// How many splits are inner ones.
    pub fn inner(&self) -> usize {
        (0..self.len() as u32).filter(|&split| self.is_inner(split)).count()
    }
}

/// The two branches below the top, where it has two with tips.
fn two_at_top(tree: &TipTree<'_>, tips: &[u32]) -> Option<(usize, usize)> {
    let all = tree.count as u32;
    let below = |i: &usize| {
        let p = (tree.parents[*i] - tree.first) as usize;
        tips[p] == all && tips[*i] > 0 && tips[*i] < all
    };
    let mut branches = (1..tree.len()).filter(below);
    let two = (branches.next()?, branches.next()?);
    branches.next().is_none().then_some(two)
}
