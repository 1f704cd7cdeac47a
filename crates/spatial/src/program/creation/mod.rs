//! Layout creation: a tree whose vertices lie anywhere moves into light-first order.
//!
//! **Problem.** Vertex `v` of a tree with one root lies on processor `v`, whatever that has
//! to do with the tree, and knows its parent, or all its [`Links`] if the machine
//! [gives](crate::machine::Gift::Children) them. Afterwards processor `p` is to have the
//! vertex at position `p` of the tree's preorder with the smallest subtree first, equal
//! ones by their numbers, and to know its [`Family`] in the new addresses.
//!
//! **Method.**
//! 0. Children are found by a sort, unless they are given (`children.rs`).
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
//! does not say how siblings are sorted, nor that children are to be found. One sort of all
//! vertices by parent finds them, and the second sort, by size, is one of siblings alone. Where
//! children are given, ranking them costs 3.3 n^1.5 and O(log n) depth instead of 9.2 n^1.5 and
//! O(log² n).
//!
//! **Messages.** Everyone always knows what it waits for, as every file says; no order matters.
//!
//! **Cost.** O(n^1.5) energy with high probability. Depth O(log² n), because of the sort; with
//! children given O(log n + log² D) with at most D children per vertex, because siblings are
//! sorted by a network. Measured with shuffled vertices on the Hilbert curve, energy / n^1.5 and
//! depth:
//!
//! | n | random | path | preferential | star |
//! |---|---|---|---|---|
//! | 2^8 | 19.5, 165 | 21.2, 147 | 18.9, 180 | 18.4, 201 |
//! | 2^12 | 20.3, 259 | 22.1, 248 | 19.4, 296 | 19.6, 359 |
//! | 2^16 | 20.6, 385 | 22.5, 361 | 19.5, 439 | 20.3, 536 |
//! | 2^8, all given | 12.3, 164 | 13.9, 144 | 11.7, 177 | 11.4, 205 |
//! | 2^12, all given | 11.7, 245 | 13.6, 226 | 10.7, 283 | 11.1, 320 |
//! | 2^16, all given | 11.5, 332 | 13.4, 314 | 10.3, 377 | 11.2, 479 |
//!
//! The depth is twice the rounds of the rankings, k(k+1)/2 for the sort with n = 2^k, up to
//! 3.5 k for scans, and with l = ⌈log2 D⌉ another 2 l + l(l+1)/2 for siblings, up to 20 steps.
//! Of the energy on random trees of 2^16 the sort takes 9.1, the tours 4.3 and 4.5, telling
//! children and siblings 1.4, the moves 1.3. A processor has at most [`creation_words`] words,
//! whatever the degrees and the delays, and receives at most five messages in one step, if all
//! start at the same clock. Handlers do O(1) work, but O(log n) to find one's place in the tree of
//! a scan.
//!
//! **Determinism.** The layout depends on the tree alone; costs and rounds on the
//! machine's seed too, never on threads.
//!
//! **Reference.** Theorem 4 of *Low-Depth Spatial Tree Algorithms*. Its O(log n) depth
//! holds here where children are given and D is bounded; otherwise it would need a sort in
//! O(log n).
//!
//! **When not to use.** On the host, [`Layout`](crate::layout::Layout) does the same in
//! linear time.

mod children;
mod group;
mod siblings;
#[cfg(test)]
mod tests;

use super::ProgramError;
use super::tour::{Links, TOUR_WORDS, check_root, tour};
use crate::collective::{Network, Range, align, items_waiting, permute, sort};
use crate::local::Family;
use crate::machine::{Gift, Machine, MachineError, Memory, words_of};
use children::children;
use group::{Child, Vertex, group, rank_children};
use palmette_core::NONE;
use siblings::{Standing, announce};

/// The words of a processor on a machine of so many: for what it keeps, for the second tour, which
/// needs the most beside it, and for siblings that wait to be sorted.
pub const fn creation_words(processors: usize) -> usize {
    let kept = words_of::<Links>() + words_of::<Standing>();
    kept + TOUR_WORDS + items_waiting(processors) * words_of::<Child>()
}

/// A tree in light-first order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// Which vertex every processor has.
    pub vertices: Memory<u32>,
    /// Its family, in the new addresses.
    pub families: Memory<Family>,
    /// The rounds of the three rankings: first tour, children, second tour. Children are
    /// ranked, and not sorted, where they are given: otherwise there are no rounds.
    pub rounds: [u32; 3],
    /// How many vertices' opening brackets gave way in each round of the first tour.
    pub contracted: Vec<u64>,
}

/// Brings a tree into light-first order. Only the parents of `links` are looked at, unless the
/// machine [gives](Gift::Children) children.
///
/// The ledger's phases begin with `children`, `first tour`, `group`, `sort siblings`, `siblings`,
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
    let (expected, actual) = (machine.processors(), links.states().len());
    if expected != actual {
        return Err(MachineError::Processors { expected, actual }.into());
    }
    check_root(links)?;
    let (links, sorted) = if machine.takes(Gift::Children) {
        (links.clone(), None)
    } else {
        let parents = links.clone().map(|_, links| links.parent);
        let (links, places) = children(machine, "children", parents)?;
        (links, Some(places))
    };
    // Whoever knows a place among its siblings keeps it.
    let place = sorted.as_ref().map_or(0, |_| 1);
    let first = tour::<0>(&mut machine.keep(&links).keep_words(place), "first tour", &links)?;
    // The tour begins with the root's, which does not.
    let opening = links.states().iter().zip(first.ranks.stamps.states());
    let opening = opening.filter(|(links, _)| links.parent != NONE);
    let contracted = super::by_round(first.ranks.rounds, opening.map(|(_, stamps)| stamps[0]));
    let vertices = links.clone().beside(first.ranks.ranks).beside(first.predecessors);
    let vertices = vertices.map(|_, ((links, tour), before)| vertex(links, tour, before));
    let (places, rounds) = match sorted {
        Some(places) => (places, 0),
        None => rank_children(machine, "group", vertices.clone())?,
    };
    let machine = &mut machine.keep(&links);
    let (ranges, children) = group(machine, "group", vertices, places)?;
    let children = children.map(|_, child| (child, ()));
    // The other network would be as deep as ranges are wide on the curve, not as long.
    let network = Network::Bitonic;
    let children = sort(machine, "sort siblings", network, ranges.clone(), children)?;
    let children = children.map(|_, (child, ())| child);
    let standings = announce(machine, "siblings", ranges, children)?;
    let links = links.beside(standings.clone()).map(|_, (links, standing)| Links {
        parent: links.parent,
        first_child: standing.first_child,
        right: standing.place.right,
    });
    if machine.takes(Gift::Seed) {
        // Vertices hear of their siblings sooner or later. In a list that contracts, messages
        // would pile up before those that come late. Who spreads the seed waits for all.
        let all = Range::new(0, machine.processors() as u32);
        align(machine, "align", all)?;
    }
    let second = tour::<0>(&mut machine.keep(&standings), "second tour", &links)?.ranks;
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
