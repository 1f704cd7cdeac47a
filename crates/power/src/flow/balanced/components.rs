//! Parts of a network that only sources join.
//!
//! **Problem.** What hangs on a source, whose voltage is given, does not depend on what else hangs
//! there. Which parts can be solved one by one?
//!
//! **Method.** The subtrees of the children of sources are intervals of positions; unknowns of
//! loops and generators couple those that they touch. Small intervals that nothing couples are put
//! together until a component is worth its overhead.

use super::compensation::Unknown;
use crate::flow::topology::Topology;
use palmette_core::graph::Sets;
use std::ops::Range;

/// Neighbouring parts are solved together up to so many buses.
const WORTH: u32 = 256;

/// A part of a network that can be solved alone.
#[derive(Debug, Default)]
pub(in crate::flow) struct Component {
    /// Its positions: intervals in ascending order, whole subtrees of children of sources.
    pub(in crate::flow) ranges: Vec<Range<u32>>,
    /// Its loops and generators.
    pub(in crate::flow) unknowns: Vec<Unknown>,
}

pub(in crate::flow) fn components(topology: &Topology, unknowns: Vec<Unknown>) -> Vec<Component> {
    let tree = &topology.tree;
    let live = topology.roots.iter().filter(|root| root.1);
    let blocks: Vec<Range<u32>> = live
        .flat_map(|&(root, _)| tree.children(root))
        .map(|child| child..tree.end(child))
        .collect();
    let block = |position: u32| {
        let after = blocks.partition_point(|range| range.start <= position);
        // Sources are in none.
        (after > 0 && blocks[after - 1].contains(&position)).then(|| after as u32 - 1)
    };
    let mut sets = Sets::new(blocks.len());
    let mut coupled = vec![false; blocks.len()];
    let mut owners: Vec<(u32, Unknown)> = Vec::new();
    for unknown in unknowns {
        let mut touched = unknown.positions().filter_map(block);
        if let Some(first) = touched.next() {
            coupled[first as usize] = true;
            for other in touched {
                coupled[other as usize] = true;
                sets.link(first, other);
            }
            owners.push((first, unknown));
        } else {
            // A branch between two sources: its current is known.
            owners.push((u32::MAX, unknown));
        }
    }
    let tops = sets.settled();
    let mut made: Vec<Component> = Vec::new();
    let mut of_top: Vec<u32> = vec![u32::MAX; blocks.len()];
    let mut open: Option<usize> = None;
    for (k, range) in blocks.iter().enumerate() {
        if coupled[k] {
            let top = tops[k] as usize;
            if of_top[top] == u32::MAX {
                of_top[top] = made.len() as u32;
                made.push(Component::default());
            }
            made[of_top[top] as usize].ranges.push(range.clone());
            continue;
        }
        match open.map(|at| &mut made[at].ranges[0]) {
            Some(last) if last.end == range.start && last.len() < WORTH as usize => {
                last.end = range.end;
            }
            _ => {
                open = Some(made.len());
                made.push(Component { ranges: vec![range.clone()], unknowns: Vec::new() });
            }
        }
    }
    let mut between = Component::default();
    for (block, unknown) in owners {
        match block {
            u32::MAX => between.unknowns.push(unknown),
            _ => made[of_top[tops[block as usize] as usize] as usize].unknowns.push(unknown),
        }
    }
    if !between.unknowns.is_empty() {
        made.push(between);
    }
    made
}
