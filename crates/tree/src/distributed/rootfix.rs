//! Rootfix on a distributed tree: products along root paths.
//!
//! **Method.** Inside a block, as on one machine. Above it only the ancestors of the block's first
//! vertex matter: they are the open chains of earlier blocks, cut off where subtrees end. One
//! gather gives every rank the products of these chains. Works for any monoid, in order.

use super::DistributedError;
use super::blocks::Blocks;
use super::ranks::ask;
use super::ranks::{Mail, Metered, Ranks};
use crate::Scope;
use palmette_core::Monoid;

/// The ancestors of the block's first vertex that lie in one earlier block.
struct Segment<const N: usize> {
    rank: usize,
    /// How many ancestors there are above them.
    above: u64,
    /// How many they are.
    count: u64,
    /// The product of those above.
    before: [u64; N],
    /// Their own product.
    product: [u64; N],
}

impl Blocks {
    /// The product of the values from the root to every vertex of the slice.
    ///
    /// **Cost.** 2 N words per vertex to move values and answers, N + 1 for each parent that is
    /// on another rank than its child, as often as there are such ranks, and at most N + 2 words
    /// per rank that everybody gets.
    pub(super) fn rootfix<R: Ranks, M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        ranks: &mut Metered<R>,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        self.in_order(ranks, values, |ranks, values| {
            let open = self.open();
            let mut chain = Vec::with_capacity(open.len());
            let mut product = op.identity();
            for &k in &open {
                product = op.combine(product, values[k as usize]);
                chain.push(product);
            }
            let all = ranks.gather(&self.chain_records(&open, &chain))?;
            let segments = self.segments(&all, op);
            let depths = self.depths_of_parents_before();
            // The last of a segment needs no question.
            let segment_of =
                |depth: u64| &segments[segments.partition_point(|s| s.above <= depth) - 1];
            let place = |depth: u64| (segment_of(depth), depth - segment_of(depth).above);
            let asked = |&&depth: &&u64| {
                let (segment, place) = place(depth);
                place + 1 < segment.count
            };
            let questions: Vec<_> = depths
                .iter()
                .filter(asked)
                .map(|&depth| (place(depth).0.rank, [place(depth).1]))
                .collect();
            let mut answers = ask(ranks, &questions, |[k]| chain[k as usize])?.into_iter();
            let from_before: Vec<[u64; N]> = depths
                .iter()
                .map(|depth| {
                    let (segment, _) = place(*depth);
                    let own = if asked(&depth) {
                        answers.next().expect("an answer for each question")
                    } else {
                        segment.product
                    };
                    op.combine(segment.before, own)
                })
                .collect();
            Ok(self.down_the_block(values, op, scope, &depths, &from_before))
        })
    }

    /// For the boundaries after the block: the first from which on only so many of the open
    /// chain go on, how many, and their product.
    fn chain_records<const N: usize>(&self, open: &[u32], chain: &[[u64; N]]) -> Vec<u64> {
        let end = |k: u32| self.start() + u64::from(k) + self.sizes[k as usize];
        let mut words = Vec::new();
        let mut left = open.len();
        let mut from = self.rank + 1;
        while left > 0 {
            words.extend([from as u64, left as u64]);
            words.extend(chain[left - 1]);
            // Those that end at a boundary or before it are closed there.
            from = self.blocks.first_from(end(open[left - 1]));
            let boundary = self.blocks.bound(from);
            left = open[..left].partition_point(|&k| end(k) > boundary);
        }
        // From here on none.
        words.extend([from as u64, 0]);
        words.extend([0; N]);
        words
    }

    /// The chain from the root to the block's first vertex, without it.
    fn segments<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        all: &Mail,
        op: &M,
    ) -> Vec<Segment<N>> {
        let (mut above, mut before) = (0, op.identity());
        let mut segments = Vec::new();
        for (rank, words) in all.by_rank().enumerate().take(self.rank) {
            let records = words.chunks_exact(N + 2);
            let current = records.take_while(|record| record[0] <= self.rank as u64).last();
            let Some((&count, product)) = current.and_then(|record| record[1..].split_first())
            else {
                continue;
            };
            if count == 0 {
                continue;
            }
            let product = std::array::from_fn(|k| product[k]);
            segments.push(Segment { rank, above, count, before, product });
            above += count;
            before = op.combine(before, product);
        }
        segments
    }

    /// The depths of the parents that lie in earlier blocks, each once, the deepest first.
    fn depths_of_parents_before(&self) -> Vec<u64> {
        let mut depths = Vec::new();
        let mut k = 0;
        while k < self.sizes.len() {
            if let Some(depth) = self.depths[k].checked_sub(1)
                && depths.last() != Some(&depth)
            {
                depths.push(depth);
            }
            k = self.sizes[k].saturating_add(k as u64).min(self.sizes.len() as u64) as usize;
        }
        depths
    }

    fn down_the_block<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        values: &[[u64; N]],
        op: &M,
        scope: Scope,
        depths: &[u64],
        from_before: &[[u64; N]],
    ) -> Vec<[u64; N]> {
        // Ancestors in the block: where their subtrees end, and products up to them.
        let mut above: Vec<(u64, [u64; N])> = Vec::new();
        let mut outside = depths.iter().zip(from_before).peekable();
        let mut answers = Vec::with_capacity(values.len());
        for (k, &value) in (0u64..).zip(values) {
            while above.last().is_some_and(|&(end, _)| end <= k) {
                above.pop();
            }
            let (size, depth) = (self.sizes[k as usize], self.depths[k as usize]);
            let parent = match above.last() {
                Some(&(_, product)) => product,
                None => {
                    while outside.peek().is_some_and(|(parent, _)| **parent + 1 > depth) {
                        outside.next();
                    }
                    let known = outside.peek().filter(|(parent, _)| **parent + 1 == depth);
                    known.map_or(op.identity(), |(_, product)| **product)
                }
            };
            let product = op.combine(parent, value);
            answers.push(if scope == Scope::Exclusive { parent } else { product });
            if size > 1 {
                above.push((k + size, product));
            }
        }
        answers
    }
}
