//! The root in the middle of the longest path between tips.
//!
//! **Problem.** Input: a tree with lengths. Output: its diameter (the longest distance between two
//! tips, with the tips) and the place in its middle.
//!
//! **Method.** One sweep from the last position keeps at every vertex the farthest tip below and how
//! far it is; a pair of tips is met at its lowest common ancestor. From the end that is farther from
//! there the middle is found by walking up.
//!
//! **Cost.** O(n), one sweep; 12 bytes per vertex.
//!
//! **Determinism.** Of equally long paths the one that is met last counts; where no length is negative
//! all have the same middle. Sums go from tips up.
//!
//! **Reference.** J. S. Farris, Amer. Naturalist 106 (1972), 645–668.

use super::builder::Source;
use super::reroot::{RootPlace, reroot};
use super::{EditError, Edited};
use palmette_core::{NONE, Tree};

/// A tree rooted in the middle of its diameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Midpoint {
    /// The tree.
    pub edited: Edited,
    /// Where its root is, in the old tree.
    pub place: RootPlace,
    /// The longest distance between two tips.
    pub diameter: f64,
    /// These tips.
    pub ends: (u32, u32),
}

/// Roots a tree in the middle of its longest path between tips; `lengths` by vertex. Where the middle
/// is at an inner vertex, that becomes the root.
///
/// # Errors
/// When the tree has several roots, no lengths or one that is no number, or fewer than two tips.
pub fn midpoint(tree: &Tree, lengths: Option<&[f64]>) -> Result<Midpoint, EditError> {
    let source = Source::measured(tree, lengths)?;
    let tips = tree.leaves();
    if tips < 2 {
        return Err(EditError::FewTips { tips, least: 2 });
    }
    // By position, the farthest tip below and its distance; NONE before the first is known.
    let mut reach = vec![0.0; tree.len()];
    let mut farthest = vec![NONE; tree.len()];
    let mut best = (f64::NEG_INFINITY, 0, 0);
    for i in (1..tree.len() as u32).rev() {
        let at = i as usize;
        if tree.is_leaf(i) {
            farthest[at] = i;
        }
        let p = tree.parents()[at] as usize;
        let through = reach[at] + source.length(i);
        if farthest[p] != NONE && through + reach[p] >= best.0 {
            best = (through + reach[p], farthest[at], farthest[p]);
        }
        if farthest[p] == NONE || through >= reach[p] {
            (reach[p], farthest[p]) = (through, farthest[at]);
        }
    }
    let (diameter, one, other) = best;
    let place = middle(&source, diameter / 2.0, one, other);
    let edited = reroot(tree, lengths, place)?;
    let name = |position: u32| tree.vertices()[position as usize];
    let ends = (name(one.min(other)), name(one.max(other)));
    Ok(Midpoint { edited, place, diameter, ends })
}

/// The place at this distance from the farther one of two tips, on the path to the other.
fn middle(source: &Source<'_>, half: f64, one: u32, other: u32) -> RootPlace {
    let tree = source.tree;
    let (low, high) = (one.min(other), one.max(other));
    // The way up from a tip to below their ancestor.
    let climb = |from: u32, limit: f64| {
        let (mut at, mut climbed) = (from, 0.0);
        loop {
            let length = source.length(at);
            let p = tree.parents()[at as usize];
            let top = p <= low && tree.end(p) > high;
            if climbed + length >= limit || top {
                return (at, climbed, climbed + length >= limit);
            }
            (at, climbed) = (p, climbed + length);
        }
    };
    let (mut at, mut climbed, found) = climb(low, half);
    if !found {
        (at, climbed, _) = climb(high, half);
    }
    let vertex = tree.vertices()[at as usize];
    let distance = (half - climbed).min(source.length(at)).max(0.0);
    RootPlace::Distance { vertex, distance }
}
