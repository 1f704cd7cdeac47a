//! Rootfix and leaffix level by level.
//!
//! **Method.** A dispatch per level, top-down or bottom-up; levels that one workgroup covers run
//! together, with barriers of the workgroup between them. What is kept is the answer without
//! the own value; that is put in at the end. A vertex with many children gets a workgroup.
//!
//! **Cost.** n combinations for a rootfix and 2n for a leaffix; a barrier per level, so a path
//! runs on one thread.
//!
//! **Determinism.** The association is the tree's for a rootfix. In a leaffix it depends on the
//! numbers of children, and on where chunks of the device's size end.
//!
//! **Reference.** Defour and Marin, 2013, Algorithm 1 and section III-A, with the queues replaced
//! by an order by level, which needs no balancing of loads for a rootfix.
//!
//! **When not to use.** On deep trees.

mod form;
mod plan;

pub(crate) use form::LevelForm;

use crate::array::Array;
use crate::batch::{
    Batch, Binding, FILL, GROUP, OTHER, OWN, Pipeline, Running, Source, VALUES, read,
    same_or_other, write,
};
use crate::kernel::Law;
use crate::tiles::{Tile, place};
use crate::{DeviceTree, GpuError};
use form::{WIDE, cut};
use palmette_tree::{Direction, Scope};
pub(crate) use plan::ROUNDS;
use plan::{Run, pieces, plan};
use std::ops::Range;
use std::sync::Arc;

const ORDER: Binding = read("order", "u32");
const PARENT: Binding = read("parent", "u32");
const FAMILY: Binding = read("family", "vec2<u32>");
const STARTS: Binding = read("starts", "u32");
const WIDE_ONES: Binding = read("vertices", "u32");

const GATHER: Source = Source {
    params: &["count", "start", "first", "length"],
    arrays: &[ORDER, VALUES, OWN],
    body: include_str!("../wgsl/gather.wgsl"),
};

const FINISH: Source = Source {
    params: &["count", "start", "first", "length", "after", "before"],
    arrays: &[ORDER, read("own", "Elem"), VALUES, write("answers", "Elem")],
    body: include_str!("../wgsl/finish.wgsl"),
};

/// The neighbouring level is in the same chunk, or in another.
const ROOTFIX: [Source; 2] = same_or_other!(
    &["count", "start", "first", "length"], [PARENT, VALUES, OWN] or [OTHER],
    ["other_at": "own" or "other"], "../wgsl/level_rootfix.wgsl"
);
const LEAFFIX: [Source; 2] = same_or_other!(
    &["count", "start", "first", "length", "wide"], [FAMILY, VALUES, OWN] or [OTHER],
    ["other_at": "own" or "other"], "../wgsl/level_leaffix.wgsl"
);
const LEAFFIX_WIDE: [Source; 2] = same_or_other!(
    &["count", "start", "first", "length", "base", "offset"],
    [WIDE_ONES, FAMILY, VALUES, OWN] or [OTHER],
    ["other_at": "own" or "other"], "../wgsl/level_wide.wgsl"
);

const NARROW_ROOTFIX: Source = Source {
    params: &["count", "start", "first"],
    arrays: &[STARTS, PARENT, VALUES, OWN],
    body: include_str!("../wgsl/narrow_rootfix.wgsl"),
};

const NARROW_LEAFFIX: Source = Source {
    params: &["count", "start", "first"],
    arrays: &[STARTS, FAMILY, VALUES, OWN],
    body: include_str!("../wgsl/narrow_leaffix.wgsl"),
};

/// Sends the steps for values by position on their way.
pub(crate) fn start(
    tree: &DeviceTree<'_>,
    values: &Array,
    law: &Law,
    scope: Scope,
    direction: Direction,
) -> Result<(Array, Running), GpuError> {
    let (device, n) = (tree.device(), values.len());
    let array = || Array::of_bytes(device, n, law.bytes());
    let mut batch = Batch::of(device, law);
    let answers = array()?;
    if n == 0 {
        return Ok((answers, batch.start()?));
    }
    let form = tree.levels()?;
    let (placed, own) = (array()?, array()?);
    let (fill, gather) = (batch.kernel(&FILL)?, batch.kernel(&GATHER)?);
    for &Tile { here, there, start, count } in &form.meeting {
        let arrays = [form.order.chunk(here), values.chunk(there), placed.chunk(here)];
        let [first, length] = place(values, there);
        batch.each(&gather, &arrays, &[count as u32, start as u32, first, length]);
    }
    batch.all(&fill, &[&own]);
    let mut pass = Pass::new(&mut batch, form, &placed, &own, direction)?;
    // A child's value is put in front of what is below it, then both behind what is there.
    pass.most = ROUNDS / (1 + 2 * law.rounds);
    let runs = plan(&form.host, device.bounds().chunk, direction, law.rounds);
    match direction {
        Direction::Rootfix => runs.into_iter().for_each(|run| pass.run(run)),
        Direction::Leaffix => runs.into_iter().rev().for_each(|run| pass.run(run)),
    }
    let finish = batch.kernel(&FINISH)?;
    let put = |which| u32::from(scope == Scope::Inclusive && direction == which);
    let (after, before) = (put(Direction::Rootfix), put(Direction::Leaffix));
    for &Tile { here, there, start, count } in &form.meeting {
        let (order, answers_there) = (form.order.chunk(here), answers.chunk(there));
        let arrays = [order, own.chunk(here), placed.chunk(here), answers_there];
        let [first, length] = place(&answers, there);
        let numbers = [count as u32, start as u32, first, length, after, before];
        batch.each(&finish, &arrays, &numbers);
    }
    batch.keep([placed, own]);
    Ok((answers, batch.start()?))
}

