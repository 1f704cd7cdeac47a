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

use crate::array::Array;
use crate::batch::{Batch, Binding, Running, Source, VALUES, read, write};
use crate::kernel::Law;
use crate::tiles::{Tile, meeting, place};
use crate::{Device, DeviceTree, GpuError, scan};
use palmette_core::Tree;
use palmette_tree::{Direction, EulerTour, Scope};

const OPEN: Binding = read("open", "u32");
const CLOSE: Binding = read("close", "u32");
const ANSWERS: Binding = write("answers", "Elem");
const LINE: Binding = read("line", "Elem");

const WRITE: Source = Source {
    params: &["count", "start", "first", "length", "inverted"],
    arrays: &[OPEN, CLOSE, VALUES, write("line", "Elem")],
    body: include_str!("wgsl/euler_write.wgsl"),
};

const READ_ROOTFIX: Source = Source {
    params: &["count", "start", "first", "length", "inclusive"],
    arrays: &[OPEN, LINE, ANSWERS],
    body: include_str!("wgsl/euler_rootfix.wgsl"),
};

const READ_LEAFFIX: Source = Source {
    params: &["count", "start", "first", "length", "inclusive"],
    arrays: &[OPEN, CLOSE, LINE, ANSWERS],
    body: include_str!("wgsl/euler_leaffix.wgsl"),
};

/// The paper's arrays `(V` and `V)`, on a device.
#[derive(Debug)]
pub(crate) struct Tour {
    pub(crate) open: Array,
    pub(crate) close: Array,
    /// Where vertices meet the tour.
    meeting: Vec<Tile>,
}

impl Tour {
    pub(crate) fn upload(device: &Device, tree: &Tree) -> Result<(Tour, f64), GpuError> {
        let tour = EulerTour::new(tree);
        let (open, close) = tour.arrays();
        // What a vertex reads is at its places or right behind them.
        let meeting = meeting(device.bounds().chunk, &[open, close], 1, 2 * tree.len());
        let array = |places| Array::from_slice(device, places);
        device.sent(|| Ok(Tour { open: array(open)?, close: array(close)?, meeting }))
    }
}

/// Sends the steps for values by position on their way.
pub(crate) fn start(
    tree: &DeviceTree<'_>,
    values: &Array,
    law: &Law,
    scope: Scope,
    direction: Direction,
) -> Result<(Array, Running), GpuError> {
    let (device, n) = (tree.device(), values.len());
    let array = |len| Array::of_bytes(device, len, law.bytes());
    let (tour, answers, line) = (tree.tour()?, array(n)?, array(2 * n)?);
    let mut batch = Batch::of(device, law);
    let write = batch.kernel(&WRITE)?;
    let inverted = u32::from(direction == Direction::Rootfix);
    for &Tile { here, there, start, count } in &tour.meeting {
        let (open, close) = (tour.open.chunk(here), tour.close.chunk(here));
        let arrays = [open, close, values.chunk(here), line.chunk(there)];
        let [first, length] = place(&line, there);
        batch.each(&write, &arrays, &[count as u32, start as u32, first, length, inverted]);
    }
    if n > 0 {
        scan::exclusive(&mut batch, &line, law)?;
    }
    let inclusive = u32::from(scope == Scope::Inclusive);
    let read = match direction {
        Direction::Rootfix => batch.kernel(&READ_ROOTFIX)?,
        Direction::Leaffix => batch.kernel(&READ_LEAFFIX)?,
    };
    for &Tile { here, there, start, count } in &tour.meeting {
        let [first, length] = place(&line, there);
        let numbers = [count as u32, start as u32, first, length, inclusive];
        let (open, close) = (tour.open.chunk(here), tour.close.chunk(here));
        let (line, answers) = (line.chunk(there), answers.chunk(here));
        match direction {
            Direction::Rootfix => batch.each(&read, &[open, line, answers], &numbers),
            Direction::Leaffix => batch.each(&read, &[open, close, line, answers], &numbers),
        }
    }
    batch.keep([line]);
    Ok((answers, batch.start()?))
}
