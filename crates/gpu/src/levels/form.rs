//! A tree level by level, on a device.

use crate::array::Array;
use crate::tiles::{Tile, meeting};
use crate::{Device, GpuError};
use palmette_core::{NONE, Tree};
use std::ops::Range;

/// Children from which on a vertex is worth a workgroup.
pub(super) const WIDE: u32 = 128;

/// The tree numbered by level and then by position ("places"): parents and children of a level
/// are neighbours. The paper's compressed rows.
#[derive(Debug)]
pub(crate) struct LevelForm {
    /// By place: the position.
    pub(super) order: Array,
    /// By place: the parent's place.
    pub(super) parent: Array,
    /// By place: the first child's place and the one behind the last child's.
    pub(super) family: Array,
    /// Where levels begin; one more than there are levels.
    pub(super) starts: Array,
    /// The places with more than [`WIDE`] children, in order.
    pub(super) wide: Array,
    /// Where places meet positions.
    pub(super) meeting: Vec<Tile>,
    pub(super) host: Host,
}

/// What the host needs to know to plan dispatches.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) starts: Vec<usize>,
    pub(super) wide: Vec<u32>,
    /// By level: the most children of a vertex.
    pub(super) widest: Vec<u32>,
}

impl Host {
    /// The number of levels.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of a level.
    pub(super) fn level(&self, depth: usize) -> Range<usize> {
        self.starts[depth]..self.starts[depth + 1]
    }
}

impl LevelForm {
    pub(crate) fn upload(device: &Device, tree: &Tree) -> Result<(LevelForm, f64), GpuError> {
        let levels = tree.levels();
        let n = tree.len();
        let mut place = vec![0u32; n];
        levels.items().iter().zip(0..).for_each(|(&i, k)| place[i as usize] = k);
        let at = |i: u32| place[i as usize];
        let parent = |&i: &u32| tree.parent(i).map_or(NONE, at);
        let parents: Vec<u32> = levels.items().iter().map(parent).collect();
        // Children of neighbours are neighbours, so one sweep finds where families begin.
        let counts = tree.child_counts();
        let mut next = tree.roots() as u32;
        let mut family = Vec::with_capacity(n);
        for &i in levels.items() {
            let first = next;
            next += counts[i as usize];
            family.push([first, next]);
        }
        let children = |k: usize| family[k][1] - family[k][0];
        let wide: Vec<u32> = (0..n as u32).filter(|&k| children(k as usize) > WIDE).collect();
        let widest = |level: &[usize]| (level[0]..level[1]).map(children).max().unwrap_or(0);
        let widest = levels.offsets().windows(2).map(widest).collect();
        let starts: Vec<u32> = levels.offsets().iter().map(|&s| s as u32).collect();
        let meeting = meeting(device.bounds().chunk, &[levels.items()], 0, n);
        let array = |numbers: &[u32]| Array::from_slice(device, numbers);
        device.sent(|| {
            Ok(LevelForm {
                order: array(levels.items())?,
                parent: array(&parents)?,
                family: Array::from_slice(device, &family)?,
                starts: array(&starts)?,
                wide: array(&wide)?,
                meeting,
                host: Host { starts: levels.offsets().to_vec(), wide, widest },
            })
        })
    }
}

/// A range of places cut at the ends of chunks: the chunk, and the part of the range in it.
pub(super) fn cut(
    range: Range<usize>,
    chunk: usize,
) -> impl Iterator<Item = (usize, Range<usize>)> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        (at < range.end).then(|| {
            let (k, first) = (at / chunk, at);
            at = ((k + 1) * chunk).min(range.end);
            (k, first..at)
        })
    })
}
