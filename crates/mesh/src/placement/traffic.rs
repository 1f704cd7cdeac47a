//! Traffic on a fat tree, level by level, against the capacities.

use super::Placement;
use crate::Quotient;
use crate::machine::FatTree;

/// What crosses the links above the groups of a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelTraffic {
    /// The level, from 1 below the root; the last is that of single processors.
    pub level: usize,
    /// Values sent from one group to another, each counted once.
    pub values: u64,
    /// The most values into or out of one group.
    pub largest: u64,
    /// The capacity of a group's links, each way.
    pub capacity: u32,
}

impl LevelTraffic {
    /// The time that the fullest links take, in units of the capacity.
    pub fn time(&self) -> f64 {
        self.largest as f64 / f64::from(self.capacity)
    }
}

/// The traffic of each level, from the root down.
///
/// # Panics
/// When quotient and placement have different numbers of parts.
pub fn traffic(quotient: &Quotient, tree: &FatTree, placement: &Placement) -> Vec<LevelTraffic> {
    assert_eq!(quotient.parts(), placement.parts(), "a processor for each part");
    let at = |level: usize| {
        let groups = tree.processors() / tree.below(level) as usize;
        let (mut out, mut into) = (vec![0u64; groups], vec![0u64; groups]);
        for (from, to, values) in quotient.messages() {
            let [a, b] = [from, to].map(|part| tree.group(placement.processor(part), level));
            if a != b {
                out[a as usize] += values;
                into[b as usize] += values;
            }
        }
        LevelTraffic {
            level,
            values: out.iter().sum(),
            largest: out.iter().chain(&into).copied().max().unwrap_or(0),
            capacity: tree.capacities()[level - 1],
        }
    };
    (1..=tree.levels()).map(at).collect()
}
