//! Rootfix and leaffix by rake and compress, for any monoid and any shape.
//!
//! **Method.** The plan of [`Contraction`](palmette_tree::Contraction), made on the host once,
//! is a list of pairs of vertices by round. For a rootfix every step is the same: the lower
//! vertex of a pair takes in the upper one's product, first where vertices are spliced out, then
//! backwards through all rounds. For a leaffix each vertex has a product `first` before and one
//! `last` behind what is still below it: see the host's engine.
//!
//! **Cost.** At most 3 combinations per vertex for a rootfix and 6 for a leaffix; O(log n) rounds
//! of at most four dispatches.
//!
//! **Determinism.** The association is the plan's.
//!
//! **Reference.** Miller and Reif, 1985.
//!
//! **When not to use.** For groups, where `euler` reads less memory; on flat trees, where
//! `levels` needs fewer dispatches.

mod form;

pub(crate) use form::ContractForm;

use crate::array::Array;
use crate::batch::{
    Batch, Binding, FILL, JOIN, OTHER, OWN, Pipeline, Running, Source, VALUES, read, same_or_other,
    write,
};
use crate::kernel::Law;
use crate::tiles::tiles;
use crate::{DeviceTree, GpuError};
use form::Segment;
use palmette_tree::{Direction, Scope};
use std::sync::Arc;

const PAIRS: Binding = read("pairs", "vec2<u32>");
const LINKS: Binding = read("links", "u32");
const FIRSTS: Binding = read("firsts", "Elem");
const LASTS: Binding = read("lasts", "Elem");
const PAIR_PARAMS: &[&str] = &["count", "start", "upper", "lower", "step"];

const DOWN: [Source; 2] = same_or_other!(
    PAIR_PARAMS, [PAIRS, OWN] or [OTHER],
    ["above_at": "own" or "other"], "../wgsl/contract_down.wgsl"
);

const UP: [Source; 2] = same_or_other!(
    PAIR_PARAMS, [PAIRS, write("firsts", "Elem"), write("lasts", "Elem")]
    or [read("other_firsts", "Elem"), read("other_lasts", "Elem")],
    ["first_at": "firsts" or "other_firsts", "last_at": "lasts" or "other_lasts"],
    "../wgsl/contract_up.wgsl"
);

const REACH: [Source; 2] = same_or_other!(
    PAIR_PARAMS, [PAIRS, FIRSTS, LASTS, OWN] or [OTHER],
    ["below_at": "own" or "other"], "../wgsl/contract_reach.wgsl"
);

const FACTORS: Source = Source {
    params: &["count", "first", "length", "base"],
    arrays: &[LINKS, VALUES, OWN],
    body: include_str!("../wgsl/contract_factors.wgsl"),
};

const CLOSE: Source = Source {
    params: &["count"],
    arrays: &[FIRSTS, LASTS, OWN],
    body: include_str!("../wgsl/contract_close.wgsl"),
};

const ANSWERS: Source = Source {
    params: &["count", "first", "length", "base", "inclusive"],
    arrays: &[LINKS, VALUES, read("reach", "Elem"), write("answers", "Elem")],
    body: include_str!("../wgsl/contract_answers.wgsl"),
};

/// Sends the steps for values by position on their way.
pub(crate) fn start(
    tree: &DeviceTree<'_>,
    values: &Array,
    law: &Law,
    scope: Scope,
    direction: Direction,
) -> Result<(Array, Running), GpuError> {
    match direction {
        Direction::Rootfix => rootfix(tree, values, law, scope),
        Direction::Leaffix => leaffix(tree, values, law, scope),
    }
}

