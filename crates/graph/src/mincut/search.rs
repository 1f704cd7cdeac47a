//! The order of things: shrink, pack trees, look at their cuts, until nothing is left to see.

use super::kernel::Kernel;
use super::packing::{Edges, Packing, rooted};
use super::rules::Keep;
use super::{MinCutError, one, rules, scan, two};
use palmette_core::Cancel;
use palmette_core::graph::Sets;

/// A kernel this small is scanned to its end.
const SMALL: usize = 48;
/// Trees before their cuts are first looked at.
const FIRST_TREES: usize = 4;
/// From here on cuts of two edges are looked at wherever that can end the search.
const PATIENCE: usize = 128;
/// After this many trees scans end the search, however long they take.
const MANY_TREES: usize = 2048;
/// What the cuts of two edges of a tree cost, in cuts of one.
const TWO_COST: u64 = 32;

/// The lightest cut so far.
#[derive(Debug, Clone)]
pub(super) struct Best {
    pub(super) value: u64,
    /// By vertex of the graph, whether it is on the side.
    pub(super) side: Vec<bool>,
}

impl Best {
    /// Takes the cut around these vertices of a kernel.
    fn take(&mut self, value: u64, kernel: &Kernel, vertices: impl Iterator<Item = u32>) {
        let mut inside = vec![false; kernel.len()];
        vertices.for_each(|v| inside[v as usize] ^= true);
        let groups = kernel.groups().iter();
        self.value = value;
        self.side.clear();
        self.side.extend(groups.map(|&group| inside[group as usize]));
    }
}

/// What a search went through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Effort {
    pub(super) trees: usize,
    pub(super) double_trees: usize,
    pub(super) packed_vertices: usize,
}

fn check(cancel: Option<&Cancel>) -> Result<(), MinCutError> {
    match cancel {
        Some(cancel) if cancel.is_raised() => Err(MinCutError::Cancelled),
        _ => Ok(()),
    }
}

/// The minimum cut of a connected graph of two vertices or more.
pub(super) fn minimum(
    mut kernel: Kernel,
    seed: u64,
    cancel: Option<&Cancel>,
) -> Result<(Best, Effort), MinCutError> {
    let mut best = Best { value: u64::MAX, side: Vec::new() };
    let mut effort = Effort::default();
    loop {
        shrink(&mut kernel, &mut best, cancel)?;
        if kernel.len() < 2 {
            return Ok((best, effort));
        }
        effort.packed_vertices = effort.packed_vertices.max(kernel.len());
        if !pack(&kernel, seed, &mut best, &mut effort, cancel)? {
            return Ok((best, effort));
        }
    }
}

/// Contracts while that pays. In the end one vertex is left, or a kernel for trees.
fn shrink(
    kernel: &mut Kernel,
    best: &mut Best,
    cancel: Option<&Cancel>,
) -> Result<(), MinCutError> {
    while let Some((degree, v)) = kernel.least() {
        check(cancel)?;
        if degree < best.value {
            best.take(degree, kernel, std::iter::once(v));
        }
        let before = kernel.len();
        let mut sets = Sets::new(before);
        let united = rules::unite(kernel, best.value, Keep::One, &mut sets);
        if united * 10 < before
            && let Some((value, side)) = scan::unite(kernel, best.value, Keep::One, v, &mut sets)
        {
            best.take(value, kernel, side.into_iter());
        }
        *kernel = kernel.contract(&mut sets);
        let after = kernel.len();
        if after > SMALL && after * 20 > before * 19 {
            break;
        }
    }
    Ok(())
}

/// Scans until one vertex is left.
fn finish(kernel: &Kernel, best: &mut Best, cancel: Option<&Cancel>) -> Result<(), MinCutError> {
    let mut kernel = kernel.clone();
    while let Some((degree, v)) = kernel.least() {
        check(cancel)?;
        if degree < best.value {
            best.take(degree, &kernel, std::iter::once(v));
        }
        let mut sets = Sets::new(kernel.len());
        if let Some((value, side)) = scan::unite(&kernel, best.value, Keep::One, v, &mut sets) {
            best.take(value, &kernel, side.into_iter());
        }
        kernel = kernel.contract(&mut sets);
    }
    Ok(())
}

/// A cut that a tree decides: its value, the tree's number, and one or two subtrees.
type Decided = (u64, usize, [u32; 2]);

