//! Local messaging: every vertex speaks to all its children, or hears from all of
//! them, however many they are.
//!
//! **Problem.** A tree lies on the machine in light-first order, one vertex per processor,
//! addresses being positions. *Local broadcast*: every vertex sends one value to all its children.
//! *Local reduce*: every vertex gets the combination of its children's values, in their order. A
//! vertex has O(1) words, so it cannot list its children; and sending to each of them directly
//! costs 511 n on a star of 2^18.
//!
//! **Method.** The *virtual tree* is a relay: a vertex keeps two **current** children,
//! the heads of the two halves of its children, and every head passes messages on to
//! the rest of its half, its **appended** children, by the same rule. A vertex then has
//! at most four virtual children, and the order of positions is light-first for the
//! virtual tree as well (Lemma 8). What vertices know at first is their [`Family`];
//! [`construct`] turns it into [`VirtualLinks`] by messages, [`broadcast`] and
//! [`reduce`] run on those.
//!
//! **Cost**, with D the largest number of children of a vertex and E the sum of the
//! distances along virtual edges. On a light-first layout E = O(n): on a Hilbert curve
//! with n = 2^8 to 2^18 at most 2.12 n was measured over all shapes of
//! [`palmette_core::generate`], and at most 3.57 n for [`construct`].
//!
//! | | energy | messages | depth | received in a step |
//! |---|---|---|---|---|
//! | [`construct`] | ≤ 2 E | ≤ 1.5 n | ≤ 2 log2 D | ≤ 3 |
//! | [`broadcast`] | E | n - 1 | ⌊log2 (D + 1)⌋ | ≤ 1 |
//! | [`reduce`] | E | n - 1 | ⌊log2 (D + 1)⌋ | ≤ 4 |
//!
//! The constants of E = O(n) are measured, the bounds in the table proved; all are tested.
//! Depths are what a program adds when all processors start at the same clock.
//!
//! **Determinism.** Results and costs do not depend on threads. Results do not depend
//! on the clocks at which processors start either: whatever a vertex waits for is told
//! apart by what it has heard so far, not by when.
//!
//! **Reference.** *Low-depth spatial tree algorithms*, section III-D: TRANSFORM,
//! Lemmas 8 and 9, Theorem 3.
//!
//! **When not to use.** Where every vertex has at most two children, virtual edges are
//! the tree's own: a program may send along `current` by itself.
//!
//! ```
//! use palmette_core::operator::Sum;
//! use palmette_core::tree::SiblingOrder::LightFirst;
//! use palmette_core::{NONE, Tree, TreeParams};
//! use palmette_spatial::curve::CurveKind;
//! use palmette_spatial::local::{broadcast, construct, families, reduce};
//! use palmette_spatial::machine::{Machine, MachineParams, Memory};
//!
//! // A star: every vertex learns the root's value, the root adds up the others'.
//! let parents: Vec<u32> = (0..100).map(|v| if v == 0 { NONE } else { 0 }).collect();
//! let params = TreeParams { siblings: LightFirst, ..TreeParams::default() };
//! let tree = Tree::with_params(&parents, params)?;
//! let curve = CurveKind::Hilbert.fitting(100)?;
//! let mut machine = Machine::on_curve(&curve, 100, MachineParams::default())?;
//! let links = construct(&mut machine, &families(&tree))?;
//! let values = Memory::new(100, |position| 1000 + u64::from(position));
//! let heard = broadcast(&mut machine, "down", &links, values.clone())?;
//! assert!(heard.states()[1..].iter().all(|&value| value == Some(1000)));
//! let sums = reduce(&mut machine, "up", Sum::<u64>::default(), &links, values)?;
//! assert_eq!(sums.states()[0], 99 * 1000 + 99 * 100 / 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod broadcast;
mod construct;
mod family;
mod links;
mod reduce;
#[cfg(test)]
mod tests;

pub use broadcast::{BROADCAST_LINK_WORDS, broadcast, broadcast_words};
pub(crate) use construct::appended_siblings;
pub use construct::{CONSTRUCT_MESSAGE_WORDS, CONSTRUCT_STATE_WORDS, CONSTRUCT_WORDS, construct};
pub use family::{Family, families};
pub(crate) use links::halves;
pub use links::{Role, VirtualLinks, virtual_tree};
pub use reduce::{REDUCE_LINK_WORDS, reduce, reduce_words};

use crate::machine::{Machine, MachineError, Memory, Plain};

/// Links and values must be there for every processor.
pub(crate) fn check<S: Plain, T: Plain>(
    machine: &Machine,
    a: &Memory<S>,
    b: &Memory<T>,
) -> Result<(), MachineError> {
    let expected = machine.processors();
    match [a.states().len(), b.states().len()].into_iter().find(|&actual| actual != expected) {
        Some(actual) => Err(MachineError::Processors { expected, actual }),
        None => Ok(()),
    }
}
