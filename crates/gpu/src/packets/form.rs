//! Packets of whole trees, on a device.

use super::{LOAD, MOST, THREADS};
use crate::array::Array;
use crate::{Device, GpuError};
use palmette_core::{NONE, Tree};
use std::ops::Range;
use std::sync::OnceLock;

/// Bits of a place in a packet.
const BITS: u32 = MOST.ilog2();

/// A forest of small trees: its loads, each of which goes to the device when it is first used.
#[derive(Debug)]
pub(crate) struct PacketForm {
    loads: Vec<(Range<usize>, OnceLock<Load>)>,
}

/// Neighbouring trees that a dispatch treats.
#[derive(Debug)]
pub(crate) struct Load {
    /// By packet: its first position in the load, where its plan begins, its vertices and levels.
    pub(super) packets: Array,
    /// The packets' plans: where levels begin and the last one ends; then, by place in order by
    /// level, the position in the packet, the parent's place and the first child's; then the
    /// place behind the last child.
    pub(super) plan: Array,
    /// The vertices that the load has, where they are neighbours.
    pub(crate) vertices: Option<Range<usize>>,
    work: Work,
}

/// The most that a thread does for a packet.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    /// Vertices, and children of those.
    vertices: usize,
    children: usize,
}

impl Work {
    fn max(self, other: Work) -> Work {
        let vertices = self.vertices.max(other.vertices);
        Work { vertices, children: self.children.max(other.children) }
    }
}

impl PacketForm {
    /// The loads of a forest.
    pub(crate) fn new(device: &Device, tree: &Tree) -> Result<PacketForm, GpuError> {
        let most = LOAD.min(device.bounds().chunk);
        let mut loads = Vec::new();
        let mut first = 0;
        for root in tree.root_positions() {
            let vertices = tree.sizes()[root as usize] as usize;
            if vertices > MOST {
                return Err(GpuError::LargeTree { vertices, most: MOST });
            }
            let end = root as usize + vertices;
            if end - first > most {
                loads.push((first..root as usize, OnceLock::new()));
                first = root as usize;
            }
        }
        if first < tree.len() {
            loads.push((first..tree.len(), OnceLock::new()));
        }
        Ok(PacketForm { loads })
    }

    /// The number of loads.
    pub(crate) fn count(&self) -> usize {
        self.loads.len()
    }

    /// The positions of a load.
    pub(crate) fn range(&self, k: usize) -> Range<usize> {
        self.loads[k].0.clone()
    }

    /// A load, on its way to the device if it was not there.
    pub(crate) fn load(&self, device: &Device, tree: &Tree, k: usize) -> Result<&Load, GpuError> {
        let (range, cell) = &self.loads[k];
        if let Some(load) = cell.get() {
            return Ok(load);
        }
        let load = Load::new(device, tree, range.clone())?;
        Ok(cell.get_or_init(|| load))
    }
}

impl Load {
    fn new(device: &Device, tree: &Tree, range: Range<usize>) -> Result<Load, GpuError> {
        let mut packets: Vec<[u32; 4]> = Vec::new();
        let mut plan = Vec::with_capacity(range.len() * 2);
        let mut work = Work::default();
        let (mut first, mut end) = (range.start, range.start);
        while first < range.end {
            while end < range.end && end + tree.sizes()[end] as usize - first <= MOST {
                end += tree.sizes()[end] as usize;
            }
            let begin = plan.len() as u32;
            let (levels, most) = packet(tree, first..end, &mut plan);
            let place = (first - range.start) as u32;
            packets.push([place, begin, (end - first) as u32, levels]);
            work = work.max(most);
            first = end;
        }
        let packets = Array::in_one(device, &packets)?;
        let plan = Array::in_one(device, &plan)?;
        let vertices = neighbours(&tree.vertices()[range]);
        Ok(Load { packets, plan, vertices, work })
    }

    /// Rounds of loops that a thread goes through, at most, with an operator that takes so many.
    pub(super) fn rounds(&self, each: usize) -> usize {
        let Work { vertices, children } = self.work;
        2 * MOST / THREADS + vertices * (2 + each) + children * (1 + each)
    }
}

/// The numbers from the least to the largest, if they are all there.
fn neighbours(vertices: &[u32]) -> Option<Range<usize>> {
    let least = *vertices.iter().min()? as usize;
    let end = *vertices.iter().max()? as usize + 1;
    (end - least == vertices.len()).then_some(least..end)
}

/// Adds the plan of a packet; its levels, and what a thread does for it.
fn packet(tree: &Tree, range: Range<usize>, plan: &mut Vec<u32>) -> (u32, Work) {
    let (first, n) = (range.start, range.len());
    let parent = |k: usize| match tree.parents()[first + k] {
        NONE => None,
        p => Some(p as usize - first),
    };
    // Depths, children, and where levels begin: level d has its count at d + 1 at first.
    let (mut depths, mut children) = ([0u32; MOST], [0u32; MOST]);
    let mut starts = vec![0u32];
    for k in 0..n {
        if let Some(p) = parent(k) {
            depths[k] = depths[p] + 1;
            children[p] += 1;
        }
        let level = depths[k] as usize + 1;
        starts.resize(starts.len().max(level + 1), 0);
        starts[level] += 1;
    }
    let levels = starts.len() - 1;
    (0..levels).for_each(|d| starts[d + 1] += starts[d]);
    plan.extend_from_slice(&starts);
    // Positions in order by level, and the places of positions there.
    let (mut order, mut places) = ([0u32; MOST], [0u32; MOST]);
    let mut next = starts.clone();
    for k in 0..n {
        let place = &mut next[depths[k] as usize];
        (order[*place as usize], places[k]) = (k as u32, *place);
        *place += 1;
    }
    let mut child = starts[1];
    for &position in &order[..n] {
        let above = parent(position as usize).map_or(0, |p| places[p]);
        plan.push(position | above << BITS | child << (2 * BITS));
        child += children[position as usize];
    }
    plan.push((n as u32) << (2 * BITS));
    let mut work = Work::default();
    for level in starts.windows(2) {
        let here = &order[level[0] as usize..level[1] as usize];
        let widest = here.iter().map(|&k| children[k as usize]).max().unwrap_or(0);
        let turns = here.len().div_ceil(THREADS);
        work.vertices += turns;
        work.children += turns * widest as usize;
    }
    (levels as u32, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::TreeParams;

    #[test]
    fn a_plan_is_by_level() {
        // Two trees: 0 with 1 and 3, 1 with 2; and 4 with 5.
        let params = TreeParams { forest: true, ..Default::default() };
        let tree = Tree::with_params(&[NONE, 0, 1, 0, NONE, 4], params).unwrap();
        let mut plan = Vec::new();
        let (levels, work) = packet(&tree, 0..6, &mut plan);
        assert_eq!((levels, work.vertices, work.children), (3, 3, 3));
        assert_eq!(plan[..4], [0, 2, 5, 6]);
        let parts = |link: &u32| (link & 1023, link >> BITS & 1023, link >> (2 * BITS));
        let links: Vec<_> = plan[4..].iter().map(parts).collect();
        let expected =
            [(0, 0, 2), (4, 0, 4), (1, 0, 5), (3, 0, 6), (5, 1, 6), (2, 2, 6), (0, 0, 6)];
        assert_eq!(links, expected);
    }
}
