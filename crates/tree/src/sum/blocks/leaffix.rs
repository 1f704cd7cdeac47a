//! Leaffix: first the sums of whole blocks. Then a block at a time: the sweep of the
//! sequential engine in the scratch block finishes all closed vertices. The ends of open ones,
//! deepest first, only grow: one running sum over what lies behind the block, of whole blocks
//! and of single values, completes them.

use super::{Carrier, Job, in_turn, one_by_one};
use crate::Scope;
use crate::blocks::{BLOCK, Blocks};
use std::ops::Range;

pub(in crate::sum) fn leaffix<C: Carrier>(job: &Job<'_, C>, out: &mut [C::Answer]) {
    let blocks = Blocks::new(job.tree);
    let totals = job.each_block(blocks.count(), |b| job.op.total(&job.values[blocks.range(b)]));
    job.fill(out, |sums, start, out| {
        sweep(job, start, sums);
        let blocks_of = (start / BLOCK..).zip(sums.chunks(BLOCK).zip(out.chunks_mut(BLOCK)));
        for (block, (sums, out)) in blocks_of {
            let runs: Vec<Range<usize>> = blocks.open_runs(block).collect();
            round_closed(job, blocks.range(block), &runs, sums, out);
            complete(job, block, &runs, &totals, sums, out);
        }
    });
}

/// Open vertices that are completed at once where that is possible.
const STRETCH: usize = 64;

/// Sums over the parts of subtrees that lie in their blocks, for a group of blocks.
#[inline(always)]
fn sweep<C: Carrier>(job: &Job<'_, C>, start: usize, sums: &mut [C::Elem]) {
    let (op, end) = (job.op, start + sums.len());
    let (parents, values) = (&job.tree.parents()[start..end], &job.values[start..end]);
    // Inclusive sums begin with their own values, so that a step is one addition.
    match job.scope {
        Scope::Inclusive => {
            sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum = op.lift(value));
        }
        Scope::Exclusive => sums.fill(op.identity()),
    }
    let places = (start, parents, values);
    if sums.len() == C::LANES * BLOCK {
        in_turn::<C>(true, |at| step(job, places, at, sums));
    } else {
        one_by_one(sums.len(), true, |at| step(job, places, at, sums));
    }
}

/// The sum at a place of a block in a group is complete, as far as it lies in the block: it
/// goes to the parent.
#[inline(always)]
fn step<C: Carrier>(
    job: &Job<'_, C>,
    (start, parents, values): (usize, &[u32], &[C::Value]),
    (lane, i): (usize, usize),
    sums: &mut [C::Elem],
) {
    let mut whole = sums[i];
    if job.scope == Scope::Exclusive {
        job.op.add(&mut whole, values[i]);
    }
    // Wraps to a large number when the parent is before the block or none.
    let p = (parents[i] as usize).wrapping_sub(start);
    if p.wrapping_sub(lane * BLOCK) < BLOCK {
        sums[p] = job.op.combine(whole, sums[p]);
    }
}

/// Answers at what lies between the runs of open vertices, which are the deepest first.
fn round_closed<C: Carrier>(
    job: &Job<'_, C>,
    range: Range<usize>,
    runs: &[Range<usize>],
    sums: &[C::Elem],
    out: &mut [C::Answer],
) {
    let mut to = range.end;
    let starts = runs.iter().map(|run| run.end).chain([range.start]);
    let ends = runs.iter().map(|run| run.start).chain([range.start]);
    for (from, next) in starts.zip(ends) {
        let places = from - range.start..to - range.start;
        let sums = &sums[places.clone()];
        out[places].iter_mut().zip(sums).for_each(|(out, &sum)| *out = job.op.answer(sum));
        to = next;
    }
}

fn complete<C: Carrier>(
    job: &Job<'_, C>,
    block: usize,
    runs: &[Range<usize>],
    totals: &[C::Elem],
    sums: &[C::Elem],
    out: &mut [C::Answer],
) {
    let (op, sizes, blocks) = (job.op, job.tree.sizes(), Blocks::new(job.tree));
    let Range { start, end: mut reached } = blocks.range(block);
    let mut behind = op.identity();
    for run in runs {
        let mut left = run.end;
        while left > run.start {
            // Ends only grow upwards: when the topmost of a stretch ends where the running sum
            // does, so do all below it.
            let mut from = left.saturating_sub(STRETCH).max(run.start);
            if from + sizes[from] as usize > reached {
                from = left - 1;
            }
            let end = from + sizes[from] as usize;
            while reached < end {
                let whole = blocks.range(reached / BLOCK);
                let to = whole.end.min(end);
                let part = match reached == whole.start && to == whole.end {
                    true => totals[reached / BLOCK],
                    false => op.total(&job.values[reached..to]),
                };
                behind = op.combine(behind, part);
                reached = to;
            }
            let places = from - start..left - start;
            for (out, &sum) in out[places.clone()].iter_mut().zip(&sums[places]) {
                *out = op.answer(op.combine(sum, behind));
            }
            left = from;
        }
    }
}
