//! Layout creation: a tree whose vertices lie anywhere moves into light-first order.
//!
//! **Problem.** Vertex `v` of a tree with one root lies on processor `v`, whatever that has
//! to do with the tree, and knows its [`Links`]. Afterwards processor `p` is to have the
//! vertex at position `p` of the tree's preorder with the smallest subtree first, equal
//! ones by their numbers, and to know its [`Family`] in the new addresses.
//!
//! **Method.**
//! 1. An [Euler tour](super::tour::euler_tour) in the given order counts opening brackets only:
//!    a subtree's size is the difference between a vertex's two.
//! 2. All children come to lie beside their siblings (`group.rs`).
//! 3. Siblings are [sorted](crate::collective::sort()) by size and number, all ranges at
//!    once, and tell the vertices their order (`siblings.rs`).
//! 4. A second tour in that order: the opening brackets before its own are a vertex's
//!    position. What a vertex knows of the sizes of its siblings gives the addresses of
//!    its family.
//! 5. One [permutation](crate::collective::permute()).
//!
//! The text ranks all brackets, then drops the closing ones by a prefix sum. Ranking with
//! gaps of 0 after closing brackets does both at once, and no bracket has to move. It
//! does not say how siblings are sorted; one sort of all vertices by parent and size costs
//! 9.2 n^1.5 where steps 2 and 3 take 4.0, and O(log² n) depth on any tree.
//!
//! **Cost.** O(n^1.5) energy with high probability; depth O(log n + log² D) with at most D children
//! per vertex, because siblings are sorted by a network. Measured with shuffled vertices on the
//! Hilbert curve, energy / n^1.5 and depth:
//!
//! | n | random | path | preferential | star |
//! |---|---|---|---|---|
//! | 2^8 | 14.3, 172 | 16.6, 154 | 13.6, 174 | 11.6, 198 |
//! | 2^12 | 13.7, 247 | 16.3, 218 | 12.4, 274 | 11.2, 330 |
//! | 2^16 | 13.5, 320 | 16.1, 304 | 11.9, 367 | 11.2, 478 |
//! | 2^18 | 13.5, 367 | 16.0, 339 | 11.8, 430 | 11.3, 555 |
//!
//! The depth is twice the rounds of the three rankings, 3 log2 n for scans, and with
//! l = ⌈log2 D⌉ another 2 l + l(l+1)/2 for siblings, up to 20 steps. Of the energy on
//! random trees of 2^16 the tours take 4.3 and 4.5, steps 2 and 3 4.0, the last 0.7.
//! A processor has at most [`CREATION_WORDS`] words, whatever the degrees, and receives at
//! most four messages in one step, if all start at the same clock.
//!
//! **Determinism.** The layout depends on the tree alone; costs and rounds on the
//! machine's seed too, never on threads.
//!
//! **Reference.** Theorem 4 of *Low-Depth Spatial Tree Algorithms*. Its O(log n) depth
//! holds here where D is bounded; a star would need a sort in O(log n).
//!
//! **When not to use.** On the host, [`Layout`](crate::layout::Layout) does the same in
//! linear time.

mod group;
mod siblings;
#[cfg(test)]
mod tests;

use super::ProgramError;
use super::tour::{Links, tour};
use crate::collective::{Network, Range, align, permute, sort};
use crate::local::Family;
use crate::machine::{Machine, Memory};
use group::{Vertex, group};
use palmette_core::NONE;
use siblings::{Standing, announce};

/// The most words of a processor, for its state and the messages of one step.
pub const CREATION_WORDS: usize = 51;

/// A tree in light-first order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// Which vertex every processor has.
    pub vertices: Memory<u32>,
    /// Its family, in the new addresses.
    pub families: Memory<Family>,
    /// The rounds of the three rankings: first tour, children, second tour.
    pub rounds: [u32; 3],
    /// How many vertices' opening brackets gave way in each round of the first tour.
    pub contracted: Vec<u64>,
}