/// Packs trees and looks at their cuts until no lighter one can be left; true if a better bound
/// makes it worth while to shrink again.
fn pack(
    kernel: &Kernel,
    seed: u64,
    best: &mut Best,
    effort: &mut Effort,
    cancel: Option<&Cancel>,
) -> Result<bool, MinCutError> {
    let edges = Edges::of(kernel);
    let mut packing = Packing::new(&edges, kernel.len(), seed);
    let (mut count, mut double) = (FIRST_TREES, false);
    // How much is known: two for each tree, one more where two edges were looked at.
    let mut known = 0u64;
    loop {
        let found = batch(kernel, &edges, &mut packing, count, double, cancel)?;
        known += count as u64 * if double { 3 } else { 2 };
        effort.trees += count;
        effort.double_trees += if double { count } else { 0 };
        if let Some((value, side)) = found.filter(|found| found.0 < best.value) {
            best.take(value, kernel, side.into_iter());
            let mut sets = Sets::new(kernel.len());
            let united = rules::unite(kernel, best.value, Keep::One, &mut sets);
            scan::unite(kernel, best.value, Keep::One, 0, &mut sets);
            if united * 10 > kernel.len()
                || kernel.contract(&mut sets).len() * 10 < kernel.len() * 9
            {
                return Ok(true);
            }
        }
        let needed = packing.needed(best.value);
        if known >= needed {
            return Ok(false);
        }
        let trees = packing.trees as u64;
        if packing.trees >= MANY_TREES {
            finish(kernel, best, cancel)?;
            return Ok(false);
        }
        // With `s` more trees looked at doubly: known + 3 s ≥ needed (1 + s / trees).
        let gain = (3 * trees).saturating_sub(needed);
        let more = (needed - known).saturating_mul(trees).checked_div(gain).map(|s| s + 1);
        let worth =
            |s: &u64| *s <= 2 * trees && (s * TWO_COST <= 2 * trees || packing.trees >= PATIENCE);
        (count, double) = match more.filter(worth) {
            Some(s) => (s as usize, true),
            None => (packing.trees, false),
        };
    }
}

/// The lightest cut of the next trees: trees are packed one after another, and looked at beside.
fn batch(
    kernel: &Kernel,
    edges: &Edges,
    packing: &mut Packing<'_>,
    count: usize,
    double: bool,
    cancel: Option<&Cancel>,
) -> Result<Option<(u64, Vec<u32>)>, MinCutError> {
    let look = |number: usize, chosen: Vec<u32>| -> (Decided, Vec<u32>) {
        let tree = rooted(kernel.len(), edges, &chosen);
        if !double {
            let (value, subtree) = one::lightest(kernel, edges, &tree);
            return ((value, number, [subtree, 0]), sides(&tree, [subtree, 0]));
        }
        let subtrees = one::subtrees(kernel, edges, &tree);
        let cuts = subtrees.cuts.iter().zip(0..).skip(1).map(|(&cut, v)| (cut as u64, v));
        let (value, subtree) = cuts.min().expect("two vertices or more");
        let pair = two::lightest(kernel, &tree, &subtrees);
        let decided = match pair.filter(|pair| pair.cut < value) {
            Some(pair) => (pair.cut, number, [pair.first, pair.second]),
            None => (value, number, [subtree, 0]),
        };
        (decided, sides(&tree, decided.2))
    };
    let mut found = Vec::new();
    let mut left = count;
    while left > 0 {
        // So many trees wait for a thread at most.
        let now = left.min(4 * rayon::current_num_threads().max(2));
        let mut slots: Vec<Option<(Decided, Vec<u32>)>> = vec![None; now];
        rayon::scope(|scope| {
            for (number, slot) in slots.iter_mut().enumerate() {
                if check(cancel).is_err() {
                    return;
                }
                let chosen = packing.next_tree();
                scope.spawn(move |_| *slot = Some(look(count - left + number, chosen)));
            }
        });
        check(cancel)?;
        found.extend(slots.into_iter().flatten().min());
        left -= now;
    }
    Ok(found.into_iter().min().map(|(decided, side)| (decided.0, side)))
}

/// The vertices of one subtree, or those in exactly one of two.
fn sides(tree: &palmette_core::Tree, [first, second]: [u32; 2]) -> Vec<u32> {
    let of = |position: u32| match position {
        0 => 0..0,
        _ => position as usize..tree.end(position) as usize,
    };
    // Where one lies in the other, taking a vertex twice leaves it out.
    tree.vertices()[of(first)].iter().chain(&tree.vertices()[of(second)]).copied().collect()
}
