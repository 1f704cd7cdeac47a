//! Rootfix: what a block needs from before it are sums at parents, which are open in their
//! own blocks and ancestors of the block's first position. So: the sum along the chain of
//! open vertices of every block; from these the sum above each chain, block after block. Then
//! a block at a time: the sums at the parents before it, by walking down their chains; and one
//! sweep in the scratch block.

use super::{Carrier, Job, MOST_LANES, in_turn, one_by_one};
use crate::Scope;
use crate::blocks::{BLOCK, Blocks};
use palmette_core::NONE;
use std::ops::Range;

pub(in crate::sum) fn rootfix<C: Carrier>(job: &Job<'_, C>, out: &mut [C::Answer]) {
    let chains = Chains::new(job);
    job.fill(out, |sums, start, out| {
        let mut outer = Outer::default();
        for (lane, block) in out.chunks(BLOCK).enumerate() {
            let from = start + lane * BLOCK;
            let found = chains.sums_before(from, block.len());
            outer.now[lane] = (found[0].0, outer.parents.len());
            outer.parents.extend(found.iter().map(|at| at.0));
            sums.extend(found.iter().map(|at| at.1));
        }
        sweep(job, start, outer, sums, out);
    });
}

/// A position, or [`NONE`], and the sum there.
type At<E> = (u32, E);

/// The parents before blocks of a group, block after block in the order in which they are
/// needed. The sums there lie behind those of the group.
#[derive(Default)]
struct Outer {
    parents: Vec<u32>,
    /// By block: the one that is needed now, and its number.
    now: [(u32, usize); MOST_LANES],
}

impl Outer {
    /// The number of a parent, which is that of now or behind it.
    #[inline(always)]
    fn find(&mut self, lane: usize, parent: u32) -> usize {
        let (now, number) = &mut self.now[lane];
        while *now != parent {
            *number += 1;
            *now = self.parents[*number];
        }
        *number
    }
}

/// The sweep over a group of blocks from `start`.
#[inline(always)]
fn sweep<C: Carrier>(
    job: &Job<'_, C>,
    start: usize,
    mut outer: Outer,
    sums: &mut [C::Elem],
    out: &mut [C::Answer],
) {
    let range = start..start + out.len();
    let places = (start, &job.tree.parents()[range.clone()], &job.values[range]);
    if out.len() == C::LANES * BLOCK {
        in_turn::<C>(false, |at| step(job, places, at, &mut outer, sums, out));
    } else {
        one_by_one(out.len(), false, |at| step(job, places, at, &mut outer, sums, out));
    }
}

/// The sum at a place of a block in a group.
#[inline(always)]
fn step<C: Carrier>(
    job: &Job<'_, C>,
    (start, parents, values): (usize, &[u32], &[C::Value]),
    (lane, i): (usize, usize),
    outer: &mut Outer,
    sums: &mut [C::Elem],
    out: &mut [C::Answer],
) {
    let mut p = (parents[i] as usize).wrapping_sub(start);
    if p.wrapping_sub(lane * BLOCK) >= BLOCK {
        p = out.len() + outer.find(lane, parents[i]);
    }
    let above = sums[p];
    let mut sum = above;
    job.op.add(&mut sum, values[i]);
    sums[i] = sum;
    out[i] = job.op.answer(if job.scope == Scope::Inclusive { sum } else { above });
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

    /// The parents before a block of `len` positions from `start`, deepest first, [`NONE`]
    /// behind them, and the sums there.
    fn sums_before(&self, start: usize, len: usize) -> Vec<At<C::Elem>> {
        let zero = self.job.op.identity();
        let mut found: Vec<At<C::Elem>> = Vec::new();
        // Behind a subtree, the next vertex has its parent before the block, too.
        let (parents, sizes, mut i) = (self.job.tree.parents(), self.job.tree.sizes(), start);
        while i < start + len {
            if found.last().is_none_or(|at| at.0 != parents[i]) {
                found.push((parents[i], zero));
            }
            i += sizes[i] as usize;
        }
        let mut walk = self.walk(usize::MAX, zero);
        for (p, sum) in found.iter_mut().rev().filter(|at| at.0 != NONE) {
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
