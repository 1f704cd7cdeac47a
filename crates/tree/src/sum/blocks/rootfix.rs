//! Rootfix: what a block needs from before it are sums at parents, which are open in their
//! own blocks and ancestors of the block's first position. So: the sum along the chain of
//! open vertices of every block; from these the sum above each chain, block after block. Then
//! a block at a time: the sums at the parents before it, by walking down their chains; and one
//! sweep in the scratch block.

use super::{Carrier, Job};
use crate::Scope;
use crate::blocks::{BLOCK, Blocks};
use palmette_core::NONE;
use std::ops::Range;

pub(in crate::sum) fn rootfix<C: Carrier>(job: &Job<'_, C>, out: &mut [C::Answer]) {
    let chains = Chains::new(job);
    let blocks = Blocks::new(job.tree);
    job.fill(out, |scratch, block, out| {
        let start = blocks.range(block).start;
        let outer = chains.sums_before(start, out.len());
        sweep(job, start, &outer, &mut scratch[..out.len()], out);
    });
}

/// A position and the sum there.
type At<E> = (u32, E);

/// The sweep over a block; `outer` are the parents before it in the order in which they are
/// needed.
#[inline(always)]
fn sweep<C: Carrier>(
    job: &Job<'_, C>,
    start: usize,
    outer: &[At<C::Elem>],
    sums: &mut [C::Elem],
    out: &mut [C::Answer],
) {
    let range = start..start + out.len();
    let (parents, values) = (&job.tree.parents()[range.clone()], &job.values[range]);
    let (sums, mut outer) = (&mut sums[..out.len()], outer.iter().peekable());
    for i in 0..out.len() {
        let p = parents[i];
        let above = match sums.get((p as usize).wrapping_sub(start)) {
            Some(&above) => above,
            None => {
                while outer.next_if(|at| at.0 != p && p != NONE).is_some() {}
                outer.peek().filter(|at| at.0 == p).map_or(job.op.identity(), |at| at.1)
            }
        };
        let mut sum = above;
        job.op.add(&mut sum, values[i]);
        sums[i] = sum;
        out[i] = job.op.answer(if job.scope == Scope::Inclusive { sum } else { above });
    }
}

/// The chains of open vertices of all blocks.
struct Chains<'a, C: Carrier> {
    job: &'a Job<'a, C>,
    /// By block: runs of consecutive positions, deepest first.
    runs: Vec<Vec<Range<usize>>>,
    /// By block: the sum over everything above the chain.
    above: Vec<C::Elem>,
}

/// A walk down the chain of a block: the run at which it is, the next position, and the sum
/// over everything before.
struct Walk<E> {
    block: usize,
    run: usize,
    next: usize,
    sum: E,
}

impl<'a, C: Carrier> Chains<'a, C> {
    fn new(job: &'a Job<'a, C>) -> Self {
        let (op, blocks) = (job.op, Blocks::new(job.tree));
        let runs = job.each_block(blocks.count(), |b| blocks.open_runs(b).collect::<Vec<_>>());
        let mut chains = Chains { job, runs, above: Vec::new() };
        // Above a chain is a vertex that is open in an earlier block, or none.
        let parts = job.each_block(blocks.count(), |b| {
            let first = chains.runs[b].last().map_or(0, |run| run.start);
            let top = if chains.runs[b].is_empty() { NONE } else { job.tree.parents()[first] };
            let mut walk = chains.walk(top as usize / BLOCK, op.identity());
            if top != NONE {
                chains.go(&mut walk, top as usize);
            }
            (top, walk.sum)
        });
        for (top, part) in parts {
            let before = match top {
                NONE => op.identity(),
                top => chains.above[top as usize / BLOCK],
            };
            chains.above.push(op.combine(before, part));
        }
        chains
    }

    fn walk(&self, block: usize, sum: C::Elem) -> Walk<C::Elem> {
        let run = self.runs.get(block).map_or(0, Vec::len);
        Walk { block, run, next: 0, sum }
    }

    /// Goes on to a vertex of the chain.
    fn go(&self, walk: &mut Walk<C::Elem>, last: usize) {
        let op = self.job.op;
        while walk.next <= last {
            let run = self.runs[walk.block][walk.run - 1].clone();
            let to = run.end.min(last + 1);
            let part = op.total(&self.job.values[run.start.max(walk.next)..to]);
            walk.sum = op.combine(walk.sum, part);
            walk.next = to;
            if to == run.end {
                walk.run -= 1;
            }
        }
    }

    /// The parents before a block of `len` positions from `start`, deepest first, and the
    /// sums there.
    fn sums_before(&self, start: usize, len: usize) -> Vec<At<C::Elem>> {
        let zero = self.job.op.identity();
        let mut found: Vec<At<C::Elem>> = Vec::new();
        for &p in &self.job.tree.parents()[start..start + len] {
            if (p as usize) < start && found.last().is_none_or(|at| at.0 != p) {
                found.push((p, zero));
            }
        }
        let mut walk = self.walk(usize::MAX, zero);
        for (p, sum) in found.iter_mut().rev() {
            let block = *p as usize / BLOCK;
            if block != walk.block {
                walk = self.walk(block, self.above[block]);
            }
            self.go(&mut walk, *p as usize);
            *sum = walk.sum;
        }
        found
    }
}