fn rootfix(
    tree: &DeviceTree<'_>,
    values: &Array,
    law: &Law,
    scope: Scope,
) -> Result<(Array, Running), GpuError> {
    let form = tree.contraction()?;
    let own = Array::of_bytes(tree.device(), values.len(), law.bytes())?;
    let mut batch = Batch::of(tree.device(), law);
    let (factors, join) = (batch.kernel(&FACTORS)?, batch.kernel(&JOIN)?);
    // What is before a place is in the same chunk, or ends the one before.
    let before = |&(k, e, _): &(usize, usize, _)| e == k || e + 1 == k;
    for (k, e, [count, first, length]) in tiles(&own, values).filter(before) {
        let base = own.range(k).start as u32;
        let arrays = [form.links.chunk(k), values.chunk(e), own.chunk(k)];
        batch.each(&factors, &arrays, &[count, first, length, base]);
    }
    let down = batch.both(&DOWN, own.count())?;
    let mut pass = |segments: &[Segment]| {
        for s in segments {
            let written = [own.chunk(s.lower)];
            step(&mut batch, &down, &form.pairs, s, &written, &[own.chunk(s.upper)], 0);
        }
    };
    form.rounds.iter().for_each(|round| pass(&round.below));
    for round in form.rounds.iter().rev() {
        [&round.above, &round.left, &round.right].into_iter().for_each(|list| pass(list));
    }
    if scope == Scope::Inclusive {
        batch.all(&join, &[values, &own]);
    }
    Ok((own, batch.start()?))
}

fn leaffix(
    tree: &DeviceTree<'_>,
    values: &Array,
    law: &Law,
    scope: Scope,
) -> Result<(Array, Running), GpuError> {
    let form = tree.contraction()?;
    let (device, n) = (tree.device(), values.len());
    let array = || Array::of_bytes(device, n, law.bytes());
    let (firsts, lasts, reach, answers) = (array()?, array()?, array()?, array()?);
    let mut batch = Batch::of(device, law);
    let (fill, join) = (batch.kernel(&FILL)?, batch.kernel(&JOIN)?);
    batch.all(&fill, &[&firsts]);
    batch.all(&join, &[values, &firsts]);
    batch.all(&fill, &[&lasts]);
    let up = batch.both(&UP, values.count())?;
    for round in &form.rounds {
        for (number, list) in [&round.left, &round.right, &round.above].into_iter().enumerate() {
            for s in list {
                let written = [firsts.chunk(s.upper), lasts.chunk(s.upper)];
                let other = [firsts.chunk(s.lower), lasts.chunk(s.lower)];
                step(&mut batch, &up, &form.pairs, s, &written, &other, number as u32);
            }
        }
    }
    let close = batch.kernel(&CLOSE)?;
    batch.all(&close, &[&firsts, &lasts, &reach]);
    let extend = batch.both(&REACH, values.count())?;
    for s in form.rounds.iter().rev().flat_map(|round| &round.below) {
        let own = [firsts.chunk(s.upper), lasts.chunk(s.upper), reach.chunk(s.upper)];
        step(&mut batch, &extend, &form.pairs, s, &own, &[reach.chunk(s.lower)], 0);
    }
    let read = batch.kernel(&ANSWERS)?;
    let inclusive = u32::from(scope == Scope::Inclusive);
    let behind = |&(k, e, _): &(usize, usize, _)| e == k || e == k + 1;
    for (k, e, [count, first, length]) in tiles(&answers, &reach).filter(behind) {
        let base = answers.range(k).start as u32;
        let arrays = [form.links.chunk(k), values.chunk(k), reach.chunk(e), answers.chunk(k)];
        batch.each(&read, &arrays, &[count, first, length, base, inclusive]);
    }
    batch.keep([firsts, lasts, reach]);
    Ok((answers, batch.start()?))
}

/// Adds the dispatch for a segment: with the arrays of the other chunk, where it is another.
fn step(
    batch: &mut Batch<'_>,
    [same, two]: &[Arc<Pipeline>; 2],
    pairs: &Array,
    segment: &Segment,
    own: &[&wgpu::Buffer],
    other: &[&wgpu::Buffer],
    number: u32,
) {
    let &Segment { list, start, count, upper, lower } = segment;
    let mut arrays = vec![pairs.chunk(list)];
    arrays.extend_from_slice(own);
    if upper != lower {
        arrays.extend_from_slice(other);
    }
    let place = |chunk: usize| pairs.device().bounds().chunk * chunk;
    let numbers = [count, start, place(upper), place(lower)].map(|x| x as u32);
    let [a, b, c, d] = numbers;
    batch.each(if upper == lower { same } else { two }, &arrays, &[a, b, c, d, number]);
}
