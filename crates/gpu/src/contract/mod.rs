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
use crate::batch::{Access, Batch, Pipeline, Source};
use crate::euler::tiles;
use crate::{DeviceTree, GpuError, Kernel};
use form::Segment;
use palmette_tree::Scope;
use std::sync::Arc;

const PAIRS: (&str, &str, Access) = ("pairs", "vec2<u32>", Access::Read);
const LINKS: (&str, &str, Access) = ("links", "u32", Access::Read);
const VALUES: (&str, &str, Access) = ("values", "Elem", Access::Read);
const OWN: (&str, &str, Access) = ("own", "Elem", Access::Write);
const OTHER: (&str, &str, Access) = ("other", "Elem", Access::Read);
const FIRSTS: (&str, &str, Access) = ("firsts", "Elem", Access::Read);
const LASTS: (&str, &str, Access) = ("lasts", "Elem", Access::Read);
const PAIR_PARAMS: &[&str] = &["count", "start", "upper", "lower", "step"];

/// Upper and lower vertices in one chunk, then in two: a kernel may not bind one buffer for
/// reading and for writing.
const DOWN: [Source; 2] = [
    Source {
        params: PAIR_PARAMS,
        arrays: &[PAIRS, OWN],
        body: concat!(
            "fn above_at(i: u32) -> Elem { return own[i]; }\n",
            include_str!("../wgsl/contract_down.wgsl")
        ),
    },
    Source {
        params: PAIR_PARAMS,
        arrays: &[PAIRS, OWN, OTHER],
        body: concat!(
            "fn above_at(i: u32) -> Elem { return other[i]; }\n",
            include_str!("../wgsl/contract_down.wgsl")
        ),
    },
];

const UP: [Source; 2] = [
    Source {
        params: PAIR_PARAMS,
        arrays: &[PAIRS, ("firsts", "Elem", Access::Write), ("lasts", "Elem", Access::Write)],
        body: concat!(
            "fn first_at(i: u32) -> Elem { return firsts[i]; }\n",
            "fn last_at(i: u32) -> Elem { return lasts[i]; }\n",
            include_str!("../wgsl/contract_up.wgsl")
        ),
    },
    Source {
        params: PAIR_PARAMS,
        arrays: &[
            PAIRS,
            ("firsts", "Elem", Access::Write),
            ("lasts", "Elem", Access::Write),
            ("other_firsts", "Elem", Access::Read),
            ("other_lasts", "Elem", Access::Read),
        ],
        body: concat!(
            "fn first_at(i: u32) -> Elem { return other_firsts[i]; }\n",
            "fn last_at(i: u32) -> Elem { return other_lasts[i]; }\n",
            include_str!("../wgsl/contract_up.wgsl")
        ),
    },
];

const REACH: [Source; 2] = [
    Source {
        params: PAIR_PARAMS,
        arrays: &[PAIRS, FIRSTS, LASTS, OWN],
        body: concat!(
            "fn below_at(i: u32) -> Elem { return own[i]; }\n",
            include_str!("../wgsl/contract_reach.wgsl")
        ),
    },
    Source {
        params: PAIR_PARAMS,
        arrays: &[PAIRS, FIRSTS, LASTS, OWN, OTHER],
        body: concat!(
            "fn below_at(i: u32) -> Elem { return other[i]; }\n",
            include_str!("../wgsl/contract_reach.wgsl")
        ),
    },
];

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
    arrays: &[LINKS, VALUES, ("reach", "Elem", Access::Read), ("answers", "Elem", Access::Write)],
    body: include_str!("../wgsl/contract_answers.wgsl"),
};

const JOIN: Source =
    Source { params: &["count"], arrays: &[VALUES, OWN], body: include_str!("../wgsl/join.wgsl") };

const FILL: Source =
    Source { params: &["count"], arrays: &[OWN], body: include_str!("../wgsl/fill.wgsl") };

pub(crate) fn rootfix<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    tree.check(values, op)?;
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
    let down = both(&batch, &DOWN)?;
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
        for k in 0..own.count() {
            let count = own.range(k).len() as u32;
            batch.each(&join, &[values.chunk(k), own.chunk(k)], &[count]);
        }
    }
    let seconds = batch.run()?;
    Ok(DeviceValues::computed(own, seconds))
}

pub(crate) fn leaffix<K: Kernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<K::Elem>,
    op: &K,
    scope: Scope,
) -> Result<DeviceValues<K::Elem>, GpuError> {
    tree.check(values, op)?;
    let form = tree.contraction()?;
    let (device, n, values) = (tree.device(), values.len(), &values.array);
    let array = || Array::new::<K::Elem>(device, n);
    let (firsts, lasts, reach, answers) = (array()?, array()?, array()?, array()?);
    let mut batch = Batch::new(device, op);
    let (fill, join) = (batch.kernel(&FILL)?, batch.kernel(&JOIN)?);
    for k in 0..firsts.count() {
        let count = [firsts.range(k).len() as u32];
        batch.each(&fill, &[firsts.chunk(k)], &count);
        batch.each(&join, &[values.chunk(k), firsts.chunk(k)], &count);
        batch.each(&fill, &[lasts.chunk(k)], &count);
    }
    let up = both(&batch, &UP)?;
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
    for k in 0..reach.count() {
        let arrays = [firsts.chunk(k), lasts.chunk(k), reach.chunk(k)];
        batch.each(&close, &arrays, &[reach.range(k).len() as u32]);
    }
    let extend = both(&batch, &REACH)?;
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
    let seconds = batch.run()?;
    Ok(DeviceValues::computed(answers, seconds))
}

fn both(batch: &Batch<'_>, [same, two]: &[Source; 2]) -> Result<[Arc<Pipeline>; 2], GpuError> {
    Ok([batch.kernel(same)?, batch.kernel(two)?])
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