/// The levels of one pass, as steps of a batch.
struct Pass<'a, 'd> {
    batch: &'a mut Batch<'d>,
    form: &'a LevelForm,
    placed: &'a Array,
    own: &'a Array,
    direction: Direction,
    one: [Arc<Pipeline>; 2],
    wide: [Arc<Pipeline>; 2],
    narrow: Arc<Pipeline>,
    chunk: usize,
    /// Children that a thread goes through in one dispatch.
    most: usize,
}

impl<'a, 'd> Pass<'a, 'd> {
    fn new(
        batch: &'a mut Batch<'d>,
        form: &'a LevelForm,
        placed: &'a Array,
        own: &'a Array,
        direction: Direction,
    ) -> Result<Self, GpuError> {
        let chunks = own.count();
        let (one, narrow) = match direction {
            Direction::Rootfix => (batch.both(&ROOTFIX, chunks)?, batch.kernel(&NARROW_ROOTFIX)?),
            Direction::Leaffix => (batch.both(&LEAFFIX, chunks)?, batch.kernel(&NARROW_LEAFFIX)?),
        };
        let has_wide = direction == Direction::Leaffix && form.wide.len() > 0;
        let wide = if has_wide { batch.both(&LEAFFIX_WIDE, chunks)? } else { one.clone() };
        let chunk = batch.device().bounds().chunk;
        Ok(Pass { batch, form, placed, own, direction, one, wide, narrow, chunk, most: ROUNDS })
    }

    fn run(&mut self, run: Run) {
        match run {
            Run::Narrow(depths) => self.narrow(depths),
            Run::One(depth) => self.level(depth),
        }
    }

    /// The links that a level reads.
    fn links(&self) -> &'a Array {
        match self.direction {
            Direction::Rootfix => &self.form.parent,
            Direction::Leaffix => &self.form.family,
        }
    }

    fn narrow(&mut self, depths: Range<usize>) {
        let Pass { form, chunk, .. } = *self;
        let place = form.host.level(depths.start).start / chunk;
        let starts = depths.start / chunk;
        let arrays = [
            form.starts.chunk(starts),
            self.links().chunk(place),
            self.placed.chunk(place),
            self.own.chunk(place),
        ];
        let start = depths.start - starts * chunk;
        let numbers = [depths.len() as u32, start as u32, (place * chunk) as u32];
        self.batch.push(&self.narrow, &arrays, &numbers, 1);
    }

    /// One level from the one above, or from the one below.
    fn level(&mut self, depth: usize) {
        let Pass { form, chunk, direction, .. } = *self;
        let up = direction == Direction::Leaffix;
        let other = if up { depth + 1 } else { depth - 1 };
        for (k, places) in cut(form.host.level(depth), chunk) {
            for (e, there) in cut(form.host.level(other), chunk) {
                let (first, length) = (e * chunk, self.own.range(e).len());
                let numbers =
                    [places.len(), places.start - k * chunk, first, length, WIDE as usize];
                let numbers = numbers.map(|x| x as u32);
                let mut arrays =
                    vec![self.links().chunk(k), self.placed.chunk(e), self.own.chunk(k)];
                arrays.extend((k != e).then(|| self.own.chunk(e)));
                let kernel = &self.one[usize::from(k != e)];
                self.batch.each(kernel, &arrays, &numbers[..if up { 5 } else { 4 }]);
                for children in pieces(there, GROUP * self.most).filter(|_| up) {
                    self.wide(k, places.clone(), e, children);
                }
            }
        }
    }

    /// The vertices with many children among some places of a chunk, as far as the children are
    /// among other places of a chunk.
    fn wide(&mut self, k: usize, places: Range<usize>, below: usize, children: Range<usize>) {
        let Pass { form, chunk, .. } = *self;
        let before = |place: usize| form.host.wide.partition_point(|&w| (w as usize) < place);
        let offset = children.start - below * chunk;
        for (list, part) in cut(before(places.start)..before(places.end), chunk) {
            // As many workgroups as a chunk has otherwise: dispatches have room for those.
            for (_, part) in cut(part, chunk / GROUP) {
                let start = part.start - list * chunk;
                let numbers =
                    [part.len(), start, children.start, children.len(), k * chunk, offset];
                let mut arrays = vec![
                    form.wide.chunk(list),
                    form.family.chunk(k),
                    self.placed.chunk(below),
                    self.own.chunk(k),
                ];
                let other = usize::from(k != below);
                arrays.extend((k != below).then(|| self.own.chunk(below)));
                let numbers = numbers.map(|x| x as u32);
                self.batch.push(&self.wide[other], &arrays, &numbers, part.len());
            }
        }
    }
}
