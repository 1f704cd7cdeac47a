//! Lists of numbers by number, one after another in memory.

use palmette_core::{Graph, Mesh};
use rayon::prelude::*;
use std::ops::Range;

/// For each of `0..len` a list of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lists {
    offsets: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    /// Item `i` of `keys` goes to the end of list `keys[i]`, as the number `of(i)`. Linear,
    /// on one thread.
    pub(crate) fn by_key(len: usize, keys: &[u32], of: impl Fn(usize) -> u32) -> Lists {
        let mut offsets = vec![0usize; len + 1];
        keys.iter().for_each(|&key| offsets[key as usize + 1] += 1);
        for i in 0..len {
            offsets[i + 1] += offsets[i];
        }
        let mut items = vec![0; keys.len()];
        // The start of each list moves to its end, which is the start of the next.
        for (i, &key) in keys.iter().enumerate() {
            let place = &mut offsets[key as usize];
            items[*place] = of(i);
            *place += 1;
        }
        offsets.rotate_right(1);
        offsets[0] = 0;
        Lists { offsets, items }
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A list.
    ///
    /// # Panics
    /// When there is no such list.
    #[inline]
    pub fn of(&self, i: u32) -> &[u32] {
        &self.items[self.offsets[i as usize]..self.offsets[i as usize + 1]]
    }
}

/// By node, the elements that use it, in ascending order. Linear, on one thread.
pub fn elements_of_nodes(mesh: &Mesh) -> Lists {
    let elements = mesh.elements();
    let nodes = elements.all_nodes();
    let mut element = vec![0u32; nodes.len()];
    let mut rest = element.as_mut_slice();
    for (e, range) in elements.offsets().windows(2).enumerate() {
        let (own, after) = rest.split_at_mut(range[1] - range[0]);
        own.fill(e as u32);
        rest = after;
    }
    Lists::by_key(mesh.points().len(), nodes, |i| element[i])
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
