//! One sweep over the whole tree: for trees whose long chains lie scattered over the preorder,
//! where every block would walk chains of many others. An element per vertex in memory.

use super::{Carrier, Job};
use crate::{Direction, Scope};
use palmette_core::NONE;
use palmette_core::memory::huge_vec;

pub(in crate::sum) fn whole<C: Carrier>(
    job: &Job<'_, C>,
    direction: Direction,
    out: &mut [C::Answer],
) {
    let mut sums = huge_vec(out.len(), job.op.identity());
    match direction {
        Direction::Rootfix => rootfix(job, &mut sums, out),
        Direction::Leaffix => leaffix(job, &mut sums, out),
    }
}

fn rootfix<C: Carrier>(job: &Job<'_, C>, sums: &mut [C::Elem], out: &mut [C::Answer]) {
    for (i, &parent) in job.tree.parents().iter().enumerate() {
        let above = if parent == NONE { job.op.identity() } else { sums[parent as usize] };
        let mut sum = above;
        job.op.add(&mut sum, job.values[i]);
        sums[i] = sum;
        out[i] = job.op.answer(if job.scope == Scope::Inclusive { sum } else { above });
    }
}

fn leaffix<C: Carrier>(job: &Job<'_, C>, sums: &mut [C::Elem], out: &mut [C::Answer]) {
    for (i, &parent) in job.tree.parents().iter().enumerate().rev() {
        let below = sums[i];
        let mut sum = below;
        job.op.add(&mut sum, job.values[i]);
        out[i] = job.op.answer(if job.scope == Scope::Inclusive { sum } else { below });
        if parent != NONE {
            let above = &mut sums[parent as usize];
            *above = job.op.combine(*above, sum);
        }
    }
}
