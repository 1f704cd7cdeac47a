//! The plan of a tree contraction, on a device.

use crate::array::Array;
use crate::{Device, GpuError};
use palmette_core::{NONE, Tree};
use palmette_tree::{Contraction, Round};

/// Pairs of an upper and a lower vertex that a dispatch treats: neighbours in the list, the
/// upper ones all in one chunk and the lower ones in one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// The chunk of the list, and where the pairs begin there.
    pub(super) list: usize,
    pub(super) start: usize,
    pub(super) count: usize,
    /// The chunks of the vertices.
    pub(super) upper: usize,
    pub(super) lower: usize,
}

/// One round. Pairs are (parent, leaf), (parent, leaf), (above, out) and (out, below).
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub(super) left: Vec<Segment>,
    pub(super) right: Vec<Segment>,
    pub(super) above: Vec<Segment>,
    pub(super) below: Vec<Segment>,
}

/// The rounds of a contraction, and how neighbours in preorder hang together.
#[derive(Debug)]
pub(crate) struct ContractForm {
    pub(super) pairs: Array,
    pub(super) rounds: Vec<Steps>,
    /// Bit 0: a first child, of the position before it. Bit 1: has children.
    pub(super) links: Array,
}

impl ContractForm {
    pub(crate) fn upload(device: &Device, tree: &Tree) -> Result<(ContractForm, f64), GpuError> {
        let plan = Contraction::new(tree, 0);
        let mut list = List { pairs: Vec::new(), chunk: device.bounds().chunk };
        let rounds = plan.plan().iter().map(|round| list.round(round)).collect();
        let inner = |i: usize| u32::from(tree.sizes()[i] > 1);
        let link = |i: usize| i.checked_sub(1).map_or(0, inner) | inner(i) << 1;
        let links: Vec<u32> = (0..tree.len()).map(link).collect();
        device.sent(|| {
            let pairs = Array::from_slice(device, &list.pairs)?;
            Ok(ContractForm { pairs, rounds, links: Array::from_slice(device, &links)? })
        })
    }
}

/// The list of pairs while it is made.
struct List {
    pairs: Vec<[u32; 2]>,
    chunk: usize,
}

impl List {
    fn round(&mut self, round: &Round) -> Steps {
        let rakes = || round.rakes.iter();
        let raked = |(parent, leaf): (u32, u32)| (leaf != NONE).then_some([parent, leaf]);
        Steps {
            left: self.add(rakes().filter_map(|r| raked((r.parent, r.left)))),
            right: self.add(rakes().filter_map(|r| raked((r.parent, r.right)))),
            above: self.add(round.splices.iter().map(|s| [s.above, s.out])),
            below: self.add(round.splices.iter().map(|s| [s.out, s.below])),
        }
    }

    /// Adds pairs that are independent of each other, in the order of the chunks they touch.
    fn add(&mut self, pairs: impl Iterator<Item = [u32; 2]>) -> Vec<Segment> {
        let (first, chunk) = (self.pairs.len(), self.chunk);
        self.pairs.extend(pairs);
        let touched = |pair: &[u32; 2]| pair.map(|v| v as usize / chunk);
        let added = &mut self.pairs[first..];
        added.sort_by_key(touched);
        let mut segments: Vec<Segment> = Vec::new();
        let mut at = first;
        for group in added.chunk_by(|a, b| touched(a) == touched(b)) {
            let [upper, lower] = touched(&group[0]);
            let end = at + group.len();
            while at < end {
                let list = at / chunk;
                let count = ((list + 1) * chunk).min(end) - at;
                segments.push(Segment { list, start: at - list * chunk, count, upper, lower });
                at += count;
            }
        }
        segments
    }
}
