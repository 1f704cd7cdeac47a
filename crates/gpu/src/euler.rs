//! Rootfix and leaffix for groups by a scan over the Euler tour.
//!
//! **Method.** The paper's three kernels. Write: values where vertices are opened; where they
//! are closed, inverses for a rootfix and the identity for a leaffix. Scan. Read: what comes
//! before the opening, for a leaffix taken away from what comes before the closing.
//!
//! **Cost.** 2n entries scanned; two scattered writes and one or two scattered reads a vertex.
//! Nothing depends on the tree's shape.
//!
//! **Determinism.** The association is fixed. On floats the difference of two prefix sums loses
//! digits when the subtree's sum is small against what came before it; devices may take
//! subnormal numbers for zero.
//!
//! **Reference.** Defour and Marin, 2013, sections II-B and III-B.

use crate::array::{Array, DeviceValues};
use crate::batch::{Batch, Binding, Source, VALUES, read, write};
use crate::{Device, DeviceTree, GpuError, GroupKernel, scan};
use palmette_core::Tree;
use palmette_tree::{Direction, EulerTour, Scope};

const OPEN: Binding = read("open", "u32");
const CLOSE: Binding = read("close", "u32");
const ANSWERS: Binding = write("answers", "Elem");
const LINE: Binding = read("line", "Elem");

const WRITE: Source = Source {
    params: &["count", "first", "length", "inverted"],
    arrays: &[OPEN, CLOSE, VALUES, write("line", "Elem")],
    body: include_str!("wgsl/euler_write.wgsl"),
};

const READ_ROOTFIX: Source = Source {
    params: &["count", "first", "length", "inclusive"],
    arrays: &[OPEN, LINE, ANSWERS],
    body: include_str!("wgsl/euler_rootfix.wgsl"),
};

const READ_LEAFFIX: Source = Source {
    params: &["count", "first", "length", "inclusive"],
    arrays: &[OPEN, CLOSE, LINE, ANSWERS],
    body: include_str!("wgsl/euler_leaffix.wgsl"),
};

/// The paper's arrays `(V` and `V)`, on a device.
#[derive(Debug)]
pub(crate) struct Tour {
    pub(crate) open: Array,
    pub(crate) close: Array,
}

impl Tour {
    pub(crate) fn upload(device: &Device, tree: &Tree) -> Result<(Tour, f64), GpuError> {
        let tour = EulerTour::new(tree);
        let (open, close) = tour.arrays();
        let array = |places| Array::from_slice(device, places);
        device.sent(|| Ok(Tour { open: array(open)?, close: array(close)? }))
    }
}

pub(crate) fn euler<G: GroupKernel>(
    tree: &DeviceTree<'_>,
    values: &DeviceValues<G::Elem>,
    op: &G,
    scope: Scope,
    direction: Direction,
) -> Result<DeviceValues<G::Elem>, GpuError> {
    let device = tree.device();
    values.check(device, tree.tree().len(), op)?;
    let answers = Array::new::<G::Elem>(device, values.len())?;
    if values.is_empty() {
        return Ok(DeviceValues::computed(answers, 0.0));
    }
    let tour = tree.tour()?;
    let line = Array::new::<G::Elem>(device, 2 * values.len())?;
    let mut batch = Batch::with(device, op, Some(op.inverse_wgsl()));
    let write = batch.kernel(&WRITE)?;
    let inverted = u32::from(direction == Direction::Rootfix);
    for (k, e, [count, first, length]) in tiles(&tour.open, &line) {
        let arrays =
            [tour.open.chunk(k), tour.close.chunk(k), values.array.chunk(k), line.chunk(e)];
        batch.each(&write, &arrays, &[count, first, length, inverted]);
    }
    scan::exclusive::<G>(&mut batch, &line)?;
    let inclusive = u32::from(scope == Scope::Inclusive);
    let read = match direction {
        Direction::Rootfix => batch.kernel(&READ_ROOTFIX)?,
        Direction::Leaffix => batch.kernel(&READ_LEAFFIX)?,
    };
    for (k, e, [count, first, length]) in tiles(&tour.open, &line) {
        let numbers = [count, first, length, inclusive];
        let (open, close) = (tour.open.chunk(k), tour.close.chunk(k));
        let (line, answers) = (line.chunk(e), answers.chunk(k));
        match direction {
            Direction::Rootfix => batch.each(&read, &[open, line, answers], &numbers),
            Direction::Leaffix => batch.each(&read, &[open, close, line, answers], &numbers),
        }
    }
    batch.keep([line]);
    Ok(DeviceValues::computed(answers, batch.run()?))
}

/// Every chunk of one array beside every chunk of another, in order: the two chunks, the
/// entries of the first, and where the second begins and how long it is.
pub(crate) fn tiles<'a>(
    one: &'a Array,
    other: &'a Array,
) -> impl Iterator<Item = (usize, usize, [u32; 3])> + 'a {
    let count = move |k: usize| one.range(k).len() as u32;
    let place = move |e: usize| (other.range(e).start as u32, other.range(e).len() as u32);
    (0..one.count()).flat_map(move |k| {
        (0..other.count()).map(move |e| (k, e, [count(k), place(e).0, place(e).1]))
    })
}
