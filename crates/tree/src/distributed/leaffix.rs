//! Leaffix on a distributed tree: products over subtrees.
//!
//! **Method.** A subtree is an interval of the preorder: a local part, whole blocks, whose products
//! all ranks know, and the beginning of one more block, which one question brings. Works for any
//! monoid, in order.

use super::DistributedError;
use super::blocks::Blocks;
use super::ranks::ask;
use super::ranks::{Metered, Ranks};
use crate::Scope;
use palmette_core::Monoid;

impl Blocks {
    /// The product over the subtree of every vertex of the slice, in preorder.
    ///
    /// **Cost.** 2 N words per vertex to move values and answers, N + 1 for each end of a subtree
    /// that is on another rank than its beginning.
    pub(super) fn leaffix<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        self.in_order(ranks, values, |ranks, values| {
            let mut answers = self.within_the_block(values, op, scope);
            let (own, rank) = (self.blocks.of(self.rank), self.rank);
            let all = values.iter().fold(op.identity(), |all, &x| op.combine(all, x));
            let products = ranks.gather(&all)?;
            // From the next block on: the products of the blocks before each.
            let mut between = vec![op.identity()];
            for &product in &products.records::<N>()[rank + 1..] {
                between.push(op.combine(between[between.len() - 1], product));
            }
            let open = self.open();
            let mut questions = Vec::new();
            // How many whole blocks, and whether a part of one.
            let mut tails: Vec<(usize, bool)> = Vec::with_capacity(open.len());
            let mut last = own.start;
            for &k in &open {
                let end = own.start + u64::from(k) + self.sizes[k as usize];
                let block = self.blocks.owner(end - 1);
                let bounds = self.blocks.of(block);
                let part = end < bounds.end;
                tails.push((block - rank - usize::from(part), part));
                if part && end != last {
                    questions.push((block, [end - bounds.start]));
                    last = end;
                }
            }
            let mut prefixes: Vec<[u64; N]> = Vec::new();
            let beginnings = ask(ranks, &questions, |[length]| {
                if prefixes.is_empty() {
                    prefixes = prefix_products(values, op);
                }
                prefixes[length as usize - 1]
            })?;
            let mut next = beginnings.into_iter();
            let mut beginning = op.identity();
            last = own.start;
            for (&k, (whole, part)) in open.iter().zip(tails) {
                let end = own.start + u64::from(k) + self.sizes[k as usize];
                let mut rest = between[whole];
                if part {
                    if end != last {
                        beginning = next.next().expect("an answer for each end");
                        last = end;
                    }
                    rest = op.combine(rest, beginning);
                }
                answers[k as usize] = op.combine(answers[k as usize], rest);
            }
            Ok(answers)
        })
    }

    /// Products over subtrees as far as they lie in the block.
    fn within_the_block<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
    ) -> Vec<[u64; N]> {
        let n = values.len();
        let mut products = values.to_vec();
        let mut below = vec![op.identity(); if scope == Scope::Exclusive { n } else { 0 }];
        for k in (0..n).rev() {
            let end = (self.sizes[k].min((n - k) as u64)) as usize + k;
            let mut children = op.identity();
            let mut child = k + 1;
            while child < end {
                children = op.combine(children, products[child]);
                child += self.sizes[child].min((n - child) as u64) as usize;
            }
            products[k] = op.combine(values[k], children);
            if let Some(below) = below.get_mut(k) {
                *below = children;
            }
        }
        if scope == Scope::Exclusive { below } else { products }
    }

    /// The places whose subtrees end beyond the block, the outermost first.
    pub(super) fn open(&self) -> Vec<u32> {
        let length = self.sizes.len() as u64;
        let beyond = |&(k, &size): &(u32, &u64)| u64::from(k) + size > length;
        (0..).zip(&self.sizes).filter(beyond).map(|(k, _)| k).collect()
    }
}

fn prefix_products<M: Monoid>(values: &[M::Elem], op: &M) -> Vec<M::Elem> {
    let mut all = op.identity();
    let next = |&x: &M::Elem| {
        all = op.combine(all, x);
        all
    };
    values.iter().map(next).collect()
}
