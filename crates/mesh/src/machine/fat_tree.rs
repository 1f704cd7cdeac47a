//! Fat trees and hierarchies: processors at the leaves of a tree of groups.
//!
//! **Form.** A level has groups of processors; level 0 is the whole machine, the last level
//! single processors. Above each group of a level runs one bundle of links of that level's
//! capacity, in values per unit of time and direction.
//!
//! **Default capacities** are those of the Connection Machine CM-5: a processor's share
//! halves with every level upwards, so 4, 2, 1 for `4x4x4` (and never less than 1).
//!
//! **Cost.** A value that crosses a level takes, of what there is for a processor, the
//! share `processors below / capacity`; [`FatTree::cost`] adds that up in units of 1/64,
//! rounded up, so that costs are whole numbers.
//!
//! **Hierarchies** have distances instead of capacities: two processors are as far apart as the
//! smallest group that both are in says. Bundles have capacity 1.
//!
//! **Reference.** Leiserson, *Fat-trees: universal networks for hardware-efficient
//! supercomputing*, 1985.

/// A fat tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatTree {
    branches: Vec<u32>,
    capacities: Vec<u32>,
    /// By level: processors in one of its groups.
    below: Vec<u32>,
    /// By level: the cost of a value between processors that part at it.
    cost: Vec<u32>,
    /// Whether these costs are given, and distances too.
    given: bool,
}

impl FatTree {
    /// From branches and capacities by level, as many; all positive.
    pub(super) fn new(branches: Vec<u32>, capacities: Option<Vec<u32>>) -> FatTree {
        let mut below = vec![1; branches.len() + 1];
        for level in (0..branches.len()).rev() {
            below[level] = below[level + 1] * branches[level];
        }
        let capacities = capacities.unwrap_or_else(|| default_capacities(&below));
        let crossing = |level: usize| {
            u64::from(below[level + 1]).saturating_mul(64).div_ceil(u64::from(capacities[level]))
        };
        let mut cost = vec![0u32; branches.len()];
        let mut sum = 0u64;
        for level in (0..branches.len()).rev() {
            sum += crossing(level);
            cost[level] = u32::try_from(sum).unwrap_or(u32::MAX);
        }
        FatTree { branches, capacities, below, cost, given: false }
    }

    /// From branches and distances by level, as many; all positive.
    pub(super) fn with_distances(branches: Vec<u32>, distances: Vec<u32>) -> FatTree {
        let ones = vec![1; branches.len()];
        FatTree { cost: distances, given: true, ..FatTree::new(branches, Some(ones)) }
    }

    /// The distances of processors that part at each level, from the root down; `None` on a fat
    /// tree, where they are hops.
    pub fn distances(&self) -> Option<&[u32]> {
        self.given.then_some(&self.cost)
    }

    /// The number of processors.
    pub fn processors(&self) -> usize {
        self.below[0] as usize
    }

    /// The number of levels of links: one less than that of levels of groups.
    pub fn levels(&self) -> usize {
        self.branches.len()
    }

    /// How many branches switches have, from the root down.
    pub fn branches(&self) -> &[u32] {
        &self.branches
    }

    /// The capacity of the bundle above each group of the levels 1, 2, …
    pub fn capacities(&self) -> &[u32] {
        &self.capacities
    }

    /// Whether capacities are the default ones.
    pub fn has_default_capacities(&self) -> bool {
        self.capacities == default_capacities(&self.below)
    }

    /// The processors in a group of a level.
    pub fn below(&self, level: usize) -> u32 {
        self.below[level]
    }

    /// The group of a level that a processor is in.
    #[inline]
    pub fn group(&self, processor: u32, level: usize) -> u32 {
        processor / self.below[level]
    }

    /// The hops between two processors, up to their lowest common switch and down; or the distance
    /// that is given.
    pub fn distance(&self, a: u32, b: u32) -> u32 {
        if self.given {
            return self.cost(a, b);
        }
        2 * (self.levels() - self.common(a, b)) as u32
    }

    /// What sending a value between two processors counts for.
    pub fn cost(&self, a: u32, b: u32) -> u32 {
        self.cost.get(self.common(a, b)).copied().unwrap_or(0)
    }

    /// The lowest level at which two processors share a group.
    fn common(&self, a: u32, b: u32) -> usize {
        let levels = 1..=self.levels();
        levels.take_while(|&level| self.group(a, level) == self.group(b, level)).count()
    }
}

fn default_capacities(below: &[u32]) -> Vec<u32> {
    let levels = below.len() - 1;
    (1..=levels).map(|level| (below[level] >> (levels - level).min(31)).max(1)).collect()
}
