//! Recursive placements: parts and machine are cut in two together.
//!
//! **Method.** The machine is halved as [`Machine::halve`] does, all regions of a level
//! before the next. `halving` sorts a region's parts by a coordinate of their centroids, the
//! one that goes with the dimension of the cut, and gives each half its share. `cut_tree`
//! cuts where the cut tree does, as nearly as the sizes of the halves allow; of the two
//! ways round it takes the one that is nearer to the partners outside, as far as they are
//! placed by now, and looks at each level twice.
//!
//! **Cost.** For `p` parts and `m` exchanging pairs, `O(p log² p)` and `O(m log p)`.

use super::Placement;
use crate::machine::Region;
use crate::{CutTree, Machine, Quotient};
use std::ops::Range;

/// Recursive halving of points.
pub(super) fn halving(machine: &Machine, centroids: &[[f64; 3]]) -> Placement {
    let axes = paired_axes(machine, centroids);
    let mut processors = vec![0; centroids.len()];
    let mut waiting = vec![(machine.whole(), (0..centroids.len() as u32).collect::<Vec<_>>())];
    while let Some((region, mut parts)) = waiting.pop() {
        let Some(([low, high], dimension)) = machine.halve(region) else {
            parts.iter().for_each(|&part| processors[part as usize] = machine.centre(region));
            continue;
        };
        let axis = axes.map_or_else(|| widest(centroids, &parts), |axes| axes[dimension]);
        let key = |part: u32| centroids[part as usize][axis];
        parts.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        let wanted = (parts.len() * low.len() + region.len() / 2) / region.len();
        let upper = parts.split_off(fitting(wanted, parts.len(), low.len(), high.len()));
        waiting.extend([(low, parts), (high, upper)].into_iter().filter(|(_, p)| !p.is_empty()));
    }
    Placement { processors }
}

/// How many of `parts` go to the first of two regions: as wanted, if they fit.
fn fitting(wanted: usize, parts: usize, first: usize, second: usize) -> usize {
    wanted.clamp(parts.saturating_sub(second), first.min(parts))
}

/// By dimension of a grid the axis of space that goes with it: the longest with the widest.
/// In a plane equal ones are paired as columns with x and rows with y. `None` when the
/// machine has no such dimensions or the points fewer.
fn paired_axes(machine: &Machine, centroids: &[[f64; 3]]) -> Option<[usize; 3]> {
    let sides = machine.lattice()?.sides();
    let mut dimensions: Vec<usize> = (0..sides.len()).collect();
    if sides.len() == 2 {
        dimensions.reverse();
    }
    dimensions.sort_by_key(|&d| std::cmp::Reverse(sides[d]));
    let everything: Vec<u32> = (0..centroids.len() as u32).collect();
    let extent = [0, 1, 2].map(|axis| extent(centroids, &everything, axis));
    let mut by_extent = [0, 1, 2];
    by_extent.sort_by(|&a, &b| extent[b].total_cmp(&extent[a]));
    let mut axes = [0; 3];
    for (&dimension, axis) in dimensions.iter().zip(by_extent) {
        if sides[dimension] > 1 && extent[axis] <= 0.0 {
            return None;
        }
        axes[dimension] = axis;
    }
    Some(axes)
}

fn extent(centroids: &[[f64; 3]], parts: &[u32], axis: usize) -> f64 {
    let values = parts.iter().map(|&part| centroids[part as usize][axis]);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    high - low
}

fn widest(centroids: &[[f64; 3]], parts: &[u32]) -> usize {
    let mut best = (0, extent(centroids, parts, 0));
    for axis in 1..3 {
        let extent = extent(centroids, parts, axis);
        if extent > best.1 {
            best = (axis, extent);
        }
    }
    best.0
}

/// A run of parts, the lowest node of the cut tree above it, and where it goes.
struct Piece {
    parts: Range<u32>,
    node: u32,
    region: Region,
}

/// The embedding of a cut tree.
pub(super) fn cut_tree(quotient: &Quotient, machine: &Machine, tree: &CutTree) -> Placement {
    let whole = Piece { parts: tree.parts(0), node: 0, region: machine.whole() };
    // By part: a processor in the middle of its region.
    let mut centres = vec![machine.centre(whole.region); quotient.parts()];
    let mut level = vec![whole];
    while !level.is_empty() {
        let mut halves: Vec<[Piece; 2]> = Vec::new();
        for _ in 0..2 {
            halves.clear();
            for piece in &level {
                let Some((regions, _)) = machine.halve(piece.region) else { continue };
                let cut = turned(quotient, machine, tree, piece, regions, &centres);
                for half in &cut {
                    let centre = machine.centre(half.region);
                    half.parts.clone().for_each(|part| centres[part as usize] = centre);
                }
                halves.push(cut);
            }
        }
        level = halves.into_iter().flatten().filter(|piece| !piece.parts.is_empty()).collect();
    }
    Placement { processors: centres }
}

/// A piece cut in two, the way round that suits the partners outside.
fn turned(
    quotient: &Quotient,
    machine: &Machine,
    tree: &CutTree,
    piece: &Piece,
    regions: [Region; 2],
    centres: &[u32],
) -> [Piece; 2] {
    let (node, middle) = cut_of(tree, piece);
    let ways = [regions, [regions[1], regions[0]]].map(|[first, second]| {
        let Range { start, end } = piece.parts;
        let wanted = (middle - start) as usize;
        let here = fitting(wanted, piece.parts.len(), first.len(), second.len()) as u32;
        let piece = |parts, region| Piece { parts, node, region };
        [piece(start..start + here, first), piece(start + here..end, second)]
    });
    let [a, b] = ways.each_ref().map(|halves| {
        let pull = |half: &Piece| outside(quotient, machine, half, &piece.parts, centres);
        halves.iter().map(pull).sum::<u64>()
    });
    let [straight, swapped] = ways;
    if b < a { swapped } else { straight }
}

/// The lowest node above a piece, and the first part of its second half.
fn cut_of(tree: &CutTree, piece: &Piece) -> (u32, u32) {
    let Range { start, end } = piece.parts;
    let mut node = piece.node;
    while let Some([first, second]) = tree.children(node) {
        let middle = tree.parts(second).start;
        if end <= middle {
            node = first;
        } else if start >= middle {
            node = second;
        } else {
            return (node, middle);
        }
    }
    (node, end)
}

/// What a half exchanges with parts outside of its piece, times how far they are.
fn outside(
    quotient: &Quotient,
    machine: &Machine,
    half: &Piece,
    piece: &Range<u32>,
    centres: &[u32],
) -> u64 {
    let centre = machine.centre(half.region);
    let mut sum = 0;
    for part in half.parts.clone() {
        let values = quotient.sends(part).iter().zip(quotient.receives(part));
        for (&partner, (&sent, &received)) in quotient.partners(part).iter().zip(values) {
            if !piece.contains(&partner) {
                let distance = machine.cost(centre, centres[partner as usize]);
                sum += (sent + received) * u64::from(distance);
            }
        }
    }
    sum
}
