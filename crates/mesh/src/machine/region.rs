//! Recursive halves of a machine, into which recursive placements embed the cut tree.

use super::Machine;

/// A box of processors of a grid, a run of leaves of a fat tree, or of the order of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    low: [u32; 3],
    sides: [u32; 3],
}

impl Region {
    /// The number of processors.
    pub fn len(&self) -> usize {
        self.sides.iter().map(|&side| side as usize).product()
    }

    /// Never: a region has a processor.
    pub fn is_empty(&self) -> bool {
        false
    }

    fn cut(self, dimension: usize, first: u32) -> [Region; 2] {
        let mut halves = [self; 2];
        halves[0].sides[dimension] = first;
        halves[1].low[dimension] += first;
        halves[1].sides[dimension] -= first;
        halves
    }
}

impl Machine {
    /// All processors.
    pub fn whole(&self) -> Region {
        let mut sides = [1; 3];
        match self {
            Machine::Lattice(lattice) => {
                sides[..lattice.sides().len()].copy_from_slice(lattice.sides());
            }
            Machine::FatTree(tree) => sides[0] = tree.processors() as u32,
            Machine::Network(network) => sides[0] = network.order().len() as u32,
        }
        Region { low: [0; 3], sides }
    }

    /// Cuts a region in two: a box across its longest side (the first of equal ones, so
    /// that cuts of a square alternate), leaves at the middle of the highest switch's
    /// branches. Also tells the dimension of the cut. `None` for one processor.
    pub fn halve(&self, region: Region) -> Option<([Region; 2], usize)> {
        if region.len() < 2 {
            return None;
        }
        match self {
            Machine::Lattice(_) => {
                let longest = region.sides.into_iter().max()?;
                let dimension = region.sides.iter().position(|&side| side == longest)?;
                Some((region.cut(dimension, longest / 2), dimension))
            }
            Machine::FatTree(tree) => {
                let (first, end) = (region.low[0], region.low[0] + region.sides[0]);
                // The highest level with a border between two of its groups inside.
                let level = (1..=tree.levels())
                    .find(|&level| tree.group(first, level) != tree.group(end - 1, level))?;
                let size = tree.below(level);
                let groups = (first / size, end.div_ceil(size));
                let border = (groups.0 + (groups.1 - groups.0) / 2) * size;
                Some((region.cut(0, border - first), 0))
            }
            Machine::Network(network) => {
                let (first, end) = (region.low[0], region.low[0] + region.sides[0]);
                Some((region.cut(0, network.border(first, end) - first), 0))
            }
        }
    }

    /// A processor in the middle of a region.
    pub fn centre(&self, region: Region) -> u32 {
        let at = [0, 1, 2].map(|d| region.low[d] + region.sides[d] / 2);
        match self {
            Machine::Lattice(lattice) => lattice.processor(at),
            Machine::FatTree(_) => at[0],
            Machine::Network(network) => network.order()[at[0] as usize],
        }
    }

    /// All available processors in the order of recursive halving: near ones mostly have near places.
    pub fn halving_order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.processors());
        let mut waiting = vec![self.whole()];
        while let Some(region) = waiting.pop() {
            match self.halve(region) {
                Some(([first, second], _)) => waiting.extend([second, first]),
                None => order.push(self.centre(region)),
            }
        }
        order
    }
}