/// Brings a tree into light-first order.
///
/// The ledger's phases begin with `first tour`, `group`, `sort siblings`, `siblings`,
/// `align`, `second tour` and `move`.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_spatial::curve::CurveKind;
/// use palmette_spatial::machine::{Machine, MachineParams};
/// use palmette_spatial::program::creation::create;
/// use palmette_spatial::program::tour::links_of;
///
/// // Vertex 2 is the root, 0 and 3 are its children, 1 is a child of 0.
/// let links = links_of(&Tree::from_parents(&[2, 0, NONE, 2])?)?;
/// let curve = CurveKind::Hilbert.fitting(4)?;
/// let mut machine = Machine::on_curve(&curve, 4, MachineParams::default())?;
/// let created = create(&mut machine, &links)?;
/// assert_eq!(created.vertices.states(), [2, 3, 0, 1]);
/// assert_eq!(created.families.states()[2].left, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Several roots or none, links for another number of processors, and what stops the
/// machine.
pub fn create(machine: &mut Machine, links: &Memory<Links>) -> Result<Created, ProgramError> {
    let first = tour::<0>(machine, "first tour", links)?;
    // The tour begins with the root's, which does not.
    let opening = links.states().iter().zip(first.ranks.stamps.states());
    let opening = opening.filter(|(links, _)| links.parent != NONE);
    let contracted = super::by_round(first.ranks.rounds, opening.map(|(_, stamps)| stamps[0]));
    let vertices = links.clone().beside(first.ranks.ranks).beside(first.predecessors);
    let vertices = vertices.map(|_, ((links, tour), before)| vertex(links, tour, before));
    let (ranges, children, rounds) = group(machine, "group", vertices)?;
    let children = children.map(|_, child| (child, ()));
    // The other network would be as deep as ranges are wide on the curve, not as long.
    let network = Network::Bitonic;
    let children = sort(machine, "sort siblings", network, ranges.clone(), children)?;
    let children = children.map(|_, (child, ())| child);
    let standings = announce(machine, "siblings", ranges, children)?;
    let links = links.clone().beside(standings.clone()).map(|_, (links, standing)| Links {
        parent: links.parent,
        first_child: standing.first_child,
        right: standing.place.right,
    });
    // Vertices hear of their siblings sooner or later. In a list that contracts, messages
    // would pile up before those that come late.
    let all = Range::new(0, machine.processors() as u32);
    align(machine, "align", all)?;
    let second = tour::<0>(machine, "second tour", &links)?.ranks;
    let families = links.beside(standings).beside(second.ranks);
    let families = families.map(|_, ((links, standing), tour)| family(links, standing, tour));
    let positions = families.clone().map(|_, (position, _)| Some(position));
    let moved = families.map(|vertex, (_, family)| (vertex, family));
    let moved = permute(machine, "move", positions, moved)?;
    let moved = moved.map(|_, arrived| arrived.expect("one vertex moves to every processor"));
    Ok(Created {
        vertices: moved.clone().map(|_, (vertex, _)| vertex),
        families: moved.map(|_, (_, family)| family),
        rounds: [first.ranks.rounds, rounds, second.rounds],
        contracted,
    })
}

/// What a vertex knows after the first tour: before it opens, its left sibling closes or
/// its parent opens; before it closes, its last child does or it opens itself.
fn vertex(links: Links, [open, close]: [u32; 2], before: [u32; 2]) -> Vertex {
    let closing = |bracket: u32| if bracket % 2 == 1 { bracket / 2 } else { NONE };
    let known = |bracket: u32| if bracket == NONE { NONE } else { closing(bracket) };
    let [left, last_child] = before.map(known);
    Vertex { links, left, last_child, size: close.wrapping_sub(open) }
}

/// The position of a vertex and its family's, from the two counts of the second tour.
/// Links that are none of a tree may give any numbers; the permutation then fails.
fn family(links: Links, standing: Standing, [position, end]: [u32; 2]) -> (u32, Family) {
    let Standing { place, first_child, children } = standing;
    let known = |there: bool, address: u32| if there { address } else { NONE };
    let family = Family {
        parent: known(links.parent != NONE, position.wrapping_sub(place.before).wrapping_sub(1)),
        left: known(place.index > 0, position.wrapping_sub(place.left_size)),
        right: known(place.right != NONE, end),
        first_child: known(first_child != NONE, position.wrapping_add(1)),
        index: place.index,
        siblings: place.siblings,
        children,
    };
    (position, family)
}
