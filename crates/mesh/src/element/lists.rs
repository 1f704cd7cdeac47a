//! The elements of nodes, and graphs from rows.

use palmette_core::{Graph, Lists, Mesh};
use rayon::prelude::*;
use std::ops::Range;

/// By node, the elements that use it, in ascending order. Linear, on one thread.
pub fn elements_of_nodes(mesh: &Mesh) -> Lists {
    Lists::inverse(mesh.points().len(), (0..).zip(mesh.elements().iter()))
}

/// The graph whose row `v` are the numbers that `collect` adds to an empty list, sorted,
/// each once and without `v`. The relation must be symmetric. Blocks of rows run in
/// parallel; they do not depend on the number of threads.
pub(super) fn graph_of(n: usize, collect: impl Fn(u32, &mut Vec<u32>) + Sync) -> Graph {
    const BLOCK: usize = 1 << 12;
    let block = |rows: Range<usize>| {
        let (mut degrees, mut items, mut row) = (Vec::new(), Vec::new(), Vec::new());
        for v in rows {
            row.clear();
            collect(v as u32, &mut row);
            row.sort_unstable();
            row.dedup();
            let before = items.len();
            items.extend(row.iter().copied().filter(|&u| u as usize != v));
            degrees.push(items.len() - before);
        }
        (degrees, items)
    };
    let blocks: Vec<(Vec<usize>, Vec<u32>)> = (0..n.div_ceil(BLOCK))
        .into_par_iter()
        .map(|b| block(b * BLOCK..((b + 1) * BLOCK).min(n)))
        .collect();
    let mut offsets = Vec::with_capacity(n + 1);
    let mut neighbours = Vec::with_capacity(blocks.iter().map(|b| b.1.len()).sum());
    let mut end = 0;
    offsets.push(0);
    for (degrees, items) in blocks {
        for degree in degrees {
            end += degree;
            offsets.push(end);
        }
        neighbours.extend_from_slice(&items);
    }
    Graph::from_rows(offsets, neighbours).expect("a symmetric relation")
}
