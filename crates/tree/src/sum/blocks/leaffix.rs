//! Leaffix: first the sums of whole blocks. Then a block at a time: the sweep of the
//! sequential engine in the scratch block finishes all closed vertices. The ends of open ones,
//! deepest first, only grow: one running sum over what lies behind the block, of whole blocks
//! and of single values, completes them.

use super::{Carrier, Job};
use crate::Scope;
use crate::blocks::{BLOCK, Blocks};
use std::ops::Range;

pub(in crate::sum) fn leaffix<C: Carrier>(job: &Job<'_, C>, out: &mut [C::Answer]) {
    let blocks = Blocks::new(job.tree);
    let totals = job.each_block(blocks.count(), |b| job.op.total(&job.values[blocks.range(b)]));
    job.fill(out, |scratch, block, out| {
        let sums = &mut scratch[..out.len()];
        sweep(job, blocks.range(block).start, sums);
        let runs: Vec<Range<usize>> = blocks.open_runs(block).collect();
        round_closed(job, blocks.range(block), &runs, sums, out);
        complete(job, block, &runs, &totals, sums, out);
    });
}

/// Sums over the parts of subtrees that lie in the block.
#[inline(always)]
fn sweep<C: Carrier>(job: &Job<'_, C>, start: usize, sums: &mut [C::Elem]) {
    let end = start + sums.len();
    let (parents, values) = (&job.tree.parents()[start..end], &job.values[start..end]);
    sums.fill(job.op.identity());
    for i in (0..sums.len()).rev() {
        let mut whole = sums[i];
        job.op.add(&mut whole, values[i]);
        if job.scope == Scope::Inclusive {
            sums[i] = whole;
        }
        // Wraps to a large number when the parent is before the block or none.
        if let Some(above) = sums.get_mut((parents[i] as usize).wrapping_sub(start)) {
            *above = job.op.combine(whole, *above);
        }
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
    for i in runs.iter().flat_map(|run| run.clone().rev()) {
        let end = i + sizes[i] as usize;
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
        out[i - start] = op.answer(op.combine(sums[i - start], behind));
    }
}
