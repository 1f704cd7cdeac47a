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

use crate::array::{Array, DeviceValues};
use crate::batch::{
    Batch, Binding, FILL, JOIN, OTHER, OWN, Pipeline, Source, VALUES, read, same_or_other, write,
};
use crate::euler::tiles;
use crate::{DeviceTree, GpuError, Kernel};
use form::Segment;
use palmette_tree::Scope;
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

pub(crate) fn rootfix<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    values.check(tree.device(), tree.tree().len(), op)?;
    let form = tree.contraction()?;
    let values = &values.array;
    let own = Array::new::<K::Elem>(tree.device(), values.len())?;
    let mut batch = Batch::new(tree.device(), op);
    let (factors, join) = (batch.kernel(&FACTORS)?, batch.kernel(&JOIN)?);
    for (k, e, [count, first, length]) in tiles(&own, values) {
        let base = own.range(k).start as u32;
        let arrays = [form.links.chunk(k), values.chunk(e), own.chunk(k)];
        batch.each(&factors, &arrays, &[count, first, length, base]);
    }
    let down = batch.both(&DOWN)?;
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
    Ok(DeviceValues::computed(own, batch.run()?))
}

pub(crate) fn leaffix<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    values.check(tree.device(), tree.tree().len(), op)?;
    let form = tree.contraction()?;
    let (device, n, values) = (tree.device(), values.len(), &values.array);
    let array = || Array::new::<K::Elem>(device, n);
    let (firsts, lasts, reach, answers) = (array()?, array()?, array()?, array()?);
    let mut batch = Batch::new(device, op);
    let (fill, join) = (batch.kernel(&FILL)?, batch.kernel(&JOIN)?);
    batch.all(&fill, &[&firsts]);
    batch.all(&join, &[values, &firsts]);
    batch.all(&fill, &[&lasts]);
    let up = batch.both(&UP)?;
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
    let extend = batch.both(&REACH)?;
    for s in form.rounds.iter().rev().flat_map(|round| &round.below) {
        let own = [firsts.chunk(s.upper), lasts.chunk(s.upper), reach.chunk(s.upper)];
        step(&mut batch, &extend, &form.pairs, s, &own, &[reach.chunk(s.lower)], 0);
    }
    let read = batch.kernel(&ANSWERS)?;
    let inclusive = u32::from(scope == Scope::Inclusive);
    for (k, e, [count, first, length]) in tiles(&answers, &reach) {
        let base = answers.range(k).start as u32;
        let arrays = [form.links.chunk(k), values.chunk(k), reach.chunk(e), answers.chunk(k)];
        batch.each(&read, &arrays, &[count, first, length, base, inclusive]);
    }
    batch.keep([firsts, lasts, reach]);
    Ok(DeviceValues::computed(answers, batch.run()?))
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
